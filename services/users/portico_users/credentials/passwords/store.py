"""Password hashes in MongoDB, apart from the users: reading a user never reads a hash."""

from __future__ import annotations

from portico_runtime.mongo import MongoClient, Session, guarded

from portico_users.credentials.passwords.hash_counts import count_change
from portico_users.credentials.passwords.hash_kinds import kind_of
from portico_users.directory.people.store import PASSWORDS
from portico_users.kernel.transactions import run_transaction


class MongoPasswords:
    """Reads hashes, and replaces them by stronger ones of the same password."""

    def __init__(self, mongo: MongoClient) -> None:
        self._mongo = mongo
        self._rows = mongo.database[PASSWORDS]

    async def find_hash(self, user_id: str) -> str:
        """The hash of a user's password; empty when there is none."""
        async with guarded():
            row = await self._rows.find_one({"_id": user_id})
        return row["hash"] if row else ""

    async def strengthen(self, user_id: str, old: str, new: str) -> None:
        """Stores another hash of the same password; does nothing when the password was changed meanwhile."""
        kind = kind_of(new)

        async def write(session: Session) -> None:
            before = await self._rows.find_one_and_update(
                {"_id": user_id, "hash": old}, {"$set": {"hash": new, "kind": kind}}, session=session
            )
            if before:
                await count_change(self._mongo.database, session, user_id, before, kind)

        async with guarded():
            await run_transaction(self._mongo, write)
