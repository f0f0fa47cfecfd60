"""The origins that users knows, for services whose other peers do not register applications."""

from __future__ import annotations

from portico_contracts.users import CHECK_ORIGIN, CheckOrigin, OriginChecked

from portico_fakes.memory_bus import MemoryBus


def know_origins(bus: MemoryBus, *origins: str) -> None:
    async def check(ask: CheckOrigin) -> OriginChecked:
        return OriginChecked(known=ask.origin in origins)

    bus.respond(CHECK_ORIGIN, check)
