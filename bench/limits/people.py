"""Creating, reading, listing and importing users: FastAPI and Motor, the same documents, one transaction, no rule.

A user is a row, its id, its event and its outbox row. Written journaled and by the majority, as everything that must
survive is.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Final

from fastapi import Body, FastAPI
from fastapi.responses import JSONResponse
from portico_runtime.mongo import MongoClient

USER: Final = "users"
"""The database user; the stack makes it for the service of that name."""

_COLLECTIONS: Final = ("ids", "users", "events", "outbox")
Values = Annotated[dict[str, Any], Body()]


class People:
    """What is asked of the database, and nothing else."""

    def __init__(self, mongo: MongoClient) -> None:
        self._mongo = mongo

    async def create(self, human: Values) -> dict[str, Any]:
        """Writes what came."""
        documents = _documents(human)
        async with self._mongo.transaction() as session:
            for name, document in documents.items():
                await self._mongo.database[name].insert_one(document, session=session)
        return {"userId": documents["users"]["_id"], "details": {"sequence": "1"}}

    async def import_all(self, rows: Annotated[list[dict[str, Any]], Body()]) -> dict[str, Any]:
        """Writes many, in one transaction."""
        several = [_documents(human) for human in rows]
        async with self._mongo.transaction() as session:
            for name in _COLLECTIONS:
                documents = [documents[name] for documents in several]
                await self._mongo.database[name].insert_many(documents, session=session)
        return {"imported": len(rows)}

    async def read(self, user_id: str) -> Any:
        """Reads one."""
        human = await self._mongo.database["users"].find_one({"_id": user_id})
        if human is None:
            return JSONResponse({"code": 5}, 404)
        return {"user": {"userId": human.pop("_id"), "human": human}}

    async def list(self, values: Values) -> dict[str, Any]:
        """Reads the first ones by name, and how many there are."""
        users = self._mongo.database["users"]
        found = await users.find().sort("username").limit(values["query"]["limit"]).to_list()
        total = await users.estimated_document_count()
        result = [{"userId": human.pop("_id"), "human": human} for human in found]
        return {"details": {"totalResult": str(total)}, "result": result}

    async def start(self) -> None:
        """Begins without the rows of an earlier start."""
        for name in _COLLECTIONS:
            await self._mongo.database.drop_collection(name)
            await self._mongo.database.create_collection(name)
        await self._mongo.database["users"].create_index("username")

    async def close(self) -> None:
        """Closes the connections."""
        await self._mongo.close()


def users_app(people: People) -> FastAPI:
    """The routes."""
    app = FastAPI(openapi_url=None)
    app.add_api_route("/v2/users/human", people.create, methods=["POST"])
    app.add_api_route("/v2/users/import", people.import_all, methods=["POST"])
    app.add_api_route("/v2/users/{user_id}", people.read)
    app.add_api_route("/v2/users", people.list, methods=["POST"])
    return app


def _documents(human: dict[str, Any]) -> dict[str, dict[str, Any]]:
    id = human.pop("userId", "") or secrets.token_hex(13)
    event = {"_id": secrets.token_hex(13), "object": id, "sequence": 1, "values": human}
    return {
        "ids": {"_id": id, "table": "users"},
        "users": {"_id": id, **human},
        "events": event,
        "outbox": {**event, "subject": "users"},
    }
