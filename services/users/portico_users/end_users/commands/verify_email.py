from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import msgspec
from portico_contracts.users import EmailVerified, VerifyEmail
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes, equal_in_constant_time
from portico_runtime.mongo.client import Database
from portico_runtime.process.clock import Clock

from portico_users.accounts.account import Account, active_account, as_user
from portico_users.accounts.name_constraints import sole_owner
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.codes.challenge import Applicant, Challenge, Subject, code_hash
from portico_users.end_users.codes.challenges import Challenges, claim_of
from portico_users.end_users.codes.user_codes import WRONG_CODE, UserCodes
from portico_users.end_users.commands.register import new_end_user, other_name
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.email_address import RECOVERY_WAITS, with_address, with_proof
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command, Commit
from portico_users.organizations.org import Org
from portico_users.policies.login_policies import MAY_NOT_REGISTER, ORG_UNKNOWN, LoginPolicies
from portico_users.storage.entry import Entry
from portico_users.values.problems import ALREADY_USED, CHANGED_MEANWHILE, NAME_TAKEN

_TRIES: Final = 3
"""How often a change is retried after a concurrent one."""


@dataclass(frozen=True, slots=True)
class EmailVerification(Command):
    accounts: MongoAccounts
    policies: LoginPolicies
    challenges: Challenges
    create_human: CreateEndUser
    database: Database
    random: RandomBytes

    async def verify_email(self, ask: VerifyEmail) -> EmailVerified:
        """Returns the user whose address is now verified; None for a wrong or expired code.

        Challenges for an address that already had an account look the same, but their codes are never sent
        (LG-01). USER-011, if another account got the address since, is revealed only to the owner of the
        mailbox.
        """
        challenge = await self.challenges.guess(ask.challenge)
        wanted = challenge.code_hash if challenge else ""
        if not equal_in_constant_time(code_hash(ask.challenge, ask.code), wanted) or challenge is None:
            return EmailVerified()
        try:
            account = await self._use(challenge)
        except ServiceError as error:
            if error.id != NAME_TAKEN.id:
                raise
            # A concurrent request with the right code created the account: this code is used up.
            if await self.challenges.find(ask.challenge) is None:
                return EmailVerified()
            await self.challenges.drop(challenge)
            raise
        if account is None:  # the code was right, and there is nothing to be done with it any more
            await self.challenges.drop(challenge)
        return EmailVerified(user=as_user(account) if account else None)

    async def _use(self, challenge: Challenge) -> Account | None:
        for tries_left in reversed(range(_TRIES)):
            try:
                return await self._use_once(challenge)
            except ServiceError as error:
                if error.id == ALREADY_USED.id:  # a concurrent call used it
                    return None
                if error.id not in (CHANGED_MEANWHILE.id, NAME_TAKEN.id) or not tries_left:
                    raise
        raise AssertionError("unreachable")  # pragma: no cover

    async def _use_once(self, challenge: Challenge) -> Account | None:
        if applicant := challenge.purpose.applicant:
            return await self._create(challenge, applicant)
        return await self._prove(challenge)

    async def _create(self, challenge: Challenge, applicant: Applicant) -> Account | None:
        mail = challenge.purpose.mail
        try:
            org = await self.policies.load_joined(applicant.org_id)
            if applicant.by_domain:
                org = await self.policies.home_of(mail, org, with_password=bool(applicant.hash))
        except ServiceError as error:
            if error.id not in (ORG_UNKNOWN.id, MAY_NOT_REGISTER.id):
                raise
            return None
        if await self.accounts.find_owner_of_email(mail):
            raise NAME_TAKEN.error(cause="address")
        if await self.accounts.find_by_name(applicant.user_name):
            applicant = msgspec.structs.replace(applicant, user_name=other_name(mail, self.random))
        planned = await self.create_human.plan(org, new_end_user(mail, applicant))
        entry = planned.entry
        meeting = sole_owner(self.database, entry.after)
        return await self._commit(challenge, org, replace(entry, side_writes=(*entry.side_writes, meeting)))

    async def _prove(self, challenge: Challenge) -> Account | None:
        account = await self.accounts.find_active_whole(challenge.purpose.user_id)
        # A code becomes invalid when the address changes (HH-08).
        if account is None or not isinstance(account.user, EndUser) or account.user.email != challenge.purpose.mail:
            return None
        if challenge.purpose.resets != account.user.resets:
            return None
        proven = with_proof(account.user, emailed=True)
        return await self._commit(challenge, account.org, put_end_user(account.user, proven))

    async def _commit(self, challenge: Challenge, org: Org, entry: Entry[EndUser]) -> Account | None:
        """Uses up the code and writes user and event in one transaction."""
        claiming = replace(entry, claims=(claim_of(challenge),))
        return active_account(await self.create_human.commit(claiming, actor=entry.after.id), org)


@dataclass(frozen=True, slots=True)
class VerifyContact(Command):
    codes: UserCodes
    clock: Clock
    commit: Commit

    async def __call__(self, human: EndUser, subject: Subject, code: str, *, actor: str) -> EndUser:
        challenge = await self.codes.guess(human, subject, code)
        if subject is Subject.PHONE:
            return await self._use(challenge, human, msgspec.structs.replace(human, phone_verified=True), actor)
        proven = with_proof(human, emailed=bool(challenge.purpose.to))
        if subject is Subject.INVITE:
            proven = msgspec.structs.replace(proven, invitation=None)
        return await self._use(challenge, human, proven, actor)

    async def new_email(self, human: EndUser, code: str, session_id: str) -> EndUser:
        """The code works only in the session that requested it: the new mailbox alone does not suffice."""
        challenge = await self.codes.guess(human, Subject.NEW_EMAIL, code)
        if challenge.purpose.session_id != session_id:
            raise WRONG_CODE.error(cause="requested in another session")
        waits = self.clock.now() + RECOVERY_WAITS
        changed = with_address(human, human.pending_email, verified=False, recovery_from=waits)
        return await self._use(challenge, human, with_proof(changed, emailed=bool(challenge.purpose.to)), human.id)

    async def _use(self, challenge: Challenge, human: EndUser, after: EndUser, actor: str) -> EndUser:
        return await self.commit(replace(put_end_user(human, after), claims=(claim_of(challenge),)), actor=actor)
