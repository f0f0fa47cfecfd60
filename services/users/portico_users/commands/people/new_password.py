"""Sets a password: one entry for whoever may, by whatever proves it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import msgspec
from portico_oauth.errors import ServiceError

from portico_users.codes.challenge import Challenge, Subject
from portico_users.codes.challenges import claim_of
from portico_users.codes.user_codes import WRONG_CODE, WRONG_INVITE, UserCodes
from portico_users.credentials.passwords.setting import WRONG_PASSWORD, PasswordSetting
from portico_users.credentials.revocations import Revocations
from portico_users.directory.people.email_address import with_proof
from portico_users.directory.people.human import Human
from portico_users.kernel.entry import Attachment, Claim, Entry

CAUSE: Final = "password"
"""Of the wish that everything given for the old password ends."""


_SUBJECTS: Final = (Subject.PASSWORD, Subject.INVITE)
"""What the codes are about that let somebody set a password."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Why somebody may set the password.

    Args:
        claims: the code, which is used up.
        mail_read: the code was mailed, so that whoever has it reads the address.
        others: what the codes are about that are worth nothing any more: of the one that is used up that is its claim's.
    """

    claims: tuple[Claim, ...] = ()
    mail_read: bool = False
    others: tuple[Subject, ...] = _SUBJECTS


def proof_of(challenge: Challenge) -> Proof:
    """What the right code proves."""
    others = tuple(subject for subject in _SUBJECTS if subject is not challenge.purpose.subject)
    return Proof((claim_of(challenge),), mail_read=bool(challenge.purpose.to), others=others)


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
            with_proof(human, mailed=True) if proof.mail_read else human,
            has_password=True,
            password_change_required=change_required,
        )
        side_writes = (*entry.side_writes, self.codes.forget(human.id, *proof.others))
        revocation = self.revocations.request_revocation(human.id, CAUSE, sessions=True)
        return replace(
            entry,
            after=after,
            attachments=(*entry.attachments, password, revocation),
            attached=(*entry.attached, "password"),
            claims=(*entry.claims, *proof.claims),
            side_writes=side_writes,
        )

    async def guess(self, human: Human, code: str) -> Proof:
        """What the right code proves: one for a new password, or that of an invitation. A guess counts for either.

        Raises:
            ServiceError: USER-402 for every other code.
        """
        for subject in _SUBJECTS:
            try:
                return proof_of(await self.codes.guess(human, subject, code))
            except ServiceError as error:
                if error.id not in (WRONG_CODE.id, WRONG_INVITE.id):
                    raise
        raise WRONG_CODE.error()

    async def is_repeated(self, human: Human, password: str, error: ServiceError) -> bool:
        """Whoever set this password was answered 503, and shows now what has been used up by that."""
        used_up = error.id in (WRONG_PASSWORD.id, WRONG_CODE.id)
        if not used_up or not password or not await self.revocations.is_pending(human.id, CAUSE):
            return False
        return await self.passwords.is_set(human, password)
