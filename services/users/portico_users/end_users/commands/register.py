"""Accepts registrations. The order of the numbered steps protects existing accounts."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from portico_contracts.apply import Password, Profile
from portico_contracts.users import EmailCodeSent, FirstFactor, Register
from portico_oauth.opaque import RandomBytes
from portico_web.languages import pick_language

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.attempts.attempts import Attempts, of_address, of_sender
from portico_users.credentials.attempts.backoff import EMAIL_BACKOFF, SENDER_BACKOFF
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.end_users.codes.challenge import Applicant, Purpose
from portico_users.end_users.codes.challenges import Challenges
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.end_user import EndUser, ProofKind, can_authenticate
from portico_users.end_users.new_end_user import ComputedHash, NewEndUser
from portico_users.journal.command import Command
from portico_users.organizations.org import Org
from portico_users.policies.login_policies import LoginPolicies
from portico_users.values.names import MAX_LENGTH, email_key
from portico_users.values.records import State


class Owner(NamedTuple):
    human: EndUser
    org: Org


@dataclass(frozen=True, slots=True)
class Registration(Command):
    policies: LoginPolicies
    create_human: CreateEndUser
    accounts: MongoAccounts
    attempts: Attempts
    pool: HashingPool
    challenges: Challenges
    random: RandomBytes

    async def register(self, ask: Register) -> EmailCodeSent:
        """Creates a challenge, with the same work whether or not the address has an account (LG-01)."""
        # 1. Check settings and input; nothing here depends on an account.
        self.challenges.require_email_queue()
        joined = await self.policies.load_joined(ask.org_id)
        has_password = await self.policies.allows_passwords(joined)
        if ask.by_domain:
            org = await self.policies.home_of(ask.email, joined, with_password=has_password)
            has_password = has_password and await self.policies.allows_passwords(org)
        else:
            org = joined
        if not has_password:
            ask = msgspec.structs.replace(ask, password="")
        await self._refuse_problems(ask, org, has_password=has_password)
        # 2. Find the owner of the address; always run both queries.
        owner, named = await asyncio.gather(self._find_owner(ask.email), self.accounts.find_by_name(ask.email))
        # 3. Reserve a place in the hashing queue, count the request, then hash.
        async with self.pool.place() as hashing:
            if ask.sender:
                await self.attempts.reserve(of_sender(ask.sender), SENDER_BACKOFF)
            await self.attempts.reserve(of_address(email_key(ask.email)), EMAIL_BACKOFF)
            hash = await hashing.hash(ask.password) if has_password else ""
        # 4. Write the challenge and its email in one transaction; the response is the same.
        if owner and await self._left_off(owner):
            human = owner.human
            purpose = Purpose(
                mail=human.email,
                to=human.email,
                org_name=owner.org.name,
                org_id=owner.org.id,
                user_id=human.id,
                resets=human.resets,
            )
        elif owner:
            purpose = Purpose(
                mail=ask.email,
                to=owner.human.email,
                org_name=owner.org.name,
                org_id=owner.org.id,
                user_id="",
                owner=owner.human.user_name,
                owner_id=owner.human.id,
            )
        else:
            applicant = self._applicant(ask, joined, named, hash)
            purpose = Purpose(
                mail=ask.email, to=ask.email, org_name=org.name, org_id=org.id, user_id="", applicant=applicant
            )
        return EmailCodeSent(challenge=await self.challenges.open(purpose, ask.languages), mail=ask.email)

    async def _refuse_problems(self, ask: Register, org: Org, *, has_password: bool) -> None:
        password = Password(password=ask.password) if has_password else None
        profile = Profile(first_name=ask.first_name, last_name=ask.last_name)
        new = NewEndUser(profile=profile, email=ask.email, email_proof=ProofKind.PROVEN, password=password)
        async for problem in self.create_human.problems(org, new):
            raise problem

    async def _left_off(self, owner: Owner) -> bool:
        """Reports whether a registration created the account and its user left before creating the only first factor.

        The code then leads to the passkey: a link that sets a password does the same where passwords are allowed.
        """
        human, rules = owner.human, await self.policies.rules_of(owner.org)
        if not rules.may_begin_with(FirstFactor.PASSKEY) or human.state is not State.ACTIVE:
            return False
        if rules.may_begin_with(FirstFactor.PASSWORD) or rules.may_begin_with(FirstFactor.EMAIL_CODE):
            return False
        is_settled = human.email_verified and self.challenges.clock.now() >= human.recovery_from
        return is_settled and human.invitation is None and not can_authenticate(human)

    async def _find_owner(self, mail: str) -> Owner | None:
        found = await self.accounts.find_owner_of_email(mail)
        return Owner(*found) if found else None

    def _applicant(self, ask: Register, org: Org, named: AnyUser | None, hash: str) -> Applicant:
        return Applicant(
            org_id=org.id,
            by_domain=ask.by_domain,
            user_name=other_name(ask.email, self.random) if named else ask.email,
            first_name=ask.first_name,
            last_name=ask.last_name,
            language=pick_language(ask.languages).tag if ask.languages else "",
            hash=hash,
        )


def other_name(mail: str, random: RandomBytes) -> str:
    """Returns a user name for a person whose address is another user's user name."""
    tail = base64.b32encode(random(5)).decode().lower()
    return f"{mail.partition('@')[0][: MAX_LENGTH - len(tail) - 1]}-{tail}"


def new_end_user(mail: str, applicant: Applicant) -> NewEndUser:
    profile = Profile(
        first_name=applicant.first_name, last_name=applicant.last_name, preferred_language=applicant.language
    )
    return NewEndUser(
        user_name=applicant.user_name,
        profile=profile,
        email=mail,
        email_proof=ProofKind.PROVEN,
        password=ComputedHash(applicant.hash) if applicant.hash else None,
    )
