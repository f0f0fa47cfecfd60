"""Password hashes in MongoDB, apart from the users: reading a user never reads a hash."""

from __future__ import annotations

from portico_runtime.mongo import Database, guarded

from portico_users.humans.store import PASSWORDS
from portico_users.journal.entry import Attachment


def password_attachment(user_id: str, hash: str) -> Attachment:
    """The hash, to be written in the transaction that says the user has a new password."""
    return Attachment(PASSWORDS, user_id, {"hash": hash})


class MongoPasswords:
    """Reads hashes, and replaces them by stronger ones of the same password."""

    def __init__(self, database: Database) -> None:
        self._rows = database[PASSWORDS]

    async def find_hash(self, user_id: str) -> str:
        """The hash of a user's password; empty when there is none."""
        async with guarded():
            row = await self._rows.find_one({"_id": user_id})
        return row["hash"] if row else ""

    async def strengthen(self, user_id: str, old: str, new: str) -> None:
        """Stores another hash of the same password; does nothing when the password was changed meanwhile."""
        async with guarded():
            await self._rows.update_one({"_id": user_id, "hash": old}, {"$set": {"hash": new}})
