"""WebAuthn ceremonies: a challenge with user, caller and use, valid for 5 minutes and one attempt (LG-19)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec
from portico_oauth.opaque import RandomBytes, b64url
from portico_runtime.mongo.client import Database, Rows, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel

from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes
from portico_users.values.names import new_id
from portico_users.values.timestamps import within

CEREMONIES: Final = "webauthnCeremonies"
CEREMONY_INDEXES: Final[Indexes] = {
    CEREMONIES: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0), IndexModel([("userId", ASCENDING)]))
}
SECONDS: Final = 300.0
CHALLENGE_BYTES: Final = 32


class Use(StrEnum):
    U2F = "u2f"
    PASSKEY = "passkey"
    SIGN_IN = "sign_in"


class Ceremony(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A ceremony in progress.

    Attributes:
        user_id: owner of the credential; empty for a sign-in that starts with a passkey.
        begun_by: id of the only user who may finish it.
        challenge: base64url.
        link: id of the registration link that it uses up; empty without one.
        resets: the owner's reset counter at the start.
    """

    id: str
    use: Use
    user_id: str
    begun_by: str
    challenge: str
    rp_id: str
    user_verified: bool
    expires_at: float
    link: str = ""
    resets: int = 0


class CeremonyRequest(NamedTuple):
    use: Use
    user_id: str
    begun_by: str
    user_verified: bool
    link: str = ""
    resets: int = 0


@dataclass(frozen=True, slots=True)
class Ceremonies:
    database: Database
    clock: Clock
    random: RandomBytes

    async def begin(self, requested: CeremonyRequest, rp_id: str) -> Ceremony:
        ceremony = Ceremony(
            id=new_id(self.random),
            use=requested.use,
            user_id=requested.user_id,
            begun_by=requested.begun_by,
            challenge=b64url(self.random(CHALLENGE_BYTES)),
            rp_id=rp_id,
            user_verified=requested.user_verified,
            expires_at=self.clock.now() + SECONDS,
            link=requested.link,
            resets=requested.resets,
        )
        async with guarded():
            await self._rows.insert_one(_row(ceremony))
        return ceremony

    async def is_by_link(self, id: str, user_id: str, begun_by: str) -> bool:
        question = {"_id": id, "userId": user_id, "begunBy": begun_by, "link": {"$gt": ""}}
        async with guarded():
            row = await self._rows.find_one(question, {"_id": 1})
        return row is not None

    async def consume(self, use: Use, id: str, user_id: str, begun_by: str) -> Ceremony | None:
        """Deletes and returns the ceremony: of concurrent requests one gets it. None for another caller's."""
        question = {"_id": id, "use": use.value, "userId": user_id, "begunBy": begun_by}
        async with guarded():
            row = await self._rows.find_one_and_delete(question | {"expiresAt": within(SECONDS, self.clock.now())})
        return msgspec.convert({**row, "id": row["_id"]}, Ceremony) if row else None

    async def is_under_way(self, use: Use, id: str, user_id: str) -> bool:
        question = {"_id": id, "use": use.value, "userId": user_id}
        async with guarded():
            row = await self._rows.find_one(question | {"expiresAt": within(SECONDS, self.clock.now())}, {"_id": 1})
        return row is not None

    async def drop(self, use: Use, id: str, user_id: str) -> bool:
        async with guarded():
            row = await self._rows.find_one_and_delete({"_id": id, "use": use.value, "userId": user_id})
        return row is not None

    @property
    def _rows(self) -> Rows:
        return self.database[CEREMONIES]


def _row(ceremony: Ceremony) -> Document:
    row: Document = msgspec.to_builtins(ceremony)
    row["_id"] = row.pop("id")
    return row | {"forgetAt": datetime.fromtimestamp(ceremony.expires_at, UTC)}
