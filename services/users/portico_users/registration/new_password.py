"""Sets a password: one entry for whoever may, by whatever proves it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import msgspec
from portico_oauth.errors import Refusal

from portico_users.credentials.revocations import Revocations
from portico_users.credentials.setting import WRONG_PASSWORD, PasswordSetting
from portico_users.humans.human import Human
from portico_users.journal.entry import Attachment, Claim, Entry
from portico_users.registration.challenge import Challenge, Subject
from portico_users.registration.challenges import claim_of
from portico_users.registration.user_codes import WRONG_CODE, UserCodes

CAUSE: Final = "password"
"""Of the wish that everything given for the old password ends."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Why somebody may set the password.

    Args:
        claims: the code, which is used up.
        mail_read: the code was mailed, so that whoever has it reads the address.
    """

    claims: tuple[Claim, ...] = ()
    mail_read: bool = False


def proof_of(challenge: Challenge) -> Proof:
    """What the right code proves."""
    return Proof((claim_of(challenge),), mail_read=bool(challenge.purpose.to))


@dataclass(frozen=True, slots=True)
class NewPasswords:
    """Makes the entries."""

    passwords: PasswordSetting
    codes: UserCodes
    revocations: Revocations

    def put(self, entry: Entry[Human], proof: Proof, password: Attachment, *, change_required: bool) -> Entry[Human]:
        """The entry that also sets the password, and ends everything given for the old one."""
        human = entry.after
        after = msgspec.structs.replace(
            human,
            has_password=True,
            password_change_required=change_required,
            email_verified=human.email_verified or proof.mail_read,
        )
        # A code that is used up is taken by its claim; without one the codes of before are worth nothing any more.
        along = entry.along if proof.claims else (*entry.along, self.codes.forget(human.id, Subject.PASSWORD))
        wish = self.revocations.wish(human.id, CAUSE, sessions=True)
        return replace(
            entry,
            after=after,
            attachments=(*entry.attachments, password, wish),
            attached=(*entry.attached, "password"),
            claims=(*entry.claims, *proof.claims),
            along=along,
        )

    async def is_repeated(self, human: Human, password: str, refusal: Refusal) -> bool:
        """Whoever set this password was answered 503, and shows now what has been used up by that."""
        used_up = refusal.id in (WRONG_PASSWORD.id, WRONG_CODE.id)
        if not used_up or not password or not await self.revocations.is_pending(human.id, CAUSE):
            return False
        return await self.passwords.is_set(human, password)
