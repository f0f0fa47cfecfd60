from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import MongoClient, Session
from portico_runtime.process.clock import Clock
from portico_web.languages import pick_language

from portico_users.accounts.account import Account, readable_login_name
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.attempts.attempts import Attempts, of_user
from portico_users.credentials.attempts.backoff import TEST_EMAIL_BACKOFF
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command
from portico_users.notifications.email.message import EmailMessage, EmailTemplate
from portico_users.notifications.email.queue import EmailQueue, commit_waking
from portico_users.notifications.email.samples import sample_values
from portico_users.notifications.senders.sender import Sender
from portico_users.organizations.org import Org
from portico_users.values.names import new_id
from portico_users.values.operator_settings import Issuer

SECONDS: Final = 600.0
"""How long it is retried: a result must come while the administrator waits for it."""

NO_MAIL_SERVER = ErrorCode(
    "USER-067",
    Kind.FAILED_PRECONDITION,
    "No mail server is configured.",
    "Ask the operator to set PORTICO_SMTP_HOST and PORTICO_SMTP_FROM.",
)
NO_VERIFIED_ADDRESS = ErrorCode(
    "USER-068",
    Kind.FAILED_PRECONDITION,
    "You have no verified email address.",
    "Verify your address on the account page. Test emails are sent only there, and service users have no address.",
)


@dataclass(frozen=True, slots=True)
class SendTestEmail(Command):
    mongo: MongoClient
    accounts: MongoAccounts
    attempts: Attempts
    email_queue: EmailQueue | None
    clock: Clock
    random: RandomBytes
    issuer: Issuer

    async def __call__(self, user_id: str, language: str, by: Sender | None = None) -> str:
        """Returns the address; ``by`` is an organization's sender instead of the mail server. Raises USER-067, USER-068, or USER-062 above the limit."""
        account, human = await self._recipient(user_id)
        return await self._send(self._message(account, human, language, by))

    async def sample(self, user_id: str, org: Org | None, template: EmailTemplate, language: str) -> str:
        """Sends an email of the organization with sample values, as `__call__`; without one, that of the instance."""
        account, human = await self._recipient(user_id)
        name, shown = readable_login_name(human, account.org), org or account.org
        values = sample_values(template, language, issuer=self.issuer, organization=shown.name, login_name=name)
        return await self._send(
            EmailMessage(
                template=template,
                to=human.email,
                language=language,
                values=values,
                org_id=org.id if org else "",
                user_id=human.id,
            )
        )

    async def _recipient(self, user_id: str) -> tuple[Account, EndUser]:
        if self.email_queue is None:
            raise NO_MAIL_SERVER.error()
        account = await self.accounts.find_active(user_id)
        if account is None or not isinstance(account.user, EndUser) or not account.user.email_verified:
            raise NO_VERIFIED_ADDRESS.error(user=user_id)
        await self.attempts.reserve(of_user(user_id, "test_email"), TEST_EMAIL_BACKOFF)
        return account, account.user

    async def _send(self, message: EmailMessage) -> str:
        email_queue = self.email_queue
        if email_queue is None:
            raise NO_MAIL_SERVER.error()
        # A different id each time: servers drop a message with a known Message-ID.
        id, until = new_id(self.random), self.clock.now() + SECONDS

        async def write(session: Session) -> None:
            await email_queue.put(session, message, id=id, until=until)

        await commit_waking(email_queue, self.mongo, write)
        return message.to

    def _message(self, account: Account, human: EndUser, language: str, by: Sender | None) -> EmailMessage:
        org = account.org
        values = {"issuer": self.issuer, "organization": org.name, "login_name": readable_login_name(human, org)}
        tag = pick_language((human.preferred_language, language)).tag
        return EmailMessage(
            template=EmailTemplate.TEST,
            to=human.email,
            language=tag,
            values=values,
            org_id=org.id,
            user_id=human.id,
            sender_id=by.id if by else "",
        )
