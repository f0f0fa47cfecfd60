"""Applications in MongoDB."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from portico_contracts.events import APP_CHANGED
from portico_runtime.mongo import Database
from pymongo import ASCENDING, IndexModel

from portico_users.directory.apps.app_record import App, origins_of
from portico_users.kernel.entry import Document, Table
from portico_users.kernel.names import canonical
from portico_users.kernel.reader import Reader
from portico_users.kernel.records import State
from portico_users.kernel.schema import listing_indexes
from portico_users.kernel.states import name_key


def _keys(app: App) -> Document:
    return {
        "nameKey": name_key(app, app.name),
        "listed": app.state is not State.DELETED,
        "originKeys": list(origins_of(app)),
    }


APPS: Final[Table[App]] = Table(
    "apps",
    App,
    APP_CHANGED,
    _keys,
    private=frozenset({"secretHash", "previousSecret"}),
    indexes=(
        IndexModel([("clientId", ASCENDING)], unique=True),
        IndexModel([("projectId", ASCENDING), ("nameKey", ASCENDING)], unique=True),
        *listing_indexes("nameKey", owners=("projectId",)),
        IndexModel([("projectId", ASCENDING), ("listed", ASCENDING), ("clientId", ASCENDING)]),
        IndexModel([("originKeys", ASCENDING), ("state", ASCENDING), ("projectId", ASCENDING)]),
    ),
)


class MongoApps(Reader[App]):
    """Finds applications."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, APPS)

    async def find_by_client_id(self, client_id: str) -> App | None:
        """The application of a client id, exactly as written."""
        return await self.find_where({"clientId": client_id})

    async def find_by_name(self, project_id: str, name: str) -> App | None:
        """The project's application of a name, in any spelling."""
        return await self.find_where({"projectId": project_id, "nameKey": canonical(name)})

    async def list_client_ids(self, project_id: str) -> tuple[str, ...]:
        """The client ids of a project, sorted: the audience its tokens share."""
        return (await self.client_ids_by_project((project_id,))).get(project_id, ())

    async def client_ids_by_project(self, project_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The client ids of several projects, sorted; projects without any are absent."""
        question = {"projectId": {"$in": list(project_ids)}, "listed": True}
        rows = await self.list_members(question, "projectId", "clientId")
        by_project = groupby(rows, key=lambda row: str(row["projectId"]))
        return {id: tuple(str(row["clientId"]) for row in of_one) for id, of_one in by_project}

    async def list_projects_with_origin(self, origin: str) -> tuple[str, ...]:
        """The ids of the projects an active application of which has the origin."""
        rows = await self.list_members({"originKeys": origin, "state": State.ACTIVE.value}, "projectId")
        return tuple(dict.fromkeys(str(row["projectId"]) for row in rows))
