"""Verifies an address or a number by a code, which is used up."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from portico_users.codes.challenge import Subject
from portico_users.codes.challenges import claim_of
from portico_users.codes.user_codes import UserCodes
from portico_users.commands.command import Command, Commit
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.email_address import with_proof
from portico_users.directory.people.human import Human


@dataclass(frozen=True, slots=True)
class VerifyContact(Command):
    """Verifies what a code was created for."""

    codes: UserCodes
    commit: Commit

    async def __call__(self, human: Human, subject: Subject, code: str, *, actor: str) -> Human:
        """The human whose address or number is verified; USER-402 or USER-941 for every other code."""
        challenge = await self.codes.guess(human, subject, code)
        if subject is Subject.PHONE:
            after = msgspec.structs.replace(human, phone_verified=True)
        else:
            after = with_proof(human, emailed=bool(challenge.purpose.to))
        return await self.commit(replace(put_human(human, after), claims=(claim_of(challenge),)), actor=actor)
