"""What tokens of agents were issued for, to within an hour: written from reports of token, outside of any request."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from portico_contracts.users import AgentUsed, ClientKind
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, DESCENDING, IndexModel, UpdateOne

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.store import MongoApps
from portico_users.end_users.end_user import EndUser
from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes
from portico_users.values.names import derived_id

AGENT_USES: Final = "agentUses"

KEPT: Final = timedelta(days=400)

MOST_APIS: Final = 20
"""APIs of one token that are stored."""

ACTING: Final[Document] = {"actor": {"$gt": ""}}
"""The condition of the index for administrators who act for users."""

OUTSIDE: Final[Document] = {"server": {"$gt": ""}}
"""The condition of the index for assertions for outside servers (decision 0153)."""

BY_RULE: Final[Document] = {"provider": {"$gt": ""}}
"""The condition of the index for identity assertions that a rule accepts (decision 0157)."""

AGENT_USE_INDEXES: Final[Indexes] = {
    AGENT_USES: (
        IndexModel([("userId", ASCENDING), ("clientId", ASCENDING)]),
        IndexModel([("orgId", ASCENDING), ("clientId", ASCENDING)], partialFilterExpression=ACTING),
        IndexModel([("orgId", ASCENDING), ("server", ASCENDING)], partialFilterExpression=OUTSIDE),
        IndexModel([("orgId", ASCENDING), ("provider", ASCENDING)], partialFilterExpression=BY_RULE),
        IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),
    ),
}

IN_FORCE: Final[Document] = {"$expr": {"$gt": ["$at", {"$ifNull": ["$endedAt", 0]}]}}
"""Finds uses since access was last ended: a report may arrive later than that."""


class AgentUse(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Tokens for an API; `api` is empty for no API, `via` for none but the agent, `actor` for the user.

    `server` is the id of the outside server that assertions are for, empty for tokens.
    `since` is the first use after access was last ended.
    `provider` is the identity provider whose assertions the tokens were issued for, empty for what the user allowed.
    """

    user_id: str
    client_id: str
    api: str
    via: str
    actor: str
    scope: tuple[str, ...]
    at: float
    since: float
    server: str = ""
    provider: str = ""


Acting = tuple[str, str]
"""A user and an agent."""


@dataclass(frozen=True, slots=True)
class AgentUses:
    database: Database
    accounts: MongoAccounts
    apps: MongoApps
    clock: Clock

    async def note(self, used: AgentUsed) -> None:
        """Stores the time for each API, if it is later. Raises `unavailable`."""
        account = await self.accounts.find_active(used.user_id)
        if account is None:
            return
        # Other members of an audience are resources of the same APIs, the project, and the application.
        question = {"clientId": {"$in": list(used.audience)}, "kind": ClientKind.API.value}
        apis = [app.client_id for app in await self.apps.list_where(question, MOST_APIS)]
        writes = [_write(used, account.user.org_id, api) for api in apis or [""]]
        async with guarded():
            await self.database[AGENT_USES].bulk_write(writes, ordered=False)

    async def note_assertion(self, user: EndUser, client_id: str, server_id: str, scope: tuple[str, ...]) -> None:
        """Stores the time of an assertion of an agent for an outside server. Raises `unavailable`."""
        used = AgentUsed(user_id=user.id, client_id=client_id, audience=(), scope=scope, at=self.clock.now())
        async with guarded():
            await self.database[AGENT_USES].bulk_write([_write(used, user.org_id, "", server_id)], ordered=False)

    async def end(self, user_id: str, client_ids: Collection[str]) -> None:
        """The end of access by a rule is not forgotten, because a new assertion would begin it again.

        The clock of token may be ahead: what was stored so far is from before.
        """
        of_clients: Document = {"userId": user_id, "clientId": {"$in": list(client_ids)}}
        uses, ended = self.database[AGENT_USES], [{"$set": {"endedAt": {"$max": ["$at", self.clock.now()]}}}]
        async with guarded():
            await uses.update_many(of_clients, ended)
            await uses.update_many({**of_clients, **BY_RULE}, {"$unset": {"forgetAt": ""}})

    async def find_end(self, user_id: str, client_id: str, provider: str) -> float:
        """Returns when access by rules of the provider was ended last, in seconds since 1970; 0 if it never was."""
        question = {"userId": user_id, "clientId": client_id, "provider": provider}
        async with guarded():
            row = await self.database[AGENT_USES].find_one(question, {"endedAt": 1}, sort=[("endedAt", DESCENDING)])
        return float((row or {}).get("endedAt", 0))

    async def list_of(self, wanted: Iterable[Acting]) -> Mapping[Acting, tuple[AgentUse, ...]]:
        """Returns the uses by user and agent, the latest first."""
        pairs = list(dict.fromkeys(wanted))
        if not pairs:
            return {}
        one_of = [{"userId": user_id, "clientId": client_id} for user_id, client_id in pairs]
        async with guarded():
            rows = await self.database[AGENT_USES].find({"$or": one_of, **IN_FORCE}).sort("at", -1).to_list(None)
        found: dict[Acting, list[AgentUse]] = {}
        for row in rows:
            found.setdefault((row["userId"], row["clientId"]), []).append(msgspec.convert(row, AgentUse))
        return {pair: tuple(uses) for pair, uses in found.items()}


def _write(used: AgentUsed, org_id: str, api: str, server: str = "") -> UpdateOne:
    names = {"userId": used.user_id, "clientId": used.client_id, "api": api, "via": used.via, "actor": used.actor}
    names |= {"server": server} if server else {}
    names |= {"provider": used.provider} if used.provider else {}
    forget, ended = datetime.fromtimestamp(used.at, UTC) + KEPT, {"$ifNull": ["$endedAt", 0]}
    is_again = {"$and": [{"$lt": ["$since", used.at]}, {"$gte": [ended, "$since"]}, {"$lt": [ended, used.at]}]}
    values: Document = {
        **{name: {"$literal": value} for name, value in names.items()},
        "orgId": {"$ifNull": ["$orgId", {"$literal": org_id}]},
        "scope": {"$literal": list(used.scope)},
        "at": {"$max": ["$at", used.at]},
        "forgetAt": {"$max": ["$forgetAt", forget]},
        "since": {"$cond": [is_again, used.at, {"$ifNull": ["$since", used.at]}]},
    }
    return UpdateOne({"_id": derived_id("agent use", "\n".join(names.values()), 0)}, [{"$set": values}], upsert=True)
