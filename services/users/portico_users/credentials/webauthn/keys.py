"""Registered keys in MongoDB, apart from the users: reading a user reads no key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec
from portico_runtime.mongo import Database, guarded
from pymongo import ASCENDING, IndexModel

from portico_users.kernel.entry import Attachment, Claim
from portico_users.kernel.schema import Indexes

KEYS: Final = "webauthnKeys"
KEY_INDEXES: Final[Indexes] = {
    KEYS: (IndexModel([("credentialId", ASCENDING)], unique=True), IndexModel([("userId", ASCENDING)]))
}
MAX_KEYS: Final = 20
"""Keys of one user."""


class Key(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A key as it was registered.

    Attributes:
        id: as the management API names it.
        credential_id: base64url; nobody else has a key with the same one.
        public_key: COSE, base64url.
        sign_count: how often it said it was used; 0 for keys that do not count.
        rp_id: for whom it was made.
        passkey: it can begin a sign-in; otherwise it is a second factor.
        transports: how browsers reach it, as the browser said.
    """

    id: str
    user_id: str
    credential_id: str
    public_key: str
    sign_count: int
    aaguid: str
    rp_id: str
    passkey: bool
    backed_up: bool
    transports: tuple[str, ...] = ()


def key_attachment(key: Key) -> Attachment:
    """The key, to be written in the transaction that says the user has it."""
    row: dict[str, Any] = msgspec.to_builtins(key)
    return Attachment(KEYS, row.pop("id"), row)


def key_claim(id: str) -> Claim:
    """Takes the key away in the transaction that says the user has it no longer."""
    return Claim(KEYS, id)


@dataclass(frozen=True, slots=True)
class Keys:
    """Finds keys. All methods raise the refusal `unavailable` when the database cannot be asked."""

    database: Database

    async def list_of_user(self, user_id: str) -> list[Key]:
        """All keys of a user."""
        async with guarded():
            rows = await self._rows.find({"userId": user_id}).limit(MAX_KEYS).to_list(MAX_KEYS)
        return [_key(row) for row in rows]

    async def find(self, credential_id: str) -> Key | None:
        """The key a credential id names, whoever has it."""
        async with guarded():
            row = await self._rows.find_one({"credentialId": credential_id})
        return _key(row) if row else None

    async def count_on(self, key: Key, sign_count: int) -> bool:
        """Notes how often the key was used; False when somebody noted something else meanwhile."""
        async with guarded():
            result = await self._rows.update_one(
                {"_id": key.id, "signCount": key.sign_count}, {"$set": {"signCount": sign_count}}
            )
        return bool(result.matched_count == 1)

    @property
    def _rows(self) -> Any:
        return self.database[KEYS]


def _key(row: dict[str, Any]) -> Key:
    return msgspec.convert({**row, "id": row["_id"]}, Key)
