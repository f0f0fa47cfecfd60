"""Reports which agents get tokens of which users (decision 0154)."""

from __future__ import annotations

from typing import Final

import structlog
from portico_contracts.users import AGENT_USED, AgentUsed
from portico_oauth.errors import ServiceError
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock

from portico_token.grants.results import ExchangedToken, GrantResult

log = structlog.get_logger("portico.agent_uses")

EVERY: Final = 3600.0
"""Seconds in which a replica reports the same use once, so that requests cost nothing more."""

_REMEMBERED: Final = 20_000
"""Uses in memory; without them a use is reported again."""


class AgentUses:
    def __init__(self, bus: Bus, clock: Clock) -> None:
        self._bus = bus
        self._clock = clock
        self._reported: dict[tuple[object, ...], float] = {}

    async def note(self, granted: GrantResult) -> None:
        """Sends a message about tokens of an agent without waiting for a response; never fails."""
        grant, client = granted.grant, granted.client
        if isinstance(granted, ExchangedToken) and granted.of_agent:
            agent, via = grant.client_id, client.client_id
        elif client.agent or grant.asserted is not None:
            agent, via = client.client_id, ""
        else:
            return
        audience, now = granted.access_token.audience, self._clock.now()
        provider = grant.asserted.provider_id if grant.asserted else ""
        use = (grant.user_id, agent, via, grant.actor, audience, provider)
        if now - self._reported.get(use, 0.0) < EVERY:
            return
        if len(self._reported) >= _REMEMBERED:
            self._reported.clear()
        self._reported[use] = now
        used = AgentUsed(
            user_id=grant.user_id,
            client_id=agent,
            audience=audience,
            scope=granted.access_token.scope,
            at=now,
            via=via,
            actor=grant.actor,
            provider=provider,
        )
        try:
            await self._bus.send(AGENT_USED, used)
        except ServiceError as error:
            log.info("use of an agent not reported", client_id=agent, cause=error.private)
