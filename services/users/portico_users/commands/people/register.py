"""Takes a registration. The order of the steps is the point; see the numbers."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import NamedTuple

from portico_contracts.users import EmailCodeSent, Register
from portico_oauth.opaque import RandomBytes
from portico_web.languages import pick_language

from portico_users.codes.challenge import Applicant, Purpose
from portico_users.codes.challenges import Challenges
from portico_users.credentials.attempts.attempts import Attempts, of_address
from portico_users.credentials.attempts.backoff import EMAIL_BACKOFF
from portico_users.credentials.passwords.block_list import common_passwords
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.organizations.login_policies import LoginPolicies
from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.policies_in_force import PoliciesInForce
from portico_users.directory.people.human import EmailProof, Human, ProofKind
from portico_users.directory.people.rules import problems_of
from portico_users.directory.policies.password_policy import STANDARD, problem_with
from portico_users.kernel.canonical_emails import mail_key
from portico_users.kernel.names import INVALID_MAIL, INVALID_NAME, MAX_LENGTH, is_mail
from portico_users.kernel.problems import refuse_first


class Owner(NamedTuple):
    """Who has an address already."""

    human: Human
    org: Org


@dataclass(frozen=True, slots=True)
class Registration:
    """Answers `REGISTER`."""

    policies: LoginPolicies
    policies_in_force: PoliciesInForce
    accounts: MongoAccounts
    attempts: Attempts
    pool: HashingPool
    challenges: Challenges
    random: RandomBytes

    async def register(self, ask: Register) -> EmailCodeSent:
        """The challenge for the address, after the same work whether or not it has an account (LG-01).

        Raises:
            ServiceError: USER-064 where no mails can be sent; USER-060, USER-063 when the organization is not there or
                lets nobody register; the fact of a name, an address or a password that may not be so; USER-062 when
                too many mails went to the address; USER-034 when the pool is full; `unavailable`.
        """
        # 1. What depends on settings, and on what was entered, but on no account.
        self.challenges.require_email_queue()
        org = await self.policies.load_joined(ask.org_id)
        _refuse_problems(ask, org)
        await self._refuse_password(ask, org)
        # 2. Whose address is it? Both questions are always asked.
        owner, named = await asyncio.gather(self._find_owner(ask.email), self.accounts.find_by_name(ask.email))
        # 3. A place before the count, the count before the work.
        async with self.pool.place() as hashing:
            await self.attempts.reserve(of_address(mail_key(ask.email)), EMAIL_BACKOFF)
            hash = await hashing.hash(ask.password)
        # 4. The challenge and its mail, in one transaction. The answer is the same.
        if owner:
            purpose = Purpose(
                mail=ask.email, to=owner.human.email, org_name=owner.org.name, owner=owner.human.user_name
            )
        else:
            applicant = self._applicant(ask, org, named, hash)
            purpose = Purpose(mail=ask.email, to=ask.email, org_name=org.name, applicant=applicant)
        return EmailCodeSent(challenge=await self.challenges.open(purpose, ask.languages), mail=ask.email)

    async def _refuse_password(self, ask: Register, org: Org) -> None:
        rules = (await self.policies_in_force.of(org.id)).password or STANDARD
        if problem := problem_with(ask.password, ask.email, common_passwords(), rules):
            raise problem.error()

    async def _find_owner(self, mail: str) -> Owner | None:
        found = await self.accounts.find_owner_of_mail(mail)
        return Owner(*found) if found else None

    def _applicant(self, ask: Register, org: Org, named: AnyUser | None, hash: str) -> Applicant:
        return Applicant(
            org_id=org.id,
            user_name=other_name(ask.email, self.random) if named else ask.email,
            first_name=ask.first_name,
            last_name=ask.last_name,
            language=pick_language(ask.languages).tag if ask.languages else "",
            hash=hash,
        )


def other_name(mail: str, random: RandomBytes) -> str:
    """A user name for somebody whose address is another's user name."""
    tail = base64.b32encode(random(5)).decode().lower()
    return f"{mail.partition('@')[0][: MAX_LENGTH - len(tail) - 1]}-{tail}"


def new_human(id: str, mail: str, applicant: Applicant) -> Human:
    """The human an applicant becomes, with the address they proved."""
    return Human(
        id=id,
        org_id=applicant.org_id,
        user_name=applicant.user_name,
        first_name=applicant.first_name,
        last_name=applicant.last_name,
        display_name=f"{applicant.first_name} {applicant.last_name}"[:MAX_LENGTH].strip(),
        email=mail,
        email_verified=True,
        email_proof=EmailProof(kind=ProofKind.PROVEN),
        preferred_language=applicant.language,
        has_password=True,
    )


def _refuse_problems(ask: Register, org: Org) -> None:
    if not is_mail(ask.email):
        raise INVALID_MAIL.error()
    if max(len(ask.first_name), len(ask.last_name)) > MAX_LENGTH:
        raise INVALID_NAME.error()
    applicant = Applicant(
        org_id=org.id,
        user_name=ask.email,
        first_name=ask.first_name,
        last_name=ask.last_name,
        language="",
        hash="",
    )
    refuse_first(problems_of(new_human("", ask.email, applicant)), "")
