from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_users.credentials.attempts.attempts import Attempts, of_user
from portico_users.credentials.totp.authenticators import (
    FACTOR,
    BegunTotp,
    TotpAuthenticators,
    begun_claim,
    secret_claim,
)
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command, Commit
from portico_users.storage.entry import Entry
from portico_users.values.problems import ALREADY_USED, at

TOTP_ALREADY_SET_UP = ErrorCode(
    "USER-510",
    Kind.ALREADY_EXISTS,
    "The user already has an authenticator app.",
    "Remove it before you register another one.",
)
TOTP_NOT_FOUND = ErrorCode("USER-511", Kind.NOT_FOUND, "The user has no authenticator app.", "Register one first.")
CODE_WRONG = ErrorCode("USER-512", Kind.INVALID_REQUEST, "The code is wrong.", "Enter the code the app shows now.")


@dataclass(frozen=True, slots=True)
class RegisterTotp(Command):
    """Starts a registration, or resumes the actor's pending one; the user does not change yet."""

    authenticators: TotpAuthenticators

    async def __call__(self, human: EndUser, login_name: str, *, actor: str) -> BegunTotp:
        """Returns the secret, the same until confirmed, so that an app set up with the first response works."""
        if human.has_totp:
            raise TOTP_ALREADY_SET_UP.error()
        return await self.authenticators.resume(human, login_name, begun_by=actor)


@dataclass(frozen=True, slots=True)
class VerifyTotpRegistration(Command):
    authenticators: TotpAuthenticators
    attempts: Attempts
    commit: Commit

    async def __call__(self, human: EndUser, code: str, *, actor: str) -> EndUser:
        changed = await _commit(self.commit, await self.plan(human, code, begun_by=actor), actor)
        await self.reset_attempts(human)
        return changed

    async def plan(self, human: EndUser, code: str, *, begun_by: str) -> Entry[EndUser]:
        """Returns the change for the right code, which uses up the registration."""
        if human.has_totp:
            raise TOTP_ALREADY_SET_UP.error()
        begun = await self.authenticators.find_begun(human, begun_by)
        if begun is None:
            raise TOTP_NOT_FOUND.error()
        # Count the attempt before comparing (LG-05, LG-07).
        await self.attempts.reserve(of_user(human.id, FACTOR))
        secret = self.authenticators.confirmed(begun, code)
        if secret is None:
            raise at("code", CODE_WRONG.error())
        return replace(_put(human, has_totp=True), attachments=(secret,), claims=(begun_claim(human.id),))

    async def reset_attempts(self, human: EndUser) -> None:
        """Resets the failed attempts; to be called after the commit."""
        await self.attempts.reset(of_user(human.id, FACTOR))


@dataclass(frozen=True, slots=True)
class RemoveTotp(Command):
    commit: Commit

    async def __call__(self, human: EndUser, *, actor: str) -> EndUser:
        if not human.has_totp:
            raise TOTP_NOT_FOUND.error()
        return await _commit(self.commit, replace(_put(human, has_totp=False), claims=(secret_claim(human.id),)), actor)


def _put(human: EndUser, *, has_totp: bool) -> Entry[EndUser]:
    return replace(put_end_user(human, msgspec.structs.replace(human, has_totp=has_totp)), attached=("totpSecret",))


async def _commit(commit: Commit, entry: Entry[EndUser], actor: str) -> EndUser:
    try:
        return await commit(entry, actor=actor)
    except ServiceError as error:
        raise (TOTP_NOT_FOUND.error() if error.id == ALREADY_USED.id else error) from None
