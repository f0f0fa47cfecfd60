from __future__ import annotations

import sys
from pathlib import Path
from signal import Signals

from portico_harness.pausing import pause
from portico_stack.processes.programs import Process, Program

THREADS = "import threading; [threading.Thread(target=lambda: [None for _ in iter(int, 1)]).start() for _ in range(4)]"


def states_of_threads(process: Process) -> list[str]:
    tasks = Path(f"/proc/{process.pid}/task").iterdir()
    return [(task / "stat").read_text().rpartition(")")[2].split()[0] for task in tasks]


async def test_no_thread_runs_after_a_pause(tmp_path: Path) -> None:
    """Each time, also if the process was paused already."""

    async def ready() -> None:
        assert len(states_of_threads(process)) == 5

    process = Process(Program("busy", (sys.executable, "-c", THREADS), ready), tmp_path, print)
    await process.start()
    states = []
    for _ in range(20):
        pause(process)
        pause(process)
        states += states_of_threads(process)
        process.send(Signals.SIGCONT)
    await process.stop(0)

    assert set(states) == {"T"}
