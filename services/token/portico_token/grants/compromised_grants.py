from __future__ import annotations

import structlog
from portico_contracts.events import GRANT_COMPROMISED, GrantCompromised
from portico_oauth.errors import ServiceError
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock

from portico_token.domain.grants import GrantStore

log = structlog.get_logger("portico.token")


class CompromisedGrants:
    def __init__(self, bus: Bus, grants: GrantStore, clock: Clock) -> None:
        self._bus = bus
        self._grants = grants
        self._clock = clock

    async def revoke(self, grant_id: str, client_id: str, user_id: str = "") -> None:
        """Revokes a grant, even if it is saved later, and publishes the event the first time."""
        if await self._grants.revoke(grant_id):
            await self.publish(grant_id, client_id, user_id)

    async def publish(self, grant_id: str, client_id: str, user_id: str) -> None:
        event = GrantCompromised(
            event_id=f"grant-compromised-{grant_id}",
            grant_id=grant_id,
            client_id=client_id,
            user_id=user_id,
            at=self._clock.now(),
        )
        log.warning("grant compromised", client=client_id, user=user_id)
        try:
            await self._bus.publish(GRANT_COMPROMISED, event, event_id=event.event_id)
        except ServiceError:
            log.warning("event of a compromised grant not published")
