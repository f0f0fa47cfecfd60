"""Verifies an address or a number by a code, which is used up."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
from portico_runtime.clock import Clock

from portico_users.codes.challenge import Challenge, Subject
from portico_users.codes.challenges import claim_of
from portico_users.codes.user_codes import WRONG_CODE, UserCodes
from portico_users.commands.command import Command, Commit
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.email_address import RECOVERY_WAITS, with_address, with_proof
from portico_users.directory.people.human import Human


@dataclass(frozen=True, slots=True)
class VerifyContact(Command):
    """Verifies what a code was created for."""

    codes: UserCodes
    clock: Clock
    commit: Commit

    async def __call__(self, human: Human, subject: Subject, code: str, *, actor: str) -> Human:
        """The human whose address or number is verified; USER-402 or USER-941 for every other code."""
        challenge = await self.codes.guess(human, subject, code)
        if subject is Subject.PHONE:
            return await self._use(challenge, human, msgspec.structs.replace(human, phone_verified=True), actor)
        return await self._use(challenge, human, with_proof(human, emailed=bool(challenge.purpose.to)), actor)

    async def new_email(self, human: Human, code: str, session_id: str) -> Human:
        """The human with the address that was pending.

        Who reads that address and has no session of this human, or another one, can do nothing with its code.

        Raises:
            ServiceError: USER-402 for every other code, and in every session but the one that requested it.
        """
        challenge = await self.codes.guess(human, Subject.NEW_EMAIL, code)
        if challenge.purpose.session_id != session_id:
            raise WRONG_CODE.error(cause="requested in another session")
        waits = self.clock.now() + RECOVERY_WAITS
        changed = with_address(human, human.pending_email, verified=False, recovery_from=waits)
        return await self._use(challenge, human, with_proof(changed, emailed=bool(challenge.purpose.to)), human.id)

    async def _use(self, challenge: Challenge, human: Human, after: Human, actor: str) -> Human:
        return await self.commit(replace(put_human(human, after), claims=(claim_of(challenge),)), actor=actor)
