from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from portico_oauth.clock_leeway import CLOCK_LEEWAY

_BEGAN: Final[ContextVar[float]] = ContextVar("session_began", default=0.0)
"""Of the session of the current call; a context variable, so that commands need not pass it on."""


@contextmanager
def in_session(began: float) -> Iterator[None]:
    """Makes changes in the block count as changes in a session that began then (unix seconds; 0 for none)."""
    token = _BEGAN.set(began)
    try:
        yield
    finally:
        _BEGAN.reset(token)


def session_start(at: float) -> float:
    """Returns the time from which changes may be of the session of a change ``at`` that time; 0 without a session.

    The leeway is for the clock of authz, which has the session.
    """
    began = _BEGAN.get()
    return min(at, began - CLOCK_LEEWAY) if began else 0.0
