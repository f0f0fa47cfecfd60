"""Sign-in with an emailed code instead of a password (decision 0099): 8 digits, 10 minutes, 5 guesses, valid once.

Every caller can request codes for any login name, so that must neither end nor delay the sign-in of the owner: a code
ends only the earlier one of the same browser, and wrong codes count for their code alone, never for the account.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import structlog
from portico_contracts.users import PasswordVerified
from portico_contracts.users.email_codes import SendSignInCode, SignInCodeSent, VerifySignInCode
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import RandomBytes, fingerprint
from portico_runtime.mongo.client import MongoClient, Session
from portico_runtime.process.clock import Clock
from portico_web.languages import pick_language

from portico_users.accounts.account import Account, as_user
from portico_users.accounts.queries import AccountQueries
from portico_users.accounts.store import MongoAccounts
from portico_users.after_response import AfterResponse
from portico_users.credentials.attempts.attempts import Attempts
from portico_users.credentials.attempts.backoff import (
    ADDRESS_CODE_BACKOFF,
    NAME_CODE_BACKOFF,
    SENDER_CODE_BACKOFF,
)
from portico_users.credentials.sent_codes import SENT_CODE_INDEXES, SentCodes
from portico_users.end_users.end_user import EndUser
from portico_users.notifications.email.message import EmailMessage, EmailTemplate
from portico_users.notifications.email.queue import EmailQueue, commit_waking
from portico_users.policies.login_policies import LoginPolicies
from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes
from portico_users.values.names import MAX_LENGTH, email_key, login_key
from portico_users.values.operator_settings import Issuer

log = structlog.get_logger("portico.codes")

CODES: Final = "signInCodes"
EMAIL_CODE_INDEXES: Final[Indexes] = {CODES: SENT_CODE_INDEXES}
SECONDS: Final = 600.0
GUESSES: Final = 5

NO_EMAIL = ErrorCode(
    "USER-120",
    Kind.FAILED_PRECONDITION,
    "Sign-in codes cannot be sent, because no mail server is configured.",
    "Ask the operator to set PORTICO_SMTP_HOST.",
)


@dataclass(frozen=True, slots=True)
class EmailCodeSignIn:
    mongo: MongoClient
    queries: AccountQueries
    accounts: MongoAccounts
    policies: LoginPolicies
    attempts: Attempts
    email_queue: EmailQueue | None
    clock: Clock
    random: RandomBytes
    issuer: Issuer
    after_response: AfterResponse

    async def send_code(self, ask: SendSignInCode) -> SignInCodeSent:
        """Raises USER-120, and USER-066 and USER-062 after too many requests by the sender or for the name."""
        if self.email_queue is None:
            raise NO_EMAIL.error()
        await self.attempts.reserve(_of_sender(ask.sender), SENDER_CODE_BACKOFF)
        await self.attempts.reserve(_of_name(ask.login_name, ask.sender), NAME_CODE_BACKOFF)
        name = self._codes.new_name()
        # The account is looked up after the response.
        self.after_response.run(self._send(self.email_queue, ask, name))
        return SignInCodeSent(challenge=name)

    async def verify_code(self, ask: VerifySignInCode) -> PasswordVerified:
        """The same work for the code of an account and for one that was never sent (LG-01)."""
        row = await self._codes.guess(ask.challenge[: MAX_LENGTH + 1])
        if row is None:
            return PasswordVerified()
        if not await self._codes.take(row, ask.challenge, ask.code):
            return PasswordVerified(attempted=row["userId"])
        account = await self.accounts.find_active(row["userId"])
        if account is None or not await self._may_sign_in(account, row):
            return PasswordVerified(attempted=row["userId"])
        await self._forgive(row)
        return PasswordVerified(user=as_user(account))

    async def _send(self, email_queue: EmailQueue, ask: SendSignInCode, name: str) -> None:
        try:
            account = await self.queries.find_account(ask.login_name, ask.org_id)
            recipient = await self._recipient(account) if account else None
            await self._write(email_queue, ask, name, recipient)
        except ServiceError as error:  # a user without the email requests another
            log.warning("sign-in code not sent", error_code=error.id)

    async def _recipient(self, account: Account) -> Account | None:
        """Returns the account if a code may be sent to it. The sender has had the response already."""
        cause = await self._cause_against(account)
        if not cause and isinstance(account.user, EndUser):
            try:
                await self.attempts.reserve(_of_address(account.user.email), ADDRESS_CODE_BACKOFF)
            except ServiceError as error:
                cause = error.id
        if cause:
            log.info("no sign-in code for this user", user_id=account.user.id, cause=cause)
        return None if cause else account

    async def _write(self, email_queue: EmailQueue, ask: SendSignInCode, name: str, account: Account | None) -> None:
        """Stores the code, or one that is never sent: guesses of either are answered in the same way."""
        user = account.user if account and isinstance(account.user, EndUser) else None
        new = self._codes.new(
            name,
            userId=user.id if user else "",
            mail=user.email if user else "",
            resets=user.resets if user else 0,
            sender=_of_sender(ask.sender),
            name=_of_name(ask.login_name, ask.sender),
        )
        message = self._message(account, user, new.code, ask.languages) if account and user else None
        earlier = fingerprint(ask.earlier) if ask.earlier else ""

        async def write(session: Session) -> None:
            if earlier:
                await self._codes.rows.delete_one({"_id": earlier}, session=session)
                await email_queue.withdraw(session, (earlier,))
            await self._codes.rows.insert_one(new.row, session=session)
            if message:
                await email_queue.put(session, message, id=new.id, until=new.ends)

        await commit_waking(email_queue, self.mongo, write)

    async def _cause_against(self, account: Account) -> str:
        """Returns why the user may not sign in with codes; empty if they may."""
        if not isinstance(account.user, EndUser) or not account.user.email_verified:
            return "address not verified"
        return "" if await self.policies.allows_email_code(account.org) else "login policy"

    async def _may_sign_in(self, account: Account, row: Document) -> bool:
        """A code becomes invalid with its address, a reset of the password, and the policy (HH-08)."""
        user = account.user
        is_same = isinstance(user, EndUser) and user.email == row["mail"] and user.resets == row["resets"]
        return is_same and not await self._cause_against(account)

    async def _forgive(self, row: Document) -> None:
        """Ends the delays of a user who has signed in; a sender gets back one request only."""
        await self.attempts.give_back(row["sender"])
        for counter in (row["name"], _of_address(row["mail"])):
            await self.attempts.reset(counter)

    @property
    def _codes(self) -> SentCodes:
        return SentCodes(self.mongo.database, CODES, SECONDS, GUESSES, self.clock, self.random)

    def _message(self, account: Account, user: EndUser, code: str, languages: tuple[str, ...]) -> EmailMessage:
        values = {"issuer": self.issuer, "organization": account.org.name, "code": code, "login_name": user.user_name}
        preferred = (user.preferred_language, *languages) if user.preferred_language else languages
        return EmailMessage(
            template=EmailTemplate.EMAIL_CODE_SIGN_IN,
            to=user.email,
            language=pick_language(preferred).tag,
            values=values,
            org_id=account.org.id,
            user_id=user.id,
        )


def _of_sender(sender: str) -> str:
    return f"sign-in-codes:sender:{fingerprint(sender)}"


def _of_name(login_name: str, sender: str) -> str:
    """Counts by sender too: requests of an outsider do not delay those of the owner."""
    both = f"{login_key(login_name)}\n{sender}"
    return f"sign-in-codes:name:{fingerprint(both)}"


def _of_address(email: str) -> str:
    return f"sign-in-codes:address:{fingerprint(email_key(email))}"
