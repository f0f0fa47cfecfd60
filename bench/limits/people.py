"""Creating and reading users: a row, its id, its event and its outbox row in one transaction; one row by its id."""

from __future__ import annotations

import secrets
from typing import Final

import msgspec
from portico_runtime.mongo import MongoClient

from bench.limits.answers import Answer, Ask, json

USER: Final = "users"
"""The database user; the stack makes it for the service of that name."""

_decode = msgspec.json.Decoder().decode


class People:
    """What is asked of the database, and nothing else."""

    def __init__(self, mongo: MongoClient) -> None:
        self._mongo = mongo

    async def create(self, ask: Ask) -> Answer:
        """Writes what came, journaled and by the majority, as everything that must survive."""
        human = _decode(ask.body)
        id = human.pop("userId", "") or secrets.token_hex(13)
        event = {"_id": secrets.token_hex(13), "object": id, "sequence": 1, "values": human}
        database = self._mongo.database
        async with self._mongo.transaction() as session:
            await database["ids"].insert_one({"_id": id, "table": "users"}, session=session)
            await database["users"].insert_one({"_id": id, **human}, session=session)
            await database["events"].insert_one(event, session=session)
            await database["outbox"].insert_one({**event, "subject": "users"}, session=session)
        return json({"userId": id, "details": {"sequence": "1"}})

    async def read(self, ask: Ask) -> Answer:
        """Reads one."""
        id = str(ask.scope["path"]).rpartition("/")[2]
        human = await self._mongo.database["users"].find_one({"_id": id})
        if human is None:
            return json({"code": 5}, 404)
        return json({"user": {"userId": human.pop("_id"), "human": human}})

    async def start(self) -> None:
        """Begins without the rows of an earlier start."""
        for name in ("ids", "users", "events", "outbox"):
            await self._mongo.database.drop_collection(name)
            await self._mongo.database.create_collection(name)

    async def close(self) -> None:
        """Closes the connections."""
        await self._mongo.close()
