"""Calls that return when no other service uses any longer what it read before the change (decision 0136)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from portico_oauth.errors import ServiceError
from portico_runtime.versioned_cache.versions import Versions


@dataclass(slots=True)
class _Changes:
    """`relied_on`: one of the changes of a call is one that other services may not have yet."""

    relied_on: bool = False


_CHANGES: Final[ContextVar[_Changes | None]] = ContextVar("changes_under_leases", default=None)
"""Of the outermost block; a context variable, so that commands need not pass it on."""


@dataclass(frozen=True, slots=True)
class Leases:
    versions: Versions

    @asynccontextmanager
    async def outlasted(self) -> AsyncIterator[None]:
        """Waits once, at the end of the outermost block, if something in it was changed that others rely on."""
        if _CHANGES.get() is not None:
            yield
            return
        changes = _Changes()
        token = _CHANGES.set(changes)
        try:
            yield
        except ServiceError:  # some of the changes may be written
            await self._outlast(changes)
            raise
        finally:
            _CHANGES.reset(token)
        await self._outlast(changes)

    def note(self) -> None:
        """Something was changed; called within a block, after its version was written."""
        changes = _CHANGES.get()
        if changes is None:
            raise AssertionError("a change under a lease outside of a block that waits for the lease")
        changes.relied_on = True

    async def _outlast(self, changes: _Changes) -> None:
        if changes.relied_on:
            await self.versions.outlast_leases()
