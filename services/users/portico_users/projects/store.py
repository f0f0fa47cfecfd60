"""Projects in MongoDB, and which of them are active."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_contracts.events import PROJECT_CHANGED
from portico_oauth.errors import ErrorCode, Kind
from pymongo import ASCENDING, IndexModel

from portico_users.organizations.org import MongoOrgs, Org
from portico_users.projects.project import Project
from portico_users.storage.entry import Document, Table
from portico_users.storage.name_order import name_indexes
from portico_users.storage.reader import Reader
from portico_users.storage.schema import listing_indexes
from portico_users.values.names import canonical
from portico_users.values.records import State, name_key
from portico_users.values.word_keys import word_indexes, word_keys

PROJECT_NOT_FOUND = ErrorCode("USER-705", Kind.NOT_FOUND, "Project not found.", "Check the id of the project.")


def _keys(project: Project) -> Document:
    is_deleted = project.state is State.DELETED
    return {"nameKey": name_key(project, project.name), **word_keys((project.name,), deleted=is_deleted)}


PROJECTS: Final[Table[Project]] = Table(
    "projects",
    Project,
    PROJECT_CHANGED,
    _keys,
    indexes=(
        IndexModel([("orgId", ASCENDING), ("nameKey", ASCENDING)], unique=True),
        *listing_indexes("nameKey", owners=("orgId",)),
        *name_indexes("nameKey", "orgId"),
        *word_indexes(),
    ),
)


class MongoProjects(Reader[Project]):
    table = PROJECTS

    async def find_by_name(self, org_id: str, name: str) -> Project | None:
        return await self.find_where({"orgId": org_id, "nameKey": canonical(name)})


class OwnedProject(NamedTuple):
    """An active project with its active organization; created only by `ActiveProjects`."""

    project: Project
    org: Org


@dataclass(frozen=True, slots=True)
class ActiveProjects:
    """Reads projects with their organizations in two indexed reads, however many."""

    projects: MongoProjects
    orgs: MongoOrgs

    async def list_of(self, ids: Iterable[str]) -> list[OwnedProject]:
        """Omits unknown and inactive projects."""
        projects = await self.projects.list_active(ids)
        orgs = {org.id: org for org in await self.orgs.list_active(project.org_id for project in projects)}
        return [OwnedProject(project, orgs[project.org_id]) for project in projects if project.org_id in orgs]
