"""Filling the stores of a measured stack, to see what an operation costs when much is stored.

A million users cannot be created through the product within an hour, nor signed in. So users are copies of one that was
imported: its documents under another id, written into the database beside the service. Grants are made through the
product, by client_credentials.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from bson import ObjectId, encode
from portico_stack.servers.mongo import ADMIN
from portico_stack.stack import Stack
from pymongo import AsyncMongoClient, WriteConcern
from pymongo.asynchronous.database import AsyncDatabase

_DATABASE: Final = "portico_users"
_PORTION: Final = 2_000
_REPORTED: Final = 100_000

Database = AsyncDatabase[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Template:
    """The documents of one user, by collection."""

    user_id: str
    documents: dict[str, list[dict[str, Any]]]

    def copies(self, collection: str, ids: list[str]) -> Iterator[dict[str, Any]]:
        """The documents of a collection, once for each of some new ids."""
        for id in ids:
            for document in self.documents[collection]:
                copy = _renamed(document, self.user_id, id)
                if copy["_id"] == document["_id"]:
                    copy["_id"] = _another(document["_id"])
                yield copy


async def store_users(stack: Stack, user_id: str, count: int, say: Callable[[str], None]) -> None:
    """Copies a user so many times.

    Args:
        user_id: whose documents are copied; the id is part of the user name and of the address.
    """
    password = stack.installation.mongo_passwords[ADMIN]
    client: AsyncMongoClient[dict[str, Any]] = AsyncMongoClient(
        stack.layout.mongo.url, username=ADMIN, password=password, directConnection=True
    )
    async with client:
        database = client[_DATABASE]
        template = Template(user_id, await _documents_of(database, user_id))
        batch = secrets.token_hex(4)
        for start in range(0, count, _PORTION):
            ids = [f"stored-{batch}-{number}" for number in range(start, min(start + _PORTION, count))]
            for name in template.documents:
                collection = database[name].with_options(write_concern=WriteConcern(w=1, j=False))
                await collection.insert_many(template.copies(name, ids), ordered=False)
            if start % _REPORTED == 0 and start:
                say(f"  {start:,} users are stored")


async def _documents_of(database: Database, user_id: str) -> dict[str, list[dict[str, Any]]]:
    found = {}
    for name in await database.list_collection_names():
        # A text ends with a zero byte in BSON, so that no longer id is found.
        end = user_id.encode() + b"\0"
        those = [document async for document in database[name].find() if end in encode(document)]
        if those:
            found[name] = those
    return found


def _renamed(value: Any, before: str, after: str) -> Any:
    if isinstance(value, str):
        return value.replace(before, after)
    if isinstance(value, list):
        return [_renamed(member, before, after) for member in value]
    if isinstance(value, dict):
        return {name: _renamed(member, before, after) for name, member in value.items()}
    return value


def _another(id: object) -> object:
    return ObjectId() if isinstance(id, ObjectId) else secrets.token_hex(len(str(id)) // 2)
