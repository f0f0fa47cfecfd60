"""Authenticator apps: the secret sealed under a master key, each code good once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.master_keys import CannotUnseal, MasterKeys, SealedAtRest
from portico_oauth.opaque import RandomBytes
from portico_runtime.clock import Clock
from portico_runtime.mongo import Database, guarded
from pymongo import ASCENDING, IndexModel

from portico_users.credentials.attempts.attempts import Attempts, of_user
from portico_users.credentials.totp.time_codes import SECRET_BYTES, matching_step, provisioning_uri, typed_form
from portico_users.directory.identity_providers.secrets import NO_MASTER_KEYS
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human
from portico_users.kernel.entry import Attachment, Claim
from portico_users.kernel.journal import SPENT, Journal
from portico_users.kernel.lifetimes import within
from portico_users.kernel.schema import Indexes

SECRETS: Final = "totpSecrets"
STARTED: Final = "totpStarted"
TOTP_INDEXES: Final[Indexes] = {STARTED: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),)}
SECONDS: Final = 600.0
"""How long a registration is good."""

FACTOR: Final = "totp"
ATTACHED: Final = ("totpSecret",)

TOTP_ALREADY_SET_UP = ErrorCode(
    "USER-510",
    Kind.ALREADY_EXISTS,
    "There is an authenticator app already.",
    "Remove it before another one is registered.",
)
TOTP_NOT_FOUND = ErrorCode("USER-511", Kind.NOT_FOUND, "There is no such authenticator app.", "Register one first.")
CODE_WRONG = ErrorCode("USER-512", Kind.INVALID_REQUEST, "The code is wrong.", "Type the code that is shown now.")


class Started(NamedTuple):
    """A registration under way, as the user reads it."""

    uri: str
    secret: str

    def __repr__(self) -> str:
        """Says nothing: it is a secret."""
        return "Started(...)"


@dataclass(frozen=True, slots=True)
class TotpAuthenticators:
    """Registers authenticator apps, and checks their codes.

    Args:
        master_keys: None where the operator set none.
    """

    database: Database
    journal: Journal
    attempts: Attempts
    master_keys: MasterKeys | None
    clock: Clock
    random: RandomBytes

    async def start(self, human: Human, login_name: str, *, begun_by: str) -> Started:
        """Begins a registration, instead of any that is under way. Nothing of the user changes yet.

        Raises:
            ServiceError: USER-510, USER-606, `unavailable`.
        """
        if human.has_totp:
            raise TOTP_ALREADY_SET_UP.error()
        secret, ends = self.random(SECRET_BYTES), self.clock.now() + SECONDS
        row = {**self._sealed(secret, human.id), "begunBy": begun_by, "expiresAt": ends}
        row["forgetAt"] = datetime.fromtimestamp(ends, UTC)
        async with guarded():
            await self.database[STARTED].replace_one({"_id": human.id}, row, upsert=True)
        return Started(provisioning_uri(secret, login_name), typed_form(secret))

    async def finish(self, human: Human, code: str, *, actor: str) -> Human:
        """The user with the generator that makes this code.

        Raises:
            ServiceError: USER-510, USER-511 where none is under way that the actor began, USER-512 for a wrong code,
                USER-033 when the caller must wait, USER-012, `unavailable`.
        """
        if human.has_totp:
            raise TOTP_ALREADY_SET_UP.error()
        question = {"_id": human.id, "begunBy": actor, "expiresAt": within(SECONDS, self.clock.now())}
        async with guarded():
            row = await self.database[STARTED].find_one(question)
        if row is None:
            raise TOTP_NOT_FOUND.error()
        # The count before the comparison (LG-05, LG-07).
        await self.attempts.reserve(of_user(human.id, FACTOR))
        step = matching_step(self._unsealed(row, human.id), code, self.clock.now())
        if step is None:
            raise CODE_WRONG.error()
        kept = Attachment(SECRETS, human.id, {"sealed": row["sealed"], "lastStep": step})
        changed = await self._change(human, has_totp=True, kept=(kept,), claim=Claim(STARTED, human.id), actor=actor)
        await self.attempts.reset(of_user(human.id, FACTOR))
        return changed

    async def remove(self, human: Human, *, actor: str) -> Human:
        """The user without the generator.

        Raises:
            ServiceError: USER-511, USER-012, `unavailable`.
        """
        if not human.has_totp:
            raise TOTP_NOT_FOUND.error()
        return await self._change(human, has_totp=False, kept=(), claim=Claim(SECRETS, human.id), actor=actor)

    async def is_right(self, user_id: str, code: str) -> bool:
        """A code at sign-in, good once; the attempt is counted first.

        Raises:
            ServiceError: USER-033 when the caller must wait, USER-606, `unavailable`.
        """
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

    async def _change(
        self, human: Human, *, has_totp: bool, kept: tuple[Attachment, ...], claim: Claim, actor: str
    ) -> Human:
        entry = put_human(human, msgspec.structs.replace(human, has_totp=has_totp))
        entry = replace(entry, attachments=kept, attached=ATTACHED, claims=(claim,))
        try:
            [changed] = await self.journal.commit([entry], actor=actor)
        except ServiceError as error:
            raise (TOTP_NOT_FOUND.error() if error.id == SPENT.id else error) from None
        return changed if isinstance(changed, Human) else human

    def _sealed(self, secret: bytes, user_id: str) -> dict[str, Any]:
        if self.master_keys is None:
            raise NO_MASTER_KEYS.error()
        sealed = self.master_keys.seal(secret, _bound_to(user_id), self.random)
        return {"sealed": {"master": sealed.master, "nonce": sealed.nonce, "data": sealed.data}}

    def _unsealed(self, row: dict[str, Any], user_id: str) -> bytes:
        if self.master_keys is None:
            raise NO_MASTER_KEYS.error()
        try:
            return self.master_keys.unseal(SealedAtRest(**row["sealed"]), _bound_to(user_id))
        except CannotUnseal:
            raise NO_MASTER_KEYS.error(user=user_id) from None


def _bound_to(user_id: str) -> bytes:
    return f"totp\n{user_id}".encode()
