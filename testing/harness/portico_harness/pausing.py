from __future__ import annotations

import os
from signal import Signals

from portico_stack.processes.programs import Process


def pause(process: Process) -> None:
    """Sends SIGSTOP and waits for its effect: threads of a busy machine may work on for a while after the signal."""
    process.send(Signals.SIGSTOP)
    if process.pid is not None:
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
