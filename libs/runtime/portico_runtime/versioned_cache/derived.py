"""What a service computes from cached data of a user, kept while all of that data is current."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.dated import Asked, Dated
from portico_runtime.versioned_cache.lease import Lease
from portico_runtime.versioned_cache.remembered import Remembered

Facts = TypeVar("Facts")


class Derived(Remembered[Facts]):
    """Begin before anything is read, with the version of the user in Redis, and read everything with this version.

    A result depends on everything except other users, and is as old as the oldest data that it was computed from.
    """

    def __init__(
        self, kind: type[Facts], lease: Lease, *, most: int, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(kind, lease, _asked, most=most, monotonic=monotonic)

    def find(self, key: str, version: str) -> Facts | None:
        """Returns a current result; None without one."""
        entry = self._entries.get(key)
        if entry is None or not version or not self._is_current(entry, version):
            return None
        entry.unused = 0
        return self._decode(memoryview(entry.stored)[len(version) + 1 :])

    def keep(self, key: str, version: str, facts: Facts, asked: Asked, *sources: int | None) -> None:
        """Keeps a result; `version` is that of the record, and of Redis before anything was read.

        `sources` are the seconds in which users returned or confirmed what is cached of it.
        """
        seconds = [second for second in sources if second is not None]
        self.remember(key, Dated(facts, version, keys.ANY), asked._replace(second=min([asked.second, *seconds])))


async def _asked(_key: str, _version: str) -> Dated[Facts]:
    raise AssertionError("a result is computed here, and never requested")
