from __future__ import annotations

import signal


def accept_interrupts() -> None:
    """A shell without job control lets what it starts in the background ignore SIGINT.

    Programs of tests would inherit that, and a test that stops one by SIGINT would never end.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
