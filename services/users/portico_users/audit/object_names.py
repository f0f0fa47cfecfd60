"""What the objects that events name are called now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from portico_runtime.mongo.client import Database, guarded

from portico_users.accounts.store import ACCOUNTS
from portico_users.administrators.member import MEMBERS
from portico_users.administrators.permissions import Scope
from portico_users.applications.store import APPS
from portico_users.groups.group import GROUPS
from portico_users.identity_providers.store import IDPS
from portico_users.organizations.org import ORGS
from portico_users.outside_servers.server import OUTSIDE_SERVERS
from portico_users.projects.project_grants import PROJECT_GRANTS
from portico_users.projects.store import PROJECTS
from portico_users.scim.connection import SCIM_CONNECTIONS
from portico_users.scim_targets.target import SCIM_TARGETS
from portico_users.storage.entry import Document
from portico_users.values.records import State
from portico_users.webhooks.store import WEBHOOK_TABLE

NAMED_TABLES: Final = frozenset(
    table.name
    for table in (
        *(
            ACCOUNTS,
            APPS,
            GROUPS,
            IDPS,
            MEMBERS,
            ORGS,
            OUTSIDE_SERVERS,
            PROJECTS,
            PROJECT_GRANTS,
            SCIM_CONNECTIONS,
            SCIM_TARGETS,
            WEBHOOK_TABLE,
        ),
    )
)

_MEMBERS: Final = (
    *("orgId", "state", "type", "name", "displayName", "userName", "primaryDomain"),
    *("projectId", "userId", "scope", "scopeId", "grantedOrgId"),
)
_PARENTS: Final[Mapping[str, str]] = {"projectId": PROJECTS.name, "userId": ACCOUNTS.name, "grantedOrgId": ORGS.name}
_SCOPES: Final[Mapping[str, str]] = {
    Scope.ORGANIZATION.value: ORGS.name,
    Scope.PROJECT.value: PROJECTS.name,
    Scope.PROJECT_GRANT.value: PROJECT_GRANTS.name,
}

Reference = tuple[str, str]


class NamedObject(NamedTuple):
    table: str
    id: str
    org_id: str = ""
    name: str = ""
    login_name: str = ""
    service_user: bool = False
    removed: bool = False
    related: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectNames:
    """Looks up names with two reads for all objects of a page."""

    database: Database

    async def find(self, wanted: Iterable[Reference]) -> dict[Reference, NamedObject]:
        found = await self._read(set(wanted))
        parents = set(chain.from_iterable(_related(reference[0], row) for reference, row in found.items()))
        homes = {(ORGS.name, row["orgId"]) for (table, _), row in found.items() if table == ACCOUNTS.name}
        found |= await self._read((parents | homes) - set(found))
        return {reference: _named(reference, row, found) for reference, row in found.items()}

    async def _read(self, wanted: set[Reference]) -> dict[Reference, Document]:
        ids: dict[str, list[str]] = {}
        for table, id in sorted(wanted):
            if table in NAMED_TABLES:
                ids.setdefault(table, []).append(id)
        if not ids:
            return {}
        (first, steps), *others = ((table, _steps(table, of_table)) for table, of_table in ids.items())
        united = [{"$unionWith": {"coll": table, "pipeline": part}} for table, part in others]
        async with guarded():
            rows: list[Document] = await self.database[first].aggregate([*steps, *united]).to_list(len(wanted))
        return {(row["_table"], row["_id"]): row for row in rows}


def _steps(table: str, ids: list[str]) -> list[Document]:
    shown = {"$project": dict.fromkeys(_MEMBERS, 1) | {"_table": {"$literal": table}}}
    return [{"$match": {"_id": {"$in": ids}}}, shown]


def _related(table: str, row: Document) -> tuple[Reference, ...]:
    if table not in (APPS.name, PROJECT_GRANTS.name, MEMBERS.name):
        return ()
    parents = [(kind, row[member]) for member, kind in _PARENTS.items() if member in row]
    if kind := _SCOPES.get(row.get("scope", "")):
        parents.append((kind, row["scopeId"]))
    return tuple(parents)


def _named(reference: Reference, row: Document, found: Mapping[Reference, Document]) -> NamedObject:
    table, id = reference
    org = found.get((ORGS.name, row["orgId"])) if table == ACCOUNTS.name else None
    user_name = row.get("userName", "") if org else ""
    return NamedObject(
        table=table,
        id=id,
        org_id=row["orgId"],
        name=row.get("displayName") or row.get("name", ""),
        login_name=f"{user_name}@{org['primaryDomain']}" if user_name and org else "",
        service_user=row.get("type") == "machine",
        removed=row.get("state") == State.DELETED.value,
        related=_related(table, row),
    )
