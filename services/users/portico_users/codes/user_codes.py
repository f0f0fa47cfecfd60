"""Codes of somebody who has an account: for an address, a number or a new password.

They are challenges like those of a registration. Only that nobody is given the name of one: it is kept, sealed, and
the challenge is found by its user and what it is about.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Final

from portico_contracts.http import SET_PASSWORD_PAGE, VERIFY_MAIL_PAGE
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.master_keys import CannotUnseal, MasterKeys, SealedAtRest
from portico_oauth.opaque import RandomBytes, same

from portico_users.codes.challenge import Challenge, Purpose, Subject
from portico_users.codes.challenges import Challenges, Secret
from portico_users.codes.code_format import code_hash
from portico_users.codes.emails import message_about
from portico_users.credentials.attempts.attempts import Attempts, of_address
from portico_users.credentials.attempts.backoff import EMAIL_BACKOFF
from portico_users.directory.accounts.account import login_name
from portico_users.directory.identity_providers.secrets import NO_MASTER_KEYS
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import Human, can_authenticate
from portico_users.directory.people.url_templates import INVALID_TEMPLATE, filled, is_url_template, page_template
from portico_users.kernel.canonical_emails import mail_key
from portico_users.kernel.entry import Work
from portico_users.kernel.problems import at
from portico_users.notifications.email.message import EmailMessage

WRONG_CODE = ErrorCode(
    "USER-402",
    Kind.INVALID_REQUEST,
    "This code is wrong, or not good any more.",
    "Enter the code as it was mailed, within an hour; after 10 wrong ones ask for another.",
)
ADDRESS_TOO_NEW = ErrorCode(
    "USER-900",
    Kind.FAILED_PRECONDITION,
    "This user changed their email address less than 24 hours ago.",
    "Wait until a day is over, or have an administrator who may write users set the address as verified.",
)

WRONG_INVITE = ErrorCode(
    "USER-941",
    Kind.INVALID_REQUEST,
    "This code of an invitation is wrong, or not good any more.",
    "Enter the code as it was mailed, within three days; after 10 wrong ones ask for another invitation.",
)

_PAGES: Final = {
    Subject.MAIL: VERIFY_MAIL_PAGE,
    Subject.PASSWORD: SET_PASSWORD_PAGE,
    Subject.INVITE: SET_PASSWORD_PAGE,
}
"""Where a link leads that nobody gave a template for."""


@dataclass(frozen=True, slots=True)
class CodeRequest:
    """What code is wanted.

    Args:
        returned: it goes to the caller, and no mail is sent.
        url_template: of the link in the mail; empty for that to our own page.
        place: where the template stands in the request.
        languages: tags of those the mail is written in where the user's own is not known, best first.
        application: to what an invitation invites; empty for the organization.
        name: of the challenge, where whoever requested it was given one; empty for a new one.
    """

    subject: Subject
    returned: bool = False
    url_template: str = ""
    place: str = "sendCode.urlTemplate"
    languages: tuple[str, ...] = ()
    application: str = ""
    name: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PlannedCode:
    """A code that exists, and is mailed, once ``side_writes`` is committed together with the user.

    Args:
        code: to be returned; empty when it is mailed.
    """

    code: str = field(default="", repr=False)
    side_writes: tuple[Work, ...] = ()


@dataclass(frozen=True, slots=True)
class UserCodes:
    """Plans codes, and takes guesses at them.

    Args:
        keys: None where the operator set none.
    """

    challenges: Challenges
    attempts: Attempts
    keys: MasterKeys | None
    random: RandomBytes

    @property
    def can_send_email(self) -> bool:
        """There is a mail server."""
        return self.challenges.email_queue is not None

    def plan(self, human: Human, org: Org, code_request: CodeRequest) -> PlannedCode:
        """A code for what the human has now, in the place of any earlier one.

        Raises:
            ServiceError: USER-331 for a template that may not be used (HH-06), USER-064 where no mails can be sent,
                USER-606 without a master key, USER-900 for a password that would be mailed to an address its owner
                set just now.
        """
        if code_request.url_template and not is_url_template(code_request.url_template, org.mail_link_hosts):
            raise at(code_request.place, INVALID_TEMPLATE.error())
        if not code_request.returned:
            self.challenges.require_email_queue()
            self._require_settled(human, code_request.subject)
        purpose = Purpose(
            mail=_address(human, code_request.subject),
            to="" if code_request.returned else human.email,
            org_name=org.name,
            user_id=human.id,
            subject=code_request.subject,
            login_name=human.user_name,
            application=code_request.application,
            url_template=code_request.url_template if code_request.subject is Subject.INVITE else "",
        )
        secret = self.challenges.new_secret(code_request.name)
        message = None if code_request.returned else self._message(human, org, purpose, secret, code_request)
        write = self.challenges.write(purpose, secret, message, kept=self._seal(secret.name, purpose))
        return PlannedCode(secret.code if code_request.returned else "", (write,))

    async def reserve_mail(self, mail: str) -> None:
        """Counts a mail to an address, whoever asks for it.

        Raises:
            ServiceError: USER-062 when there were too many.
        """
        await self.attempts.reserve(of_address(mail_key(mail)), EMAIL_BACKOFF)

    async def is_pending(self, user_id: str, subject: Subject) -> bool:
        """A code was made and is neither used nor too old."""
        return await self.find_pending(user_id, subject) is not None

    async def find_pending(self, user_id: str, subject: Subject) -> Purpose | None:
        """What the code is for that was made and is neither used nor too old."""
        challenge = await self.challenges.find_kept(user_id, subject)
        return challenge.purpose if challenge else None

    def forget(self, user_id: str, *subjects: Subject) -> Work:
        """What takes all codes about some subjects away: they die when what they are about changes (HH-08)."""
        return self.challenges.forget(user_id, *subjects)

    async def guess(self, human: Human, subject: Subject, code: str) -> Challenge:
        """The challenge of the right code, to be used up with what it is for. Each guess is counted first (LG-07).

        Raises:
            ServiceError: USER-402 for every other code, and where there is none; USER-941 for that of an invitation, also
                once there is something else to sign in with.
        """
        wrong = WRONG_INVITE if subject is Subject.INVITE else WRONG_CODE
        if subject is Subject.INVITE and can_authenticate(human):
            raise wrong.error(cause="can sign in")
        kept = await self.challenges.find_kept(human.id, subject)
        name = self._unseal(kept) if kept else ""
        challenge = await self.challenges.guess(name) if name else None
        wanted = challenge.code_hash if challenge else ""
        if not same(code_hash(name, code), wanted) or challenge is None:
            raise wrong.error()
        if challenge.purpose.mail != _address(human, subject):
            raise wrong.error(cause="another address")
        return challenge

    async def guess_named(self, name: str, code: str) -> Challenge:
        """The challenge of that name, which a password is set with, for the right code. Each guess is counted first (LG-07).

        Raises:
            ServiceError: USER-402 for every other code and name.
        """
        challenge = await self.challenges.guess(name)
        wanted = challenge.code_hash if challenge else ""
        if not same(code_hash(name, code), wanted) or challenge is None:
            raise WRONG_CODE.error()
        if challenge.purpose.subject is not Subject.PASSWORD or not challenge.purpose.user_id:
            raise WRONG_CODE.error(cause="another purpose")
        return challenge

    def _require_settled(self, human: Human, subject: Subject) -> None:
        if subject is Subject.PASSWORD and self.challenges.clock.now() < human.recovery_from:
            raise ADDRESS_TOO_NEW.error(user=human.id)

    def _message(
        self, human: Human, org: Org, purpose: Purpose, secret: Secret, code_request: CodeRequest
    ) -> EmailMessage:
        values = {"UserID": human.id, "Code": secret.code, "OrgID": org.id, "LoginName": login_name(human, org)}
        issuer = self.challenges.issuer
        link = filled(code_request.url_template or page_template(issuer + _PAGES[code_request.subject]), values)
        languages = (
            (human.preferred_language, *code_request.languages) if human.preferred_language else code_request.languages
        )
        return message_about(purpose, secret.code, issuer, languages, link=link)

    def _seal(self, name: str, purpose: Purpose) -> str:
        if self.keys is None:
            raise NO_MASTER_KEYS.error()
        sealed = self.keys.seal(name.encode(), _bound_to(purpose), self.random)
        return ".".join((sealed.master, *(base64.b64encode(part).decode() for part in (sealed.nonce, sealed.data))))

    def _unseal(self, challenge: Challenge) -> str:
        """The name; nothing when it was changed, or its master key is gone."""
        if self.keys is None:
            return ""
        master, nonce, data = challenge.kept.split(".")
        sealed = SealedAtRest(master, base64.b64decode(nonce), base64.b64decode(data))
        try:
            return self.keys.unseal(sealed, _bound_to(challenge.purpose)).decode()
        except CannotUnseal:
            return ""


def _address(human: Human, subject: Subject) -> str:
    """What a code proves somebody can read."""
    return human.phone if subject is Subject.PHONE else human.email


def _bound_to(purpose: Purpose) -> bytes:
    return f"code\n{purpose.subject}\n{purpose.user_id}\n{purpose.mail}".encode()
