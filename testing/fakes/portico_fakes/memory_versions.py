"""`Versions` of the versioned cache in memory, for the owner and for the readers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from portico_oauth.errors import UNAVAILABLE
from portico_runtime.process.clock import Clock
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.keys import MARK_SECONDS, VersionKey


@dataclass
class Marked:
    """A cached value that is being changed: its pending changes with their start, and whether they overlapped."""

    since: dict[str, float]
    overlapped: bool = False


@dataclass
class MemoryVersions:
    """Implements `portico_runtime.versioned_cache.versions.Versions` and `lease.VersionReader`.

    Attributes:
        broken: reads and writes fail.
        outlasted: how often a change has waited for the leases of readers.
    """

    clock: Clock
    stored: dict[VersionKey, str | Marked] = field(default_factory=dict)
    broken: bool = False
    settlings: int = 0
    outlasted: int = 0

    async def begin(self, change: str, facts: Iterable[VersionKey]) -> None:
        self._check()
        for fact in facts:
            was = self.stored.get(fact)
            if not isinstance(was, Marked):
                self.stored[fact] = Marked({change: self.clock.now()})
            elif change not in was.since:
                was.since[change], was.overlapped = self.clock.now(), True

    async def finish(self, change: str, facts: Mapping[VersionKey, str]) -> None:
        self._check()
        for fact, version in facts.items():
            was = self.stored.get(fact)
            if isinstance(was, Marked) and list(was.since) == [change] and not was.overlapped and version:
                self.stored[fact] = version
                continue
            if isinstance(was, Marked):
                was.since.pop(change, None)
                was.overlapped = True
                if self._is_under_way(was):
                    continue
            self.stored[fact] = f"?{change}"

    async def settle(self, fact: VersionKey, seen: str, read: Callable[[], Awaitable[str]]) -> None:
        self._check()
        was = self.stored.get(fact, "")
        if self.text_of(fact) != seen or (isinstance(was, Marked) and self._is_under_way(was)):
            return
        self.settlings += 1
        mine = was if isinstance(was, str) and was.startswith("?") else f"?{self.settlings}"
        self.stored[fact] = mine
        version = await read()
        self._check()
        if version and self.stored.get(fact) == mine:
            self.stored[fact] = version

    async def outlast_leases(self) -> None:
        self.outlasted += 1

    async def read(self, user_id: str) -> str:
        self._check()
        return self.text_of(keys.user(user_id))

    async def read_any(self) -> str:
        self._check()
        return self.text_of(keys.anything())

    async def read_all(self) -> dict[str, str]:
        self._check()
        return {fact.field: self.text_of(fact) for fact in self.stored if fact.slot == keys.DIRECTORY}

    def text_of(self, fact: VersionKey) -> str:
        """Returns the version, or the text of the pending changes, or ""."""
        found = self.stored.get(fact, "")
        if isinstance(found, str):
            return found
        return "".join(f"~{change}@{int(since)}" for change, since in found.since.items())

    def _is_under_way(self, marked: Marked) -> bool:
        return any(self.clock.now() - since < MARK_SECONDS for since in marked.since.values())

    def _check(self) -> None:
        if self.broken:
            raise UNAVAILABLE.error(retry_after=1, part="redis")
