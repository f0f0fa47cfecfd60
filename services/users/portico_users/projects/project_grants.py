"""Project grants: the record, and where MongoDB stores them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from portico_contracts.events import PROJECT_GRANT_CHANGED
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo.client import guarded
from pymongo import ASCENDING, IndexModel

from portico_users.organizations.org import ORGS
from portico_users.projects.project import Project
from portico_users.projects.store import PROJECTS, MongoProjects
from portico_users.storage.entry import Document, Table
from portico_users.storage.listing import Page, page_of_rows
from portico_users.storage.reader import Reader
from portico_users.storage.schema import listing_indexes
from portico_users.values.names import MAX_LENGTH
from portico_users.values.records import Record, State


class ProjectGrant(Record, frozen=True, kw_only=True):
    """Lets another organization grant a project's sorted ``role_keys``; without any it may only use the project."""

    project_id: str
    granted_org_id: str
    role_keys: tuple[str, ...] = ()


PROJECT_GRANT_NOT_FOUND = ErrorCode(
    "USER-870", Kind.NOT_FOUND, "Project grant not found.", "Check the ids of the project and the grant."
)
PROJECT_GRANT_EXISTS = ErrorCode(
    "USER-871",
    Kind.ALREADY_EXISTS,
    "The project is already granted to this organization.",
    "Update the roles of the grant.",
)


def _keys(grant: ProjectGrant) -> Document:
    place = grant.id if grant.state is State.DELETED else f"{grant.project_id}\x00{grant.granted_org_id}"
    return {"placeKey": place}


PROJECT_GRANTS: Final[Table[ProjectGrant]] = Table(
    "projectGrants",
    ProjectGrant,
    PROJECT_GRANT_CHANGED,
    _keys,
    indexes=(
        IndexModel([("placeKey", ASCENDING)], unique=True),
        *listing_indexes("created", owners=("orgId", "grantedOrgId", "projectId")),
    ),
    duplicates={"placeKey": PROJECT_GRANT_EXISTS},
)


class ShownGrant(NamedTuple):
    grant: ProjectGrant
    project_name: str
    owner_name: str
    granted_name: str


class ShownGrants(NamedTuple):
    total: int
    grants: list[ShownGrant]


class MongoProjectGrants(Reader[ProjectGrant]):
    table = PROJECT_GRANTS

    async def find_of(self, project_id: str, granted_org_id: str) -> ProjectGrant | None:
        return await self.find_where({"placeKey": f"{project_id}\x00{granted_org_id}"})

    async def list_granted(self, project_ids: Iterable[str], granted_org_id: str) -> set[str]:
        places = [f"{id}\x00{granted_org_id}" for id in project_ids]
        found = await self.list_where({"placeKey": {"$in": places}}, None) if places else []
        return {grant.project_id for grant in found if grant.state is State.ACTIVE}

    async def list_projects_granted(self, granted_org_id: str) -> list[str]:
        """Returns the ids of the projects that are granted to an organization."""
        found = await self.list_where({"grantedOrgId": granted_org_id, "state": State.ACTIVE.value}, None)
        return sorted(grant.project_id for grant in found)

    async def list_organizations(self, project_id: str) -> list[str]:
        """Returns the ids of the organizations to which a project is granted."""
        rows = await self.list_fields({"projectId": project_id, "state": State.ACTIVE.value}, ("grantedOrgId",), None)
        return sorted(row["grantedOrgId"] for row in rows)

    async def list_in_force(self, ids: Iterable[str]) -> dict[str, ProjectGrant]:
        return {grant.id: grant for grant in await self.list_active(id for id in ids if id)}

    async def show(self, grant: ProjectGrant) -> ShownGrant:
        found = await self.search({"_id": grant.id}, (), Page(0, 1, "created", ascending=True))
        return found.grants[0]._replace(grant=grant) if found.grants else ShownGrant(grant, "", "", "")

    async def search(self, question: Document, conditions: Sequence[Document], page: Page) -> ShownGrants:
        """Finds grants; ``question`` is on indexed fields, conditions on fields of the grant or ``project.name``."""
        there = [question, {"state": {"$ne": State.DELETED.value}}]
        of_project = [one for one in conditions if "project.name" in one]
        of_grant = [one for one in conditions if one not in of_project]
        async with guarded():
            if of_project:
                total, rows = await self._search_names({"$and": [*there, *of_grant]}, of_project, page)
            else:
                total, found = await self._pages.read({"$and": [*there, *of_grant]}, page)
                rows = await self._named([row["_id"] for row in found])
        return ShownGrants(total, [_shown(row) for row in rows])

    async def _named(self, ids: Sequence[str]) -> list[Document]:
        rows: list[Document] = await self._rows.aggregate([{"$match": {"_id": {"$in": ids}}}, *_names()]).to_list(None)
        return sorted(rows, key=lambda row: ids.index(row["_id"]))

    async def _search_names(
        self, question: Document, conditions: Sequence[Document], page: Page
    ) -> tuple[int, list[Document]]:
        """Searches by project name, which scans all grants that match the question."""
        steps: list[Document] = [{"$match": question}, *_names(), {"$match": {"$and": list(conditions)}}]
        return await page_of_rows(self._rows, steps, page, "_id")


class OfProject(NamedTuple):
    grant: ProjectGrant
    project: Project


async def find_with_project(id: str, grants: MongoProjectGrants, projects: MongoProjects) -> OfProject | None:
    grant = await grants.find(id[: MAX_LENGTH + 1])
    if grant is None or grant.state is State.DELETED:
        return None
    project = await projects.find(grant.project_id)
    return None if project is None or project.state is State.DELETED else OfProject(grant, project)


def _names() -> list[Document]:
    steps: list[Document] = []
    for table, key, place in (
        (PROJECTS.name, "projectId", "project"),
        (ORGS.name, "orgId", "owner"),
        (ORGS.name, "grantedOrgId", "granted"),
    ):
        only_name = [{"$project": {"_id": 0, "name": 1}}]
        joined = {"from": table, "localField": key, "foreignField": "_id", "pipeline": only_name, "as": place}
        steps += [{"$lookup": joined}, {"$set": {place: {"$first": f"${place}"}}}]
    return steps


def _shown(row: Document) -> ShownGrant:
    names = [str((row.get(place) or {}).get("name", "")) for place in ("project", "owner", "granted")]
    return ShownGrant(PROJECT_GRANTS.record(row), *names)
