from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import msgspec
from portico_contracts.apply import HashedPassword, Password
from portico_oauth.errors import ServiceError

from portico_users.credentials.passwords.setting import WRONG_PASSWORD, PasswordSetting, refuse_same
from portico_users.credentials.revocations import Revocations
from portico_users.end_users.changes import put_end_user, with_reset
from portico_users.end_users.codes.challenge import Challenge, Subject
from portico_users.end_users.codes.challenges import claim_of
from portico_users.end_users.codes.user_codes import WRONG_CODE, WRONG_INVITE, UserCodes
from portico_users.end_users.email_address import with_proof
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command, Commit
from portico_users.storage.entry import Entry
from portico_users.values.problems import below

_CAUSE: Final = "password"

_SUBJECTS: Final = (Subject.PASSWORD, Subject.INVITE)


@dataclass(frozen=True, slots=True)
class CurrentPassword:
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class EnteredCode:
    code: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewPassword:
    """The password to set; ``evidence`` None if the caller is already authorized, ``place`` its request path."""

    value: Password | HashedPassword
    evidence: CurrentPassword | EnteredCode | Challenge | None = None
    place: str = "password.password"


@dataclass(frozen=True, slots=True)
class SetPassword(Command):
    """Replaces the password and revokes all sessions and grants."""

    passwords: PasswordSetting
    codes: UserCodes
    revocations: Revocations
    commit: Commit

    async def __call__(self, human: EndUser, new: NewPassword, *, actor: str) -> EndUser:
        """Raises `unavailable` also if only the revocation is incomplete: repeating the call completes it."""
        try:
            entry = await self.add_to(put_end_user(human, human), new)
        except ServiceError as error:
            if not await self.is_repeated(human, new, error):
                raise
        else:
            human = await self.commit(entry, actor=actor)
        await self.finish(human)
        return human

    async def add_to(self, entry: Entry[EndUser], new: NewPassword) -> Entry[EndUser]:
        """Checks the evidence first: without it nothing is hashed, and no policy about another's password revealed."""
        before, after = entry.before or entry.after, entry.after
        challenge = await self._check(before, new.evidence)
        value = new.value
        if isinstance(new.evidence, CurrentPassword) and isinstance(value, Password):
            refuse_same(new.evidence.text, value.password)
        if isinstance(value, HashedPassword):
            with below(new.place):
                await self.passwords.require_usable(after)
            stored = self.passwords.imported(after, value.hash, new.place)
        else:
            stored = await self.passwords.hashed(after, value.password, new.place)
        # The code was sent to the previous address.
        if challenge and challenge.purpose.to and before.email == after.email:
            after = with_proof(after, emailed=True)
        after = msgspec.structs.replace(after, has_password=True, password_change_required=value.change_required)
        if before.has_password:
            after = with_reset(before, after)
        used = challenge.purpose.subject if challenge else None
        revocation = self.revocations.request_revocation(
            after.id, _CAUSE, sessions=True, challenge=challenge.id if challenge else ""
        )
        return replace(
            entry,
            after=after,
            attachments=(*entry.attachments, stored, revocation),
            attached=(*entry.attached, "password"),
            claims=(*entry.claims, *((claim_of(challenge),) if challenge else ())),
            side_writes=(*entry.side_writes, self.codes.forget(after.id, *(one for one in _SUBJECTS if one != used))),
        )

    async def is_repeated(self, human: EndUser, new: NewPassword, error: ServiceError) -> bool:
        """Detects a repeated call after a 503, whose evidence is already used up."""
        used_up = error.id in (WRONG_PASSWORD.id, WRONG_CODE.id)
        text = new.value.password if isinstance(new.value, Password) else ""
        if not used_up or not text or not await self.revocations.is_pending(human.id, _CAUSE):
            return False
        return await self.passwords.is_set(human, text)

    async def finish(self, human: EndUser) -> None:
        """Resets the back-off and completes the revocation. Raises `unavailable` until it is confirmed."""
        await self.passwords.reset_attempts(human.id)
        await self.revocations.complete(human.id)

    async def _check(
        self, human: EndUser, evidence: CurrentPassword | EnteredCode | Challenge | None
    ) -> Challenge | None:
        match evidence:
            case CurrentPassword(text=text):
                await self.passwords.require_current(human, text)
                return None
            case EnteredCode(code=code):
                return await self._guess(human, code)
            case _:
                return evidence

    async def _guess(self, human: EndUser, code: str) -> Challenge:
        """Returns the challenge of either subject for the right code; a guess counts for both."""
        for subject in _SUBJECTS:
            try:
                return await self.codes.guess(human, subject, code)
            except ServiceError as error:
                if error.id not in (WRONG_CODE.id, WRONG_INVITE.id):
                    raise
        raise WRONG_CODE.error()
