"""Origins of applications, which may read the key set with credentials (decision 0118)."""

from __future__ import annotations

from portico_contracts.users import CHECK_ORIGIN, CheckOrigin
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock
from portico_runtime.versioned_cache.read_cache import ReadCache


class RegisteredOrigins:
    """Cached for a second."""

    def __init__(self, bus: Bus, clock: Clock) -> None:
        self._bus = bus
        self._origins: ReadCache[bool] = ReadCache(clock, self._load, name="origins")

    async def has(self, origin: str) -> bool:
        """Raises `unavailable` when users cannot be reached."""
        return await self._origins.get(origin)

    async def _load(self, origin: str) -> bool:
        return (await self._bus.call(CHECK_ORIGIN, CheckOrigin(origin=origin))).known
