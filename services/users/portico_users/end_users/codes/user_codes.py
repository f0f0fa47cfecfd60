"""Codes of a user: challenges whose names are stored encrypted, found by user and subject."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from portico_contracts.http import SET_PASSWORD_PAGE, VERIFY_EMAIL_PAGE
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.master_keys import MasterKeys, SealedAtRest, UnsealingFailed
from portico_oauth.opaque import RandomBytes, equal_in_constant_time
from portico_web.languages import pick_language

from portico_users.accounts.account import readable_login_name
from portico_users.credentials.attempts.attempts import Attempts, of_address, of_sender
from portico_users.credentials.attempts.backoff import EMAIL_BACKOFF, SENDER_BACKOFF
from portico_users.credentials.texts import NO_TEXT_MESSAGES, Texts
from portico_users.end_users.codes.challenge import GUESSES, LOOKS, Challenge, Purpose, Subject, code_hash
from portico_users.end_users.codes.challenges import Challenges, Secret, message_about
from portico_users.end_users.end_user import EndUser, can_authenticate
from portico_users.end_users.url_templates import (
    INVALID_TEMPLATE,
    filled,
    invitation_template,
    is_url_template,
    page_template,
    password_template,
)
from portico_users.identity_providers.secrets import NO_MASTER_KEYS
from portico_users.notifications.email.message import EmailMessage
from portico_users.notifications.email.queue import Queued
from portico_users.notifications.email.text_message import TextMessage, TextPurpose
from portico_users.organizations.org import Org
from portico_users.storage.entry import Work
from portico_users.values.names import email_key
from portico_users.values.problems import at

WRONG_CODE = ErrorCode(
    "USER-402",
    Kind.INVALID_REQUEST,
    "The code is wrong or no longer valid.",
    "Enter the code from the email, within an hour. After 10 wrong codes, request another one.",
)
ADDRESS_TOO_NEW = ErrorCode(
    "USER-900",
    Kind.FAILED_PRECONDITION,
    "This user changed their email address less than 24 hours ago.",
    "Wait 24 hours, or have an administrator who may write users set the address as verified.",
)

WRONG_INVITE = ErrorCode(
    "USER-941",
    Kind.INVALID_REQUEST,
    "The invitation code is wrong or no longer valid.",
    "Enter the code from the email, within three days. After 10 wrong codes, request another invitation.",
)

_PAGES: Final = {
    Subject.EMAIL: page_template(VERIFY_EMAIL_PAGE),
    Subject.PASSWORD: password_template(SET_PASSWORD_PAGE),
    Subject.INVITE: invitation_template(SET_PASSWORD_PAGE),
}
"""Pages of links without a template, relative to the issuer. Codes for new addresses are never in links."""

_BY_NAME: Final = (Subject.PASSWORD, Subject.RECOVERY)
"""Subjects whose codes are entered in a browser that knows the challenge's name."""


class Inviter(NamedTuple):
    """`name` is empty where the email has no name."""

    id: str = ""
    name: str = ""


NO_INVITER: Final = Inviter()


@dataclass(frozen=True, slots=True)
class CodeRequest:
    """A requested code; ``name`` is the challenge's if the requester already has it, ``place`` the template's path."""

    subject: Subject
    returned: bool = False
    url_template: str = ""
    place: str = "sendCode.urlTemplate"
    languages: tuple[str, ...] = ()
    application: str = ""
    app_id: str = ""
    name: str = field(default="", repr=False)
    session_id: str = ""
    inviter: Inviter = NO_INVITER


@dataclass(frozen=True, slots=True)
class PlannedCode:
    """A code that is stored and sent once ``side_writes`` is committed with the user."""

    code: str = field(default="", repr=False)
    side_writes: tuple[Work, ...] = ()


@dataclass(frozen=True, slots=True)
class UserCodes:
    challenges: Challenges
    attempts: Attempts
    texts: Texts
    keys: MasterKeys | None
    random: RandomBytes

    @property
    def can_send_email(self) -> bool:
        return self.challenges.email_queue is not None

    def plan(self, human: EndUser, org: Org, code_request: CodeRequest) -> PlannedCode:
        """Plans a code, replacing earlier ones; no password code (USER-900) to an address its user set within a day."""
        if code_request.url_template and not is_url_template(code_request.url_template, org.mail_link_hosts):
            raise at(code_request.place, INVALID_TEMPLATE.error())
        is_text = code_request.subject is Subject.PHONE
        if not code_request.returned and not is_text:
            self.challenges.require_email_queue()
            self._require_settled(human, code_request.subject)
        purpose = Purpose(
            mail=_address(human, code_request.subject),
            to="" if code_request.returned else recipient(human, code_request.subject),
            org_name=org.name,
            org_id=org.id,
            user_id=human.id,
            subject=code_request.subject,
            login_name=human.user_name,
            resets=human.resets,
            session_id=code_request.session_id,
            application=code_request.application,
            app_id=code_request.app_id,
            inviter=code_request.inviter.name,
            url_template=code_request.url_template if code_request.subject is Subject.INVITE else "",
        )
        secret = self.challenges.new_secret(code_request.name)
        message: Queued | None = None
        if not code_request.returned:
            make = self._text if is_text else self._message
            message = make(human, org, purpose, secret, code_request)
        write = self.challenges.write(purpose, secret, message, kept=self._seal(secret.name, purpose))
        return PlannedCode(secret.code if code_request.returned else "", (write,))

    async def reserve(self, human: EndUser, code_request: CodeRequest) -> None:
        """Counts the message with the code. Raises as `reserve_email` and `Texts.reserve`."""
        if code_request.subject is not Subject.PHONE:
            return await self.reserve_email(recipient(human, code_request.subject))
        try:
            await self.texts.reserve(human.phone, org_id=human.org_id, user_id=human.id)
        except ServiceError as error:
            raise at(code_request.place, error) if error.id == NO_TEXT_MESSAGES.id else error from None

    async def reserve_email(self, mail: str) -> None:
        """Counts an email to an address, across all requesters. Raises USER-062 above the limit."""
        await self.attempts.reserve(of_address(email_key(mail)), EMAIL_BACKOFF)

    async def reserve_sender(self, user_id: str) -> None:
        """Counts an email that a user requests to an address of their choice. Raises USER-066 above the limit."""
        await self.attempts.reserve(of_sender(user_id), SENDER_BACKOFF)

    async def is_pending(self, user_id: str, subject: Subject) -> bool:
        return await self.find_pending(user_id, subject) is not None

    async def find_pending(self, user_id: str, subject: Subject) -> Purpose | None:
        challenge = await self.challenges.find_sealed(user_id, subject)
        return challenge.purpose if challenge else None

    def forget(self, user_id: str, *subjects: Subject) -> Work:
        """Returns the writes that delete the codes; they become invalid when their subject changes (HH-08)."""
        return self.challenges.forget(user_id, *subjects)

    async def guess(self, human: EndUser, subject: Subject, code: str) -> Challenge:
        """Returns the challenge of the right code, to be claimed by the change; counts each guess first (LG-07)."""
        wrong = WRONG_INVITE if subject is Subject.INVITE else WRONG_CODE
        if subject is Subject.INVITE and can_authenticate(human):
            raise wrong.error(cause="can sign in")
        kept = await self.challenges.find_sealed(human.id, subject)
        name = self._unseal(kept) if kept else ""
        challenge = await self.challenges.guess(name) if name else None
        wanted = challenge.code_hash if challenge else ""
        if not equal_in_constant_time(code_hash(name, code), wanted) or challenge is None:
            raise wrong.error()
        if challenge.purpose.mail != _address(human, subject):
            raise wrong.error(cause="another address")
        # A phone number does not allow signing in.
        if subject is not Subject.PHONE and challenge.purpose.resets != human.resets:
            raise wrong.error(cause="a reset since")
        return challenge

    async def is_usable(self, human: EndUser, subject: Subject, code: str) -> bool:
        """Reports whether a code would be accepted, and uses nothing up; a wrong code counts as a guess (LG-07).

        Once wrong codes have used up the looks, any code is usable while guesses remain: the form decides then.
        """
        if subject is Subject.INVITE and can_authenticate(human):
            return False
        sealed = await self.challenges.find_sealed(human.id, subject)
        name = self._unseal(sealed) if sealed else ""
        if sealed is None or not name:
            return False
        is_current = sealed.purpose.mail == _address(human, subject) and sealed.purpose.resets == human.resets
        seen = await self.challenges.guess(name, LOOKS)
        if seen is None:
            return is_current and sealed.guesses < GUESSES
        if not equal_in_constant_time(code_hash(name, code), seen.code_hash):
            return False
        await self.challenges.give_back(seen)
        return is_current

    async def guess_named(self, name: str, code: str) -> Challenge:
        """Like `guess`, for a password code by the challenge's name (LG-07)."""
        challenge = await self.challenges.guess(name)
        wanted = challenge.code_hash if challenge else ""
        if not equal_in_constant_time(code_hash(name, code), wanted) or challenge is None:
            raise WRONG_CODE.error()
        if challenge.purpose.subject not in _BY_NAME or not challenge.purpose.user_id:
            raise WRONG_CODE.error(cause="another purpose")
        return challenge

    def _require_settled(self, human: EndUser, subject: Subject) -> None:
        if subject is Subject.PASSWORD and self.challenges.clock.now() < human.recovery_from:
            raise ADDRESS_TOO_NEW.error(user=human.id)

    def _message(
        self, human: EndUser, org: Org, purpose: Purpose, secret: Secret, code_request: CodeRequest
    ) -> EmailMessage:
        values = {
            "UserID": human.id,
            "Code": secret.code,
            "OrgID": org.id,
            "LoginName": readable_login_name(human, org),
        }
        issuer = self.challenges.issuer
        page = _PAGES.get(code_request.subject)
        link = filled(code_request.url_template or issuer + page, values) if page else ""
        languages = (
            (human.preferred_language, *code_request.languages) if human.preferred_language else code_request.languages
        )
        return message_about(purpose, secret.code, issuer, languages, link=link)

    def _text(
        self, human: EndUser, org: Org, purpose: Purpose, secret: Secret, code_request: CodeRequest
    ) -> TextMessage:
        languages = tuple(filter(None, (human.preferred_language, *code_request.languages)))
        return TextMessage(
            purpose=TextPurpose.VERIFY_PHONE,
            to=purpose.mail,
            code=secret.code,
            language=pick_language(languages).tag,
            organization=org.name,
            issuer=self.challenges.issuer,
            org_id=org.id,
            user_id=human.id,
        )

    def _seal(self, name: str, purpose: Purpose) -> str:
        if self.keys is None:
            raise NO_MASTER_KEYS.error()
        sealed = self.keys.seal(name.encode(), _bound_to(purpose), self.random)
        return ".".join((sealed.master, *(base64.b64encode(part).decode() for part in (sealed.nonce, sealed.data))))

    def _unseal(self, challenge: Challenge) -> str:
        """Returns the name; empty if it was tampered with or its master key is no longer configured."""
        if self.keys is None:
            return ""
        master, nonce, data = challenge.kept.split(".")
        sealed = SealedAtRest(master, base64.b64decode(nonce), base64.b64decode(data))
        try:
            return self.keys.unseal(sealed, _bound_to(challenge.purpose)).decode()
        except UnsealingFailed:
            return ""


def recipient(human: EndUser, subject: Subject) -> str:
    return human.pending_email if subject is Subject.NEW_EMAIL else human.email


def _address(human: EndUser, subject: Subject) -> str:
    return human.phone if subject is Subject.PHONE else recipient(human, subject)


def _bound_to(purpose: Purpose) -> bytes:
    return f"code\n{purpose.subject}\n{purpose.user_id}\n{purpose.mail}".encode()
