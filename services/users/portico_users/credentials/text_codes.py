"""Sign-in codes by text message: 8 digits, 5 minutes, 10 guesses, valid once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.users import FactorTextSent, FactorVerified, SendFactorText, VerifyFactorText
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import MongoClient, Session
from portico_runtime.process.clock import Clock
from portico_web.languages import pick_language

from portico_users.accounts.account import Account
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.attempts.attempts import Attempts
from portico_users.credentials.sent_codes import SENT_CODE_INDEXES, SentCodes, Tries
from portico_users.credentials.texts import Texts
from portico_users.end_users.end_user import EndUser
from portico_users.notifications.email.queue import commit_waking
from portico_users.notifications.email.text_message import TextMessage, TextPurpose
from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes
from portico_users.values.operator_settings import Issuer

CODES: Final = "factorTextCodes"
TEXT_CODE_INDEXES: Final[Indexes] = {CODES: SENT_CODE_INDEXES}
FACTOR: Final = "otp_sms"
SECONDS: Final = 300.0
GUESSES: Final = 10

NO_OTP_SMS = ErrorCode(
    "USER-170",
    Kind.FAILED_PRECONDITION,
    "No sign-in code can be sent to this user by text message.",
    "Get the user again. Codes by text message are not a second factor of this user, or there is no sender of them.",
)


@dataclass(frozen=True, slots=True)
class TextCodes:
    mongo: MongoClient
    accounts: MongoAccounts
    attempts: Attempts
    texts: Texts
    clock: Clock
    random: RandomBytes
    issuer: Issuer

    async def send_factor_text(self, ask: SendFactorText) -> FactorTextSent:
        """Enqueues the message. Raises USER-170, and as `Texts.reserve`."""
        account, human = await self._load(ask.user_id)
        queue = await self.texts.reserve(human.phone, org_id=human.org_id, user_id=human.id)
        new = self._codes.new(self._codes.new_name(), userId=human.id, phone=human.phone, resets=human.resets)
        message = self._message(account, human, new.code, ask.languages)

        async def write(session: Session) -> None:
            await self._codes.rows.insert_one(new.row, session=session)
            await queue.put(session, message, id=new.id, until=new.ends)

        await commit_waking(queue, self.mongo, write)
        delayed = await self.texts.is_delayed(human.org_id, human.id)
        return FactorTextSent(challenge=new.name, phone=human.phone, delayed=delayed)

    async def verify_factor_text(self, ask: VerifyFactorText) -> FactorVerified:
        return await self._codes.verify(ask, Tries(self.accounts, self.attempts, FACTOR), _is_for)

    async def _load(self, user_id: str) -> tuple[Account, EndUser]:
        account = await self.accounts.find_active(user_id)
        if account is None or not isinstance(account.user, EndUser) or not account.user.has_otp_sms:
            raise NO_OTP_SMS.error(user=user_id)
        return account, account.user

    @property
    def _codes(self) -> SentCodes:
        return SentCodes(self.mongo.database, CODES, SECONDS, GUESSES, self.clock, self.random)

    def _message(self, account: Account, human: EndUser, code: str, languages: tuple[str, ...]) -> TextMessage:
        return TextMessage(
            purpose=TextPurpose.SIGN_IN,
            to=human.phone,
            code=code,
            language=pick_language(languages or (human.preferred_language,)).tag,
            organization=account.org.name,
            issuer=self.issuer,
            org_id=human.org_id,
            user_id=human.id,
        )


def _is_for(row: Document, human: EndUser) -> bool:
    return human.has_otp_sms and human.phone == row["phone"] and human.resets == row["resets"]
