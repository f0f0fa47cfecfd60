from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar, Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.master_keys import MasterKeys, SealedAtRest, UnsealingFailed
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.mongo.migrations import ById, Collection
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel, UpdateOne

from portico_users.credentials.attempts.attempts import Attempts, of_user
from portico_users.credentials.totp.time_codes import (
    SECRET_BYTES,
    STEP,
    base32_secret,
    matching_step,
    provisioning_uri,
    read_base32_secret,
)
from portico_users.end_users.end_user import EndUser
from portico_users.identity_providers.secrets import NO_MASTER_KEYS, UNREADABLE_SECRET
from portico_users.storage.entry import Attachment, Claim, Document
from portico_users.storage.schema import Indexes
from portico_users.values.timestamps import within

SECRETS: Final = "totpSecrets"
BEGUN: Final = "totpStarted"
TOTP_INDEXES: Final[Indexes] = {
    BEGUN: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),),
    SECRETS: (IndexModel([("sealed.master", ASCENDING)]),),  # for `SecretsCheck`
}
SECONDS: Final = 600.0
"""Lifetime of a registration, in seconds."""

FACTOR: Final = "totp"

SECRET_INVALID = ErrorCode(
    "USER-513",
    Kind.INVALID_REQUEST,
    "Invalid authenticator app secret.",
    "Use 10 to 64 bytes in base32. The app must generate six digits every 30 seconds with SHA-1.",
)


class BegunTotp(NamedTuple):
    uri: str
    secret: str

    def __repr__(self) -> str:
        return "BegunTotp(...)"


class AppTimes(NamedTuple):
    """Times of registration and last use in unix seconds; 0 if unknown."""

    created: float
    used: float


NEVER: Final = AppTimes(0.0, 0.0)


def begun_claim(user_id: str) -> Claim:
    return Claim(BEGUN, user_id)


def secret_claim(user_id: str) -> Claim:
    return Claim(SECRETS, user_id)


@dataclass(frozen=True, slots=True)
class TotpAuthenticators:
    database: Database
    attempts: Attempts
    master_keys: MasterKeys | None
    clock: Clock
    random: RandomBytes

    async def _begin(self, human: EndUser, login_name: str, *, begun_by: str) -> BegunTotp:
        secret, ends = self.random(SECRET_BYTES), self.clock.now() + SECONDS
        row = {**self._sealed(secret, human.id), "begunBy": begun_by, "resets": human.resets, "expiresAt": ends}
        row["forgetAt"] = datetime.fromtimestamp(ends, UTC)
        async with guarded():
            await self.database[BEGUN].replace_one({"_id": human.id}, row, upsert=True)
        return BegunTotp(provisioning_uri(secret, login_name), base32_secret(secret))

    async def resume(self, human: EndUser, login_name: str, *, begun_by: str) -> BegunTotp:
        """Returns the pending registration with a renewed lifetime, or a new one. Raises USER-606, USER-690."""
        begun = await self.find_begun(human, begun_by)
        if begun is None:
            return await self._begin(human, login_name, begun_by=begun_by)
        secret, ends = self._unsealed(begun, human.id), self.clock.now() + SECONDS
        lasts = {"expiresAt": ends, "forgetAt": datetime.fromtimestamp(ends, UTC)}
        async with guarded():
            await self.database[BEGUN].update_one({"_id": human.id, "begunBy": begun_by}, {"$set": lasts})
        return BegunTotp(provisioning_uri(secret, login_name), base32_secret(secret))

    async def find_begun(self, human: EndUser, actor: str) -> Document | None:
        """Returns the actor's registration; None if expired or reset since. Raises `unavailable`."""
        question = {"_id": human.id, "begunBy": actor, "expiresAt": within(SECONDS, self.clock.now())}
        async with guarded():
            found: Document | None = await self.database[BEGUN].find_one(question)
        return found if found and found.get("resets", 0) == human.resets else None

    def confirmed(self, begun: Document, code: str) -> Attachment | None:
        step = matching_step(self._unsealed(begun, begun["_id"]), code, self.clock.now())
        if step is None:
            return None
        return Attachment(
            SECRETS, begun["_id"], {"sealed": begun["sealed"], "lastStep": step, "created": self.clock.now()}
        )

    def imported(self, user_id: str, typed: str) -> Attachment:
        secret = read_base32_secret(typed)
        if secret is None:
            raise SECRET_INVALID.error()
        return Attachment(
            SECRETS, user_id, {**self._sealed(secret, user_id), "lastStep": 0, "created": self.clock.now()}
        )

    def resealed(self, row: Document) -> Document:
        return self._sealed(self._unsealed(row, row["_id"]), row["_id"])

    async def times(self, user_id: str) -> AppTimes:
        async with guarded():
            row = await self.database[SECRETS].find_one({"_id": user_id}, {"created": 1, "lastStep": 1})
        return AppTimes(row.get("created", 0.0), row["lastStep"] * STEP) if row else NEVER

    async def is_right(self, user_id: str, code: str) -> bool:
        """Verifies a sign-in code, valid once, after counting the attempt."""
        await self.attempts.reserve(of_user(user_id, FACTOR))
        async with guarded():
            row = await self.database[SECRETS].find_one({"_id": user_id})
        if row is None:
            return False
        secret = self._unsealed(row, user_id)
        step = matching_step(secret, code, self.clock.now(), after=row["lastStep"])
        if step is None:
            return False
        async with guarded():
            used = await self.database[SECRETS].update_one(
                {"_id": user_id, "lastStep": {"$lt": step}}, {"$set": {"lastStep": step}}
            )
        if used.matched_count != 1:
            return False
        await self.attempts.reset(of_user(user_id, FACTOR))
        return True

    def _sealed(self, secret: bytes, user_id: str) -> Document:
        if self.master_keys is None:
            raise NO_MASTER_KEYS.error()
        sealed = self.master_keys.seal(secret, _bound_to(user_id), self.random)
        return {"sealed": {"master": sealed.master, "nonce": sealed.nonce, "data": sealed.data}}

    def _unsealed(self, row: Document, user_id: str) -> bytes:
        if self.master_keys is None:
            raise NO_MASTER_KEYS.error()
        try:
            return self.master_keys.unseal(SealedAtRest(**row["sealed"]), _bound_to(user_id))
        except UnsealingFailed as error:
            raise UNREADABLE_SECRET.error(user=user_id, cause=str(error)) from None


def _bound_to(user_id: str) -> bytes:
    return f"totp\n{user_id}".encode()


@dataclass(frozen=True, slots=True)
class AuthenticatorSecrets(ById):
    database: Database
    authenticators: TotpAuthenticators
    name: ClassVar[str] = "authenticator-secrets"
    text: ClassVar[str] = "secrets of authenticator apps, sealed under the newest master key"

    @property
    def rows(self) -> Collection:
        return self.database[SECRETS]

    @property
    def due(self) -> Document:
        keys = self.authenticators.master_keys
        return {"sealed.master": {"$exists": True, "$ne": keys.sealing} if keys else {"$in": []}}

    def change(self, row: Document) -> UpdateOne | None:
        try:
            anew = self.authenticators.resealed(row)
        except ServiceError:
            return None
        # Keep the step of the last code: a code stays single-use during the migration.
        return UpdateOne({"_id": row["_id"], "sealed": row["sealed"]}, {"$set": anew})
