"""Intents: federated sign-ins started by service users (decision 0051) or as tests of a provider, in MongoDB.

Each step claims the intent by one write to one document, so that of concurrent requests only one continues.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

import msgspec
from portico_contracts.users import ProviderKind, VerifiedIdentity
from portico_oauth.opaque import fingerprint
from portico_runtime.mongo.client import Database, Rows, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel

from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes
from portico_users.values.timestamps import within

INTENTS: Final = "idpIntents"
INTENT_INDEXES: Final[Indexes] = {
    INTENTS: (
        IndexModel([("stateHash", ASCENDING)], unique=True),
        IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),
    )
}

SECONDS: Final = 600
"""Lifetime in seconds, from the start to the latest retrieval."""


class Phase(StrEnum):
    """The phase of an intent, entered once: browser at the provider, response being verified, identity known.

    A test ends in `TESTED` instead of `VERIFIED`, so that it never gives a caller an identity.
    """

    BEGUN = "begun"
    RETURNED = "returned"
    VERIFIED = "verified"
    TESTED = "tested"


class Intent(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An intent; state and token are hashes, only ``actor`` may retrieve it.

    LDAP intents and tests have no redirect URLs; `outcome` is the result of a test as JSON.
    """

    id: str
    state_hash: str
    idp_id: str
    org_id: str
    actor: str
    kind: ProviderKind
    success_url: str = ""
    failure_url: str = ""
    nonce: str = ""
    verifier: str = ""
    user_agent: str = ""
    jwt_header: str = ""
    form_post: bool = False
    phase: Phase = Phase.BEGUN
    token_hash: str = ""
    identity: VerifiedIdentity | None = None
    is_test: bool = False
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Intents:
    """Stores intents; all methods raise `unavailable` if the database does not respond."""

    database: Database
    clock: Clock

    async def create(self, intent: Intent) -> None:
        row: Document = msgspec.to_builtins(intent)
        until = self.clock.now() + SECONDS
        row |= {"_id": row.pop("id"), "expiresAt": until, "forgetAt": datetime.fromtimestamp(until, UTC)}
        async with guarded():
            await self._rows.insert_one(row)

    async def find_begun(self, state: str) -> Intent | None:
        async with guarded():
            return _intent(await self._rows.find_one(self._begun(state)))

    async def claim(self, state: str, idp_id: str) -> Intent | None:
        """Like `find_begun`, for one caller only and at the provider's own callback; other providers change nothing."""
        question = self._begun(state) | {"idpId": idp_id}
        async with guarded():
            return _intent(await self._rows.find_one_and_update(question, {"$set": {"phase": Phase.RETURNED}}))

    async def verify(self, id: str, identity: VerifiedIdentity, token: str) -> None:
        """Stores the identity of a claimed intent; the token can then retrieve it."""
        found = {"phase": Phase.VERIFIED, "identity": msgspec.to_builtins(identity), "tokenHash": fingerprint(token)}
        async with guarded():
            await self._rows.update_one(
                {"_id": id, "phase": Phase.RETURNED}, {"$set": found, "$unset": {"nonce": "", "verifier": ""}}
            )

    async def conclude(self, id: str, outcome: str, token: str) -> None:
        """Stores the outcome of a claimed test."""
        found = {"phase": Phase.TESTED, "outcome": outcome, "tokenHash": fingerprint(token)}
        gone = {"nonce": "", "verifier": ""}
        async with guarded():
            await self._rows.update_one(
                {"_id": id, "phase": Phase.RETURNED, "isTest": True}, {"$set": found, "$unset": gone}
            )

    async def take_test(self, id: str, token: str, idp_id: str, actor: str) -> Intent | None:
        """Deletes a concluded test and returns it, to one caller only."""
        known = {"_id": id, "tokenHash": fingerprint(token), "actor": actor, "idpId": idp_id}
        async with guarded():
            return _intent(await self._rows.find_one_and_delete({**known, "phase": Phase.TESTED, **self._in_time()}))

    async def drop(self, id: str) -> None:
        async with guarded():
            await self._rows.delete_one({"_id": id})

    async def find_verified(self, id: str, token: str, actor: str) -> Intent | None:
        async with guarded():
            return _intent(await self._rows.find_one(self._verified(id, token, actor)))

    async def redeem(self, id: str, token: str, actor: str) -> bool:
        """Deletes an intent; true for one caller only."""
        async with guarded():
            deleted = await self._rows.delete_one(self._verified(id, token, actor))
        return bool(deleted.deleted_count)

    def _begun(self, state: str) -> Document:
        return {"stateHash": fingerprint(state), "phase": Phase.BEGUN, **self._in_time()}

    def _verified(self, id: str, token: str, actor: str) -> Document:
        known = {"_id": id, "tokenHash": fingerprint(token), "actor": actor}
        return {**known, "phase": Phase.VERIFIED, **self._in_time()}

    def _in_time(self) -> Document:
        return {"expiresAt": within(SECONDS, self.clock.now())}

    @property
    def _rows(self) -> Rows:
        return self.database[INTENTS]


def _intent(row: Document | None) -> Intent | None:
    return msgspec.convert({**row, "id": row["_id"]}, Intent) if row else None
