from __future__ import annotations

import signal

from portico_harness.interrupts import accept_interrupts


def test_run_in_the_background_accepts_interrupts() -> None:
    """Its programs inherit what it ignores: one that a test stops by SIGINT would never end."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        accept_interrupts()
        after = signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)

    assert after is signal.default_int_handler
