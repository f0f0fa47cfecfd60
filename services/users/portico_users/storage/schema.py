"""Indexes, created in the background at start; nothing is written before they exist."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

import pymongo
from portico_oauth.errors import UNAVAILABLE
from portico_runtime.mongo.client import Database, Session, guarded
from portico_runtime.process.health import NotReady
from pymongo import ASCENDING, IndexModel

from portico_users.storage.entry import Table
from portico_users.storage.gathering import Gathering
from portico_users.values.records import Record

IDS: Final = "ids"
"""One space for all ids: a client id in an audience can never be mistaken for a user or project."""

RESOURCES: Final = "resources"
"""In place of the table of an id: the text is a resource URI of some API, and never becomes an id."""

EVENTS: Final = "events"
OUTBOX: Final = "outbox"

ERROR_ID: Final = "values.errorId"
"""Of refused requests and sign-ins; other events have none."""

ENDED_BY: Final = "values.endedBy"
"""Of a session that another than its user ended, who is the actor; other events have none."""

IMPORT: Final = "import"
"""Of events of imported users: the id of the event of their import."""

EVENT_ORDER: Final = [("at", ASCENDING), ("sequence", ASCENDING), ("_id", ASCENDING)]

MOST_SECONDS: Final = 6 * 3600.0
"""Time limit of building the indexes of a collection. MongoDB gives up what it built when the limit is reached, so that
with the limit of other operations a release with a new index would never be ready.
"""

Indexes = dict[str, tuple[IndexModel, ...]]

OWN_INDEXES: Final[Indexes] = {
    EVENTS: (
        IndexModel([("object", ASCENDING), ("sequence", ASCENDING)], unique=True),
        IndexModel([("object", ASCENDING), *EVENT_ORDER]),
        IndexModel(EVENT_ORDER),
        IndexModel([("orgId", ASCENDING), *EVENT_ORDER]),
        IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0, sparse=True),
        *(
            IndexModel([*owner, (member, ASCENDING), *EVENT_ORDER])
            for member in ("table", "actor", "action", "activity")
            for owner in ((), [("orgId", ASCENDING)])
        ),
        IndexModel([("values.userId", ASCENDING), *EVENT_ORDER], partialFilterExpression={ENDED_BY: {"$exists": True}}),
        IndexModel([(IMPORT, ASCENDING), *EVENT_ORDER], partialFilterExpression={IMPORT: {"$exists": True}}),
        *(
            IndexModel(
                [*owner, (ERROR_ID, ASCENDING), *EVENT_ORDER], partialFilterExpression={ERROR_ID: {"$exists": True}}
            )
            for owner in ((), [("orgId", ASCENDING)])
        ),
    ),
    OUTBOX: (IndexModel([("at", ASCENDING), ("sequence", ASCENDING)]),),
}


class Schema:
    """The collections with their indexes; run `create` in the background."""

    def __init__(self, database: Database, indexes: Iterable[Indexes]) -> None:
        self._database = database
        self._indexes = [OWN_INDEXES, *indexes]
        self._ready = asyncio.Event()
        self._building = "the collections"

    async def create(self) -> None:
        """Creates missing indexes, then waits forever. Raises if the database does not respond."""
        if not self._ready.is_set():
            for indexes in self._indexes:
                for collection, models in indexes.items():
                    self._building = collection
                    with pymongo.timeout(MOST_SECONDS):
                        await self._database[collection].create_indexes(list(models))
            self._ready.set()
        await asyncio.Event().wait()

    async def list_missing(self) -> list[tuple[str, int, list[str]]]:
        """Returns what `create` would do: collections, their number of documents, and the indexes they lack.

        Read-only. Raises `unavailable`.
        """
        wanted: dict[str, set[str]] = {}
        for indexes in self._indexes:
            for collection, models in indexes.items():
                wanted.setdefault(collection, set()).update(model.document["name"] for model in models)
        found: list[tuple[str, int, list[str]]] = []
        async with guarded():
            for collection, names in sorted(wanted.items()):
                rows = self._database[collection]
                present = {index["name"] async for index in rows.list_indexes()}
                if missing := sorted(names - present):
                    found.append((collection, await rows.estimated_document_count(), missing))
        return found

    async def check(self) -> None:
        if not self._ready.is_set():
            raise NotReady(f"new indexes of {self._building} are built, which takes minutes for large collections")

    async def wait(self) -> None:
        await self._ready.wait()

    def require(self) -> None:
        """Raises `unavailable` until all indexes exist: without its index a name is not unique."""
        if not self._ready.is_set():
            raise UNAVAILABLE.error(retry_after=1, part="mongo", cause="indexes")


def listing_indexes(*members: str, owners: Sequence[str] = ("orgId", "")) -> tuple[IndexModel, ...]:
    """Returns the indexes of lists sorted by the given fields: within an owner, and (empty) across all."""
    return tuple(IndexModel(listing_order(member, owner)) for member in members for owner in owners)


def listing_order(member: str, owner: str) -> list[tuple[str, int]]:
    """The state comes last in the index: it skips deleted records and counts without reading documents."""
    return [(name, ASCENDING) for name in dict.fromkeys((owner, member, "_id", "state")) if name]


def indexes_of(*tables: Table[Record]) -> Indexes:
    found: dict[str, dict[str, IndexModel]] = {}
    for table in tables:
        for index in table.indexes:
            found.setdefault(table.name, {})[index.document["name"]] = index
    return {name: tuple(indexes.values()) for name, indexes in found.items()}


class IdSpace:
    def __init__(self, database: Database) -> None:
        self._rows = database[IDS]
        self._taken: Gathering[str, bool] = Gathering(self._find_taken)

    async def is_free(self, id: str) -> bool:
        """Reports whether no object has the id; concurrent calls share one read.

        Only a hint: the journal's insert decides. Raises `unavailable`.
        """
        return not await self._taken.find(id)

    async def list_taken(self, ids: Collection[str]) -> frozenset[str]:
        """Like `is_free`, for many ids: returns those that are not."""
        return frozenset(await self._find_taken(ids)) if ids else frozenset()

    async def _find_taken(self, ids: Collection[str]) -> Mapping[str, bool]:
        async with guarded():
            rows = await self._rows.find({"_id": {"$in": list(ids)}}, {"_id": 1}).to_list(None)
        return {row["_id"]: True for row in rows}

    def keep_resources(self, uris: Sequence[str]) -> Callable[[Session], Awaitable[None]]:
        """Returns a write that keeps resource URIs from becoming ids, forever; a duplicate key where one is an id.

        Audiences contain both: an application with the URI of an API as its client id would get tokens for that API.
        """

        async def write(session: Session) -> None:
            for uri in uris:
                row = {"_id": uri, "table": RESOURCES}
                await self._rows.update_one(row, {"$setOnInsert": row}, upsert=True, session=session)

        return write
