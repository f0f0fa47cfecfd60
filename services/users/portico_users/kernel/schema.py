"""The indexes: created in the background at start, and nothing is written before they exist."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from portico_oauth.errors import UNAVAILABLE
from portico_runtime.mongo import Database, guarded
from pymongo import ASCENDING, IndexModel

IDS: Final = "ids"
"""One space for all ids: a client id can never be mistaken for a user or a project in an audience."""

EVENTS: Final = "events"
OUTBOX: Final = "outbox"

EVENT_ORDER: Final = [("at", ASCENDING), ("sequence", ASCENDING), ("_id", ASCENDING)]
"""By time, those of one object by their numbers."""

Indexes = dict[str, tuple[IndexModel, ...]]

OWN_INDEXES: Final[Indexes] = {
    EVENTS: (
        IndexModel([("object", ASCENDING), ("sequence", ASCENDING)], unique=True),
        IndexModel([("object", ASCENDING), *EVENT_ORDER]),
        IndexModel(EVENT_ORDER),
        IndexModel([("orgId", ASCENDING), *EVENT_ORDER]),
        *(
            IndexModel([*owner, (member, ASCENDING), *EVENT_ORDER])
            for member in ("table", "actor", "action")
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

    async def create(self) -> None:
        """Creates what is missing, then waits for ever; raises when the database cannot be asked."""
        if not self._ready.is_set():
            for indexes in self._indexes:
                for collection, models in indexes.items():
                    await self._database[collection].create_indexes(list(models))
            self._ready.set()
        await asyncio.Event().wait()

    async def check(self) -> None:
        """Raises until everything is there (readiness)."""
        if not self._ready.is_set():
            raise ConnectionError("the indexes are not made yet")

    async def wait(self) -> None:
        """Returns once everything is there."""
        await self._ready.wait()

    def require(self) -> None:
        """Refuses with `unavailable` until everything is there: without its index a name is not unique."""
        if not self._ready.is_set():
            raise UNAVAILABLE.error(retry_after=1, part="mongo", cause="indexes")


def listing_indexes(*members: str, owners: Sequence[str] = ("orgId", "")) -> tuple[IndexModel, ...]:
    """The indexes of lists that are sorted by some members: of those with the same owner, and without one (empty) of all."""
    return tuple(IndexModel(listing_order(member, owner)) for member in members for owner in owners)


def listing_order(member: str, owner: str) -> list[tuple[str, int]]:
    """The members of such an index.

    The state is at the end, so that deleted records are passed over, and all are counted, without being read.
    """
    return [(name, ASCENDING) for name in dict.fromkeys((owner, member, "_id", "state")) if name]


def indexes_of(*tables: Any) -> Indexes:
    """The indexes the tables name, each once; several tables may share a collection."""
    found: dict[str, dict[str, IndexModel]] = {}
    for table in tables:
        for index in table.indexes:
            found.setdefault(table.name, {})[index.document["name"]] = index
    return {name: tuple(indexes.values()) for name, indexes in found.items()}


@dataclass(frozen=True, slots=True)
class IdSpace:
    """Asks about ids; the journal takes them."""

    database: Database

    async def is_free(self, id: str) -> bool:
        """No object has this id. A hint: only the journal's insert decides.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked.
        """
        async with guarded():
            return await self.database[IDS].find_one({"_id": id}, {"_id": 1}) is None
