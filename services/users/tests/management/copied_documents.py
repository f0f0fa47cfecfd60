"""Documents that one test applied, copied for the tests after it: applying them again costs twenty times as much."""

from __future__ import annotations

import re
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping

import bson
from bson.raw_bson import RawBSONDocument
from portico_runtime.mongo import Database
from portico_users.kernel.names import new_id

_ID = re.compile(rb"\b[a-z2-7]{26}\b")
"""What `new_id` makes."""

Encoded = Mapping[str, list[bytes]]
"""BSON by collection."""

_copied: dict[str, CopiedDocuments] = {}


class CopiedDocuments:
    """What was written for one tag, ready to be written for another one.

    Tags have one length, and so have ids: the copies are made in the encoded form.
    """

    def __init__(self, tag: str, documents: Encoded) -> None:
        self._tag = tag.encode()
        self._documents = documents

    async def write(self, database: Database, tag: str) -> None:
        """Writes them with another tag, and with new ids where ids are random."""
        ids: dict[bytes, bytes] = defaultdict(lambda: new_id(secrets.token_bytes).encode())
        for collection, documents in self._documents.items():
            copies = [_ID.sub(lambda found: ids[found[0]], one.replace(self._tag, tag.encode())) for one in documents]
            await database[collection].insert_many([RawBSONDocument(one) for one in copies])


async def write_once(name: str, database: Database, tag: str, write: Callable[[], Awaitable[None]]) -> None:
    """Writes the documents of a name: by `write` for the first test of this process, as copies for those after it.

    Args:
        tag: a word of eight characters, which everything that `write` writes has somewhere.
    """
    if name in _copied:
        await _copied[name].write(database, tag)
        return
    before = await _documents_with(database, tag)
    await write()
    after = await _documents_with(database, tag)
    new = {collection: [one for one in found if one not in before[collection]] for collection, found in after.items()}
    _copied[name] = CopiedDocuments(tag, {collection: found for collection, found in new.items() if found})


async def _documents_with(database: Database, tag: str) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = defaultdict(list)
    for collection in await database.list_collection_names():
        async for document in database[collection].find():
            encoded = bson.encode(document)
            if tag.encode() in encoded:
                found[collection].append(encoded)
    return found
