"""Creating, reading, listing and importing users: FastAPI and Motor, the same documents, one transaction, no rule.

A user is a row, its id, its event and its outbox row, written journaled and by the majority.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Final

from fastapi import Body, FastAPI
from portico_runtime.mongo.client import MongoClient
from starlette.types import Lifespan

USER: Final = "users"
"""The database user; the stack makes it for the service of that name."""

_COLLECTIONS: Final = ("ids", "users", "events", "outbox")
Values = Annotated[dict[str, Any], Body()]


async def prepare(mongo: MongoClient) -> None:
    for name in _COLLECTIONS:
        await mongo.database.create_collection(name)
    await mongo.database["users"].create_index("username")


def users_app(mongo: MongoClient, lifespan: Lifespan[FastAPI]) -> FastAPI:
    app = FastAPI(openapi_url=None, lifespan=lifespan)

    @app.post("/v2/users/human")
    async def create(human: Values) -> dict[str, Any]:
        documents = _documents(human)
        async with mongo.transaction() as session:
            for name, document in documents.items():
                await mongo.database[name].insert_one(document, session=session)
        return {"userId": documents["users"]["_id"], "details": {"sequence": "1"}}

    @app.post("/v2/users/import")
    async def import_all(rows: Annotated[list[dict[str, Any]], Body()]) -> dict[str, Any]:
        several = [_documents(human) for human in rows]
        async with mongo.transaction() as session:
            for name in _COLLECTIONS:
                await mongo.database[name].insert_many([one[name] for one in several], session=session)
        return {"imported": len(rows)}

    @app.get("/v2/users/{user_id}")
    async def read(user_id: str) -> dict[str, Any]:
        human = await mongo.database["users"].find_one({"_id": user_id})
        return {"user": {"userId": human.pop("_id"), "human": human}} if human else {"code": 5}

    @app.post("/v2/users")
    async def first_by_name(values: Values) -> dict[str, Any]:
        users = mongo.database["users"]
        found = await users.find().sort("username").limit(values["query"]["limit"]).to_list()
        total = await users.estimated_document_count()
        result = [{"userId": human.pop("_id"), "human": human} for human in found]
        return {"details": {"totalResult": str(total)}, "result": result}

    return app


def _documents(human: dict[str, Any]) -> dict[str, dict[str, Any]]:
    id = human.pop("userId", "") or secrets.token_hex(13)
    event = {"_id": secrets.token_hex(13), "object": id, "sequence": 1, "values": human}
    row, outbox = {"_id": id, **human}, {**event, "subject": "users"}
    return {"ids": {"_id": id, "table": "users"}, "users": row, "events": event, "outbox": outbox}
