"""Reports which trusted workloads are in use: an event states that the token can be used again until it expires."""

from __future__ import annotations

from typing import Final

import structlog
from portico_contracts.users import WORKLOAD_USED, Client, TrustedWorkload, WorkloadUsed
from portico_oauth.errors import ServiceError
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock

log = structlog.get_logger("portico.workloads")

EVERY: Final = 3600.0
"""Seconds in which a replica reports the use of a trusted workload once, so that requests cost nothing more."""

_REMEMBERED: Final = 10_000
"""Trusted workloads in memory; without them a use is reported again."""


class WorkloadUses:
    def __init__(self, bus: Bus, clock: Clock) -> None:
        self._bus = bus
        self._clock = clock
        self._reported: dict[tuple[str, str], float] = {}

    async def note(self, client: Client, workload: TrustedWorkload) -> None:
        """Sends a message without waiting for a response; never fails."""
        now, key = self._clock.now(), (client.client_id, workload.name)
        if now - self._reported.get(key, 0.0) < EVERY:
            return
        if len(self._reported) >= _REMEMBERED:
            self._reported.clear()
        self._reported[key] = now
        used = WorkloadUsed(client_id=client.client_id, workload=workload.name, issuer=workload.issuer, at=now)
        try:
            await self._bus.send(WORKLOAD_USED, used)
        except ServiceError as error:
            log.info("use of a trusted workload not reported", client_id=client.client_id, cause=error.private)
