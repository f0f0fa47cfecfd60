"""Copies documents applied by one test for later tests: applying them again would take twenty times as long."""

from __future__ import annotations

import re
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import bson
from bson.codec_options import CodecOptions
from bson.raw_bson import RawBSONDocument
from portico_runtime.mongo.client import Database
from portico_users.values.names import new_id
from pymongo import MongoClient

_ID = re.compile(rb"\b[a-z2-7]{26}\b")
"""The format of `new_id`."""

AdminClient = MongoClient[dict[str, Any]]

Encoded = Mapping[str, list[bytes]]
"""BSON by collection."""

WriteOnce = Callable[..., Awaitable[None]]
"""`write_once` with its server and database."""

_HISTORY = ("events", "outbox")

_copied: dict[tuple[AdminClient, str], CopiedDocuments] = {}
"""By server, where their collections exist, and name."""


class CopiedDocuments:
    """Documents of one tag, ready to be written for another.

    All tags and all ids have the same length, so they are replaced in the encoded form.
    """

    def __init__(self, tag: str, documents: Encoded) -> None:
        self._tag = tag.encode()
        self._documents = documents

    def write(self, admin: AdminClient, database: str, tag: str, *, history: bool) -> None:
        """Writes the documents with another tag, and new values for random ids.

        One command for all collections takes a quarter of the processor time of an insert into each.
        """
        ids: dict[bytes, bytes] = defaultdict(lambda: new_id(secrets.token_bytes).encode())
        operations: list[dict[str, Any]] = []
        for collection, documents in self._documents.items():
            if collection in _HISTORY and not history:
                continue
            copies = [_ID.sub(lambda found: ids[found[0]], one.replace(self._tag, tag.encode())) for one in documents]
            operations += [{"op": "i", "ns": f"{database}.{collection}", "o": RawBSONDocument(one)} for one in copies]
        admin["admin"].command("applyOps", operations, writeConcern={"w": "majority", "j": True})


async def write_once(
    admin: AdminClient,
    database: Database,
    name: str,
    tag: str,
    write: Callable[[], Awaitable[None]],
    *,
    history: bool = False,
) -> None:
    """Writes the documents of a name: by `write` for the first test of this process, as copies for later ones.

    Args:
        admin: a user of the same MongoDB who may run applyOps.
        tag: a word of eight characters that occurs in everything that `write` writes.
        history: with the events, which take most of the time: each has entries in fifteen indexes.
    """
    if copied := _copied.get((admin, name)):
        copied.write(admin, database.name, tag, history=history)
        return
    before = await _documents_with(database, tag)
    await write()
    after = await _documents_with(database, tag)
    new = {collection: [one for one in found if one not in before[collection]] for collection, found in after.items()}
    _copied[admin, name] = CopiedDocuments(tag, {collection: found for collection, found in new.items() if found})
    for collection in () if history else _HISTORY:
        ids = [bson.decode(one)["_id"] for one in new.get(collection, [])]
        await database[collection].delete_many({"_id": {"$in": ids}})


async def _documents_with(database: Database, tag: str) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = defaultdict(list)
    encoded = database.with_options(CodecOptions(document_class=RawBSONDocument))
    for collection in await database.list_collection_names():
        async for document in encoded[collection].find():
            if tag.encode() in document.raw:
                found[collection].append(document.raw)
    return found
