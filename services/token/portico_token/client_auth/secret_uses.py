"""Reports which client secrets are in use."""

from __future__ import annotations

from typing import Final

import structlog
from portico_contracts.users import SECRET_USED, Client, SecretUsed, secret_name
from portico_oauth.errors import ServiceError
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock

log = structlog.get_logger("portico.secret_uses")

EVERY: Final = 3600.0
"""Seconds in which a replica reports the use of a secret once, so that requests cost nothing more."""

_REMEMBERED: Final = 10_000
"""Secrets in memory; without them a use is reported again."""


class SecretUses:
    def __init__(self, bus: Bus, clock: Clock) -> None:
        self._bus = bus
        self._clock = clock
        self._reported: dict[str, float] = {}

    async def note(self, client: Client, secret_hash: str) -> None:
        """Sends a message without waiting for a response; never fails."""
        now = self._clock.now()
        if now - self._reported.get(secret_hash, 0.0) < EVERY:
            return
        if len(self._reported) >= _REMEMBERED:
            self._reported.clear()
        self._reported[secret_hash] = now
        try:
            await self._bus.send(
                SECRET_USED, SecretUsed(client_id=client.client_id, name=secret_name(secret_hash), at=now)
            )
        except ServiceError as error:
            log.info("use of a secret not reported", client_id=client.client_id, cause=error.private)
