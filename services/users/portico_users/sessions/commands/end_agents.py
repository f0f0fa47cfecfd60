from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from portico_contracts.activities.sign_ins import AGENTS, ENDED
from portico_contracts.events import AGENT_ENDED, Changed
from portico_contracts.token import REVOKE_USER_CLIENT, RevokeUserClient

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.store import MongoApps
from portico_users.bus import Bus
from portico_users.journal.command import Command
from portico_users.journal.event_recorder import Occurrence
from portico_users.journal.journal import Journal
from portico_users.sessions.agent_uses import AgentUses
from portico_users.sessions.commands.consents import Consents
from portico_users.storage.entry import Work

_AT_ONCE: Final = 8


class EndedAgents(NamedTuple):
    entries: int
    grants: int


@dataclass(frozen=True, slots=True)
class _Events:
    """What happened, for whom, at which application, and by whom; `apps` are ids by client id."""

    journal: Journal
    user_id: str
    org_id: str
    apps: Mapping[str, str]
    actor: str

    def work(self, client_id: str) -> Work:
        return self.journal.publication(
            AGENT_ENDED, partial(self._made, client_id), about=self.user_id, logged=self._logged(client_id)
        )

    async def publish(self, client_id: str) -> None:
        await self.journal.publish(
            AGENT_ENDED, partial(self._made, client_id), about=self.user_id, logged=self._logged(client_id)
        )

    def _made(self, client_id: str, *, event_id: str, at: float) -> Changed:
        return Changed(
            event_id=event_id,
            aggregate_id=event_id,
            org_id=self.org_id,
            sequence=1,
            at=at,
            actor=self.actor,
            action=ENDED,
            user_id=self.user_id,
            client_id=client_id,
            app_id=self.apps.get(client_id, ""),
        )

    def _logged(self, client_id: str) -> Occurrence:
        values = {"userId": self.user_id, "clientId": client_id, "appId": self.apps.get(client_id, "")}
        kept = {name: value for name, value in values.items() if value}
        return Occurrence(AGENTS, self.org_id, ENDED, kept, self.actor)


@dataclass(frozen=True, slots=True)
class EndAgents(Command):
    """Ends what agents may do for users: consent, grants, and all tokens at once (decision 0154).

    Each ended agent is an event, with the consent where there is one.
    """

    bus: Bus
    consents: Consents
    uses: AgentUses
    accounts: MongoAccounts
    apps: MongoApps
    journal: Journal

    async def __call__(self, user_id: str, client_ids: Collection[str], *, actor: str) -> EndedAgents:
        """When it returns, nothing that was begun before has a token. A failed call can be repeated."""
        grants = await self._revoke(user_id, client_ids)
        written = await self._events(user_id, client_ids, actor)
        # After the tokens, so that a failed call can be repeated; then again those that were issued meanwhile.
        allowed = await self.consents.withdraw(user_id, client_ids, actor=actor, written=written.work)
        grants += await self._revoke(user_id, client_ids)
        for client_id in client_ids:
            if client_id not in allowed:  # an administrator acted through it
                await written.publish(client_id)
        await self.uses.end(user_id, client_ids)
        return EndedAgents(len(client_ids), grants)

    async def _events(self, user_id: str, client_ids: Collection[str], actor: str) -> _Events:
        user = await self.accounts.find(user_id)
        apps = await self.apps.list_where({"clientId": {"$in": list(client_ids)}}, None)
        ids = {app.client_id: app.id for app in apps}
        return _Events(self.journal, user_id, user.org_id if user else "", ids, actor)

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
