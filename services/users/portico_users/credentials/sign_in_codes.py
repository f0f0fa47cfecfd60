"""Sign-in codes by email: 8 digits, 5 minutes, 10 guesses, valid once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.users import FactorEmailSent, FactorVerified, SendFactorEmail, VerifyFactorEmail
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import MongoClient, Session
from portico_runtime.process.clock import Clock
from portico_web.languages import pick_language

from portico_users.accounts.account import Account
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.attempts.attempts import Attempts, of_address
from portico_users.credentials.attempts.backoff import EMAIL_BACKOFF
from portico_users.credentials.sent_codes import SENT_CODE_INDEXES, SentCodes, Tries
from portico_users.end_users.end_user import EndUser
from portico_users.notifications.email.message import EmailMessage, EmailTemplate
from portico_users.notifications.email.queue import EmailQueue, commit_waking
from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes
from portico_users.values.names import email_key
from portico_users.values.operator_settings import Issuer

CODES: Final = "factorMailCodes"
SIGN_IN_CODE_INDEXES: Final[Indexes] = {CODES: SENT_CODE_INDEXES}
FACTOR: Final = "otp_email"
SECONDS: Final = 300.0
GUESSES: Final = 10

NO_OTP_EMAIL = ErrorCode(
    "USER-550",
    Kind.FAILED_PRECONDITION,
    "No sign-in code can be sent to this user by email.",
    "Get the user again. Emailed codes are not a second factor of this user, or no mail server is configured.",
)


@dataclass(frozen=True, slots=True)
class SignInCodes:
    mongo: MongoClient
    accounts: MongoAccounts
    attempts: Attempts
    email_queue: EmailQueue | None
    clock: Clock
    random: RandomBytes
    issuer: Issuer

    async def send_factor_email(self, ask: SendFactorEmail) -> FactorEmailSent:
        """Enqueues the email. Raises USER-550, USER-062 after too many emails to the address."""
        account, human = await self._load(ask.user_id)
        email_queue = self.email_queue
        if email_queue is None or not human.has_otp_email or not human.email_verified:
            raise NO_OTP_EMAIL.error(user=human.id)
        await self.attempts.reserve(of_address(email_key(human.email)), EMAIL_BACKOFF)
        new = self._codes.new(self._codes.new_name(), userId=human.id, mail=human.email, resets=human.resets)
        message = self._message(account, human, new.code, ask.languages)

        async def write(session: Session) -> None:
            await self._codes.rows.insert_one(new.row, session=session)
            await email_queue.put(session, message, id=new.id, until=new.ends)

        await commit_waking(email_queue, self.mongo, write)
        return FactorEmailSent(challenge=new.name, mail=human.email)

    async def verify_factor_email(self, ask: VerifyFactorEmail) -> FactorVerified:
        return await self._codes.verify(ask, Tries(self.accounts, self.attempts, FACTOR), _is_for)

    async def _load(self, user_id: str) -> tuple[Account, EndUser]:
        account = await self.accounts.find_active(user_id)
        if account is None or not isinstance(account.user, EndUser):
            raise NO_OTP_EMAIL.error()
        return account, account.user

    @property
    def _codes(self) -> SentCodes:
        return SentCodes(self.mongo.database, CODES, SECONDS, GUESSES, self.clock, self.random)

    def _message(self, account: Account, human: EndUser, code: str, languages: tuple[str, ...]) -> EmailMessage:
        values = {"issuer": self.issuer, "organization": account.org.name, "code": code, "login_name": human.user_name}
        tag = pick_language(languages or (human.preferred_language,)).tag
        return EmailMessage(
            template=EmailTemplate.SIGN_IN_CODE,
            to=human.email,
            language=tag,
            values=values,
            org_id=account.org.id,
            user_id=human.id,
        )


def _is_for(row: Document, human: EndUser) -> bool:
    return bool(human.email == row["mail"] and human.resets == row.get("resets", 0))
