"""The ledger of agents: which of them may act for whom, since when, by what, and when they last did (decision 0154).

What users allowed is read from their records, which the event log follows; there is no second copy of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec
from portico_runtime.mongo.client import Database, guarded

from portico_users.accounts.store import ACCOUNTS, MongoAccounts
from portico_users.applications.app_record import App
from portico_users.applications.store import MongoApps
from portico_users.end_users.end_user import AllowedScopes, usable_consent
from portico_users.outside_servers.server import MongoOutsideServers
from portico_users.sessions.agent_uses import ACTING, AGENT_USES, BY_RULE, IN_FORCE, OUTSIDE, AgentUse, AgentUses
from portico_users.storage.entry import NOT_DELETED, Document
from portico_users.storage.listing import Page, page_of_rows
from portico_users.values.records import State


class Wanted(NamedTuple):
    """Conditions; those that are empty match all, `org_ids` of None all organizations."""

    org_ids: tuple[str, ...] | None
    user_id: str = ""
    client_id: str = ""
    host: str = ""
    api: str = ""


class AgentEntry(NamedTuple):
    """An agent of a user; `allowed` is None where an administrator, `actor`, acted through it.

    It is None as well where the rule of an outside server, `server`, gave it assertions, and where assertions of an
    identity provider, `provider`, are accepted for it.
    """

    user_id: str
    user_org_id: str
    client_id: str
    allowed: AllowedScopes | None
    actor: str
    server: str
    provider: str
    since: float
    uses: tuple[AgentUse, ...]


@dataclass(frozen=True, slots=True)
class AgentLedger:
    database: Database
    apps: MongoApps
    accounts: MongoAccounts
    uses: AgentUses

    async def list_page(self, wanted: Wanted, page: Page) -> tuple[int, list[AgentEntry]]:
        """Returns how many entries there are, and a page of them. Raises `unavailable`."""
        agents = _is_agent(wanted, await self._registered())
        steps = [
            *_consents(wanted, agents),
            {"$unionWith": {"coll": AGENT_USES, "pipeline": _noted(ACTING, wanted, agents)}},
            {"$unionWith": {"coll": AGENT_USES, "pipeline": _noted(OUTSIDE, wanted, agents)}},
            {"$unionWith": {"coll": AGENT_USES, "pipeline": _noted(BY_RULE, wanted, _is_client(wanted))}},
        ]
        rows = self.database[ACCOUNTS.name]
        async with guarded():
            total, found = await page_of_rows(rows, steps, page, "userId", "clientId", "actor", "server", "provider")
        uses = await self.uses.list_of((row["userId"], row["clientId"]) for row in found)
        return total, [_entry(row, uses.get((row["userId"], row["clientId"]), ())) for row in found]

    async def count(self, wanted: Wanted) -> int:
        return (await self.list_page(wanted, Page(0, 1, "at", ascending=False)))[0]

    async def _registered(self) -> list[str]:
        return [row["clientId"] for row in await self.apps.list_fields({"agent": True}, ("clientId",), None)]


def _is_agent(wanted: Wanted, registered: Sequence[str]) -> Document:
    """A condition of client ids: of registered agents, and of the URLs of metadata documents."""
    if wanted.client_id:
        known = wanted.client_id in registered or wanted.client_id.startswith("https://")
        return {"$eq": wanted.client_id} if known else {"$in": []}
    if wanted.host:
        return {"$regex": f"^https://{re.escape(wanted.host)}(:[0-9]+)?/"}
    return {"$in": [*registered, re.compile("^https://")]}


def _is_client(wanted: Wanted) -> Document:
    """A condition of client ids: a rule names any application, and none with a metadata document."""
    if wanted.client_id:
        return {"$eq": wanted.client_id}
    return {"$in": []} if wanted.host else {"$exists": True}


def _consents(wanted: Wanted, agents: Document) -> list[Document]:
    users: Document = {"consents.clientId": agents, "state": {"$ne": State.DELETED.value}}
    if wanted.org_ids is not None:
        users["orgId"] = {"$in": list(wanted.org_ids)}
    if wanted.user_id:
        users["_id"] = wanted.user_id
    if wanted.api:
        users["consents.ofApis.api"] = wanted.api
    consents: Document = {"consents.clientId": agents}
    if wanted.api:
        consents["consents.ofApis.api"] = wanted.api
    shown = {"_id": 0, "userId": "$_id", "orgId": 1, "clientId": "$consents.clientId", "allowed": "$consents"}
    return [
        # The index has only users with consents.
        {"$match": {"$and": [{"consents.clientId": {"$exists": True}}, users]}},
        {"$project": {"orgId": 1, "consents": 1}},
        {"$unwind": "$consents"},
        {"$match": consents},
        {"$project": {**shown, "actor": {"$literal": ""}, **_NONE, "at": "$consents.at"}},
    ]


def _noted(kind: Document, wanted: Wanted, agents: Document) -> list[Document]:
    """What no consent shows: acting for users, or assertions for outside servers."""
    uses: Document = {**kind, **IN_FORCE, "clientId": agents}
    if wanted.org_ids is not None:
        uses["orgId"] = {"$in": list(wanted.org_ids)}
    if wanted.user_id:
        uses["userId"] = wanted.user_id
    if wanted.api:
        uses["api"] = wanted.api
    each: Document = {name: f"${name}" for name in ("userId", "orgId", "clientId", "actor")}
    each |= {name: {"$ifNull": [f"${name}", ""]} for name in _NONE}
    return [
        {"$match": uses},
        {"$group": {"_id": each, "at": {"$max": "$at"}, "since": {"$min": "$since"}}},
        {"$replaceWith": {"$mergeObjects": ["$_id", {"at": "$at", "since": "$since"}]}},
    ]


_NONE: Final[Document] = {"server": {"$literal": ""}, "provider": {"$literal": ""}}


def _entry(row: Document, uses: Sequence[AgentUse]) -> AgentEntry:
    allowed = usable_consent(msgspec.convert(row["allowed"], AllowedScopes)) if "allowed" in row else None
    return AgentEntry(
        user_id=row["userId"],
        user_org_id=row["orgId"],
        client_id=row["clientId"],
        allowed=allowed,
        actor=row["actor"],
        server=row["server"],
        provider=row["provider"],
        since=(allowed.since or allowed.at) if allowed else row["since"],
        uses=tuple(use for use in uses if all(getattr(use, name) == row[name] for name in ("actor", *_NONE))),
    )


class Shown(NamedTuple):
    """Applications and users that entries name."""

    apps: dict[str, App]
    names: dict[str, str]
    servers: dict[str, str]


async def names_of(
    entries: Sequence[AgentEntry], apps: MongoApps, accounts: MongoAccounts, outside: MongoOutsideServers
) -> Shown:
    client_ids = {one.client_id for one in entries}
    client_ids |= {name for one in entries for use in one.uses for name in (use.api, use.via) if name}
    client_ids |= {scope.api for one in entries if one.allowed for scope in one.allowed.of_apis}
    found = await apps.list_where({"clientId": {"$in": list(client_ids)}}, None) if client_ids else []
    names = await accounts.find_names(id for one in entries for id in (one.user_id, one.actor))
    ids = list({one.server for one in entries if one.server})
    rows = await outside.list_fields({"_id": {"$in": ids}, **NOT_DELETED}, ("name",), None) if ids else []
    return Shown({app.client_id: app for app in found}, names, {row["_id"]: row["name"] for row in rows})
