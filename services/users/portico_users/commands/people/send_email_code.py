"""Sends a code to a user whose address is not verified, or another one."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import EmailCodeSent, SendEmailCode
from portico_oauth.errors import INVALID_INPUT, ErrorCode, Kind

from portico_users.codes.challenge import Challenge, Purpose
from portico_users.codes.challenges import Challenges
from portico_users.commands.command import Command
from portico_users.credentials.attempts.attempts import Attempts, of_address
from portico_users.credentials.attempts.backoff import EMAIL_BACKOFF
from portico_users.directory.accounts.account import active_account
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.people.human import Human
from portico_users.kernel.names import MAX_LENGTH, email_key
from portico_users.kernel.problems import ALREADY_USED

NOTHING_TO_PROVE = ErrorCode(
    "USER-065",
    Kind.FAILED_PRECONDITION,
    "This user has no email address that waits for verification.",
    "Get the user again. The address is already verified, or the user is not active.",
)


@dataclass(frozen=True, slots=True)
class EmailCodes(Command):
    """Answers `SEND_EMAIL_CODE`."""

    accounts: MongoAccounts
    attempts: Attempts
    challenges: Challenges

    async def send_email_code(self, ask: SendEmailCode) -> EmailCodeSent:
        """A new challenge; those before it become invalid.

        Raises:
            ServiceError: USER-064 where no emails can be sent, USER-065 for a user without an address to verify, USER-014
                for a challenge that has expired, USER-062 when too many emails went to the address, `unavailable`.
        """
        self.challenges.require_email_queue()
        if bool(ask.user_id) is bool(ask.challenge):
            raise INVALID_INPUT.error()
        before = await self._load(ask.challenge) if ask.challenge else None
        purpose = before.purpose if before else await self._purpose_of(ask.user_id)
        await self.attempts.reserve(of_address(email_key(purpose.mail)), EMAIL_BACKOFF)
        name = await self.challenges.open(purpose, ask.languages, instead_of=before)
        return EmailCodeSent(challenge=name, mail=purpose.mail)

    async def _load(self, name: str) -> Challenge:
        challenge = await self.challenges.find(name)
        if challenge is None:
            raise ALREADY_USED.error(part="challenge")
        return challenge

    async def _purpose_of(self, user_id: str) -> Purpose:
        found = await self.accounts.find_slim(user_id[: MAX_LENGTH + 1])
        account = active_account(*found) if found else None
        if account is None or not isinstance(account.user, Human) or account.user.email_verified:
            raise NOTHING_TO_PROVE.error(user_id=user_id)
        human, org = account.user, account.org
        return Purpose(
            mail=human.email,
            to=human.email,
            org_name=org.name,
            org_id=org.id,
            user_id=human.id,
            resets=human.resets,
        )
