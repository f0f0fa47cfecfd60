"""WebAuthn credentials in MongoDB, in another collection than users, so that reading a user reads none of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec
from portico_runtime.mongo.client import Database, Rows, guarded
from pymongo import ASCENDING, IndexModel

from portico_users.storage.entry import Attachment, Claim, Document
from portico_users.storage.schema import Indexes

KEYS: Final = "webauthnKeys"
CREDENTIAL_INDEXES: Final[Indexes] = {
    KEYS: (IndexModel([("credentialId", ASCENDING)], unique=True), IndexModel([("userId", ASCENDING)]))
}
MAX_CREDENTIALS: Final = 20


class WebAuthnCredential(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A registered credential.

    Attributes:
        credential_id: base64url; unique across users.
        public_key: COSE, base64url.
        sign_count: signature counter; 0 for authenticators without one.
        rp_id: relying party id at registration.
        passkey: can start a sign-in; otherwise it is a second factor.
        backup_eligible: may be backed up, which never changes (WebAuthn section 6.1, flag BE); None for a key of an
            earlier release that has not signed in since.
        created, used: unix seconds of registration and last sign-in; 0 if unknown.
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
    backup_eligible: bool | None = None
    transports: tuple[str, ...] = ()
    created: float = 0.0
    used: float = 0.0


class KeyUse(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What an assertion changes at its credential; `used` is in unix seconds."""

    sign_count: int
    backed_up: bool
    backup_eligible: bool
    used: float


def credential_attachment(key: WebAuthnCredential) -> Attachment:
    row: Document = msgspec.to_builtins(key)
    return Attachment(KEYS, row.pop("id"), row)


def credential_claim(id: str) -> Claim:
    return Claim(KEYS, id)


@dataclass(frozen=True, slots=True)
class WebAuthnCredentials:
    """Finds credentials. All methods raise `unavailable` if the database does not respond."""

    database: Database

    async def list_of_user(self, user_id: str) -> list[WebAuthnCredential]:
        async with guarded():
            rows = await self._rows.find({"userId": user_id}).limit(MAX_CREDENTIALS).to_list(MAX_CREDENTIALS)
        return [_key(row) for row in rows]

    async def find(self, credential_id: str) -> WebAuthnCredential | None:
        async with guarded():
            row = await self._rows.find_one({"credentialId": credential_id})
        return _key(row) if row else None

    async def are_device_bound(self, user_id: str) -> bool:
        """Reports whether the user has keys, and none that may be backed up."""
        eligible = [key.backup_eligible for key in await self.list_of_user(user_id)]
        return bool(eligible) and all(one is False for one in eligible)

    async def count_on(self, key: WebAuthnCredential, used: KeyUse) -> bool:
        """Stores the use; False if another request updated the counter concurrently."""
        found: Document = {"_id": key.id, "signCount": key.sign_count, "backupEligible": key.backup_eligible}
        async with guarded():
            result = await self._rows.update_one(found, {"$set": msgspec.to_builtins(used)})
        return bool(result.matched_count == 1)

    @property
    def _rows(self) -> Rows:
        return self.database[KEYS]


def _key(row: Document) -> WebAuthnCredential:
    return msgspec.convert({**row, "id": row["_id"]}, WebAuthnCredential)
