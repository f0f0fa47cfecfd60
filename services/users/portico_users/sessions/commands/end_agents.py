from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_contracts.token import REVOKE_USER_CLIENT, RevokeUserClient

from portico_users.bus import Bus
from portico_users.journal.command import Command
from portico_users.sessions.agent_uses import AgentUses
from portico_users.sessions.commands.consents import Consents

_AT_ONCE: Final = 8


class EndedAgents(NamedTuple):
    entries: int
    grants: int


@dataclass(frozen=True, slots=True)
class EndAgents(Command):
    """Ends what agents may do for users: consent, grants, and all tokens at once (decision 0154)."""

    bus: Bus
    consents: Consents
    uses: AgentUses

    async def __call__(self, user_id: str, client_ids: Collection[str], *, actor: str) -> EndedAgents:
        """When it returns, nothing that was begun before has a token. A failed call can be repeated."""
        grants = await self._revoke(user_id, client_ids)
        # After the tokens, so that a failed call can be repeated; then again those that were issued meanwhile.
        await self.consents.withdraw(user_id, client_ids, actor=actor)
        grants += await self._revoke(user_id, client_ids)
        await self.uses.end(user_id, client_ids)
        return EndedAgents(len(client_ids), grants)

    async def of_all(self, agents: Mapping[str, Collection[str]], *, actor: str) -> EndedAgents:
        """The same for several users, by their ids."""
        turns = asyncio.Semaphore(_AT_ONCE)

        async def end(user_id: str) -> EndedAgents:
            async with turns:
                return await self(user_id, agents[user_id], actor=actor)

        ended = await asyncio.gather(*map(end, agents))
        return EndedAgents(sum(one.entries for one in ended), sum(one.grants for one in ended))

    async def _revoke(self, user_id: str, client_ids: Collection[str]) -> int:
        asked = [RevokeUserClient(user_id=user_id, client_id=client_id) for client_id in client_ids]
        return sum([(await self.bus.call(REVOKE_USER_CLIENT, ask)).grants for ask in asked])
