"""The client address of the current call, for rules by network (decision 0145)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_FIND: Final[ContextVar[Callable[[], str] | None]] = ContextVar("caller_address", default=None)
"""Reads it when it is needed, which is seldom; a context variable, so that commands need not pass it on."""


@contextmanager
def called_from(find: Callable[[], str]) -> Iterator[None]:
    token = _FIND.set(find)
    try:
        yield
    finally:
        _FIND.reset(token)


def caller_address() -> str:
    """An IPv4 address or an IPv6 network of 64 bits; empty for calls of the operator, and if unknown."""
    find = _FIND.get()
    return find() if find else ""
