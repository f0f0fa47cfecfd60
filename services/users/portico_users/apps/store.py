"""Applications in MongoDB."""

from __future__ import annotations

from typing import Final

from portico_contracts.events import APP_CHANGED
from portico_runtime.mongo import Database
from pymongo import ASCENDING, IndexModel

from portico_users.apps.app_record import App
from portico_users.domain.names import canonical
from portico_users.domain.records import State
from portico_users.journal.entry import Document, Table
from portico_users.journal.reader import Reader


def _keys(app: App) -> Document:
    return {"nameKey": canonical(app.name), "listed": app.state is not State.DELETED}


APPS: Final[Table[App]] = Table(
    "apps",
    App,
    APP_CHANGED,
    _keys,
    private=frozenset({"secretHash"}),
    indexes=(
        IndexModel([("clientId", ASCENDING)], unique=True),
        IndexModel([("projectId", ASCENDING), ("nameKey", ASCENDING)], unique=True),
        IndexModel([("projectId", ASCENDING), ("listed", ASCENDING), ("clientId", ASCENDING)]),
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

    async def list_client_ids(self, project_id: str) -> list[str]:
        """The client ids of a project, sorted: the audience its tokens share."""
        return await self.list_values({"projectId": project_id, "listed": True}, "clientId")
