"""Codes for a human without any other change: for an address, a number, a first password, an invitation, a sign-in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
from portico_contracts.users import EmailCodeSent, SendEmailCode
from portico_oauth.errors import INVALID_INPUT, ErrorCode, Kind

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.app_record import App
from portico_users.applications.start_pages import StartPages
from portico_users.credentials.attempts.attempts import Attempts, of_address
from portico_users.credentials.attempts.backoff import EMAIL_BACKOFF
from portico_users.credentials.texts import NO_TEXT_MESSAGES
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.codes.challenge import Challenge, Purpose, Subject
from portico_users.end_users.codes.challenges import Challenges
from portico_users.end_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.end_users.commands.change_end_user import ChangeEndUser, Contact, EndUserChange
from portico_users.end_users.end_user import EndUser, Invitation, can_authenticate
from portico_users.end_users.new_end_user import CommittedEndUser
from portico_users.journal.command import Command
from portico_users.values.names import INVALID_NAME, email_key, is_name
from portico_users.values.problems import ALREADY_USED, at

VERIFIED_ALREADY = ErrorCode("USER-405", Kind.FAILED_PRECONDITION, "This is already verified.", "No action needed.")
NO_CODE = ErrorCode("USER-406", Kind.FAILED_PRECONDITION, "No verification code is pending.", "Request a new code.")
HAS_PASSWORD = ErrorCode(
    "USER-890", Kind.FAILED_PRECONDITION, "This user already has a password.", "Send a password reset link."
)
CAN_SIGN_IN = ErrorCode(
    "USER-940",
    Kind.FAILED_PRECONDITION,
    "This user can already sign in.",
    "Invite only users who have no password, passkey or linked identity.",
)

NOT_INVITED = ErrorCode(
    "USER-177", Kind.FAILED_PRECONDITION, "This user has no pending invitation.", "No action needed."
)
NO_START_PAGE = ErrorCode(
    "USER-944",
    Kind.FAILED_PRECONDITION,
    "This application cannot be opened after an invitation.",
    "Choose an active application of the user's organization that has an https or loopback redirect URI.",
)


@dataclass(frozen=True, slots=True)
class RequestEmailCode(Command):
    codes: UserCodes
    change_human: ChangeEndUser

    async def __call__(
        self, human: EndUser, request: CodeRequest | None, *, actor: str, again: bool = False, session_id: str = ""
    ) -> CommittedEndUser:
        """Creates a code for the user's address; ``again`` only replaces a pending one. No request: it is emailed."""
        waits = actor == human.id and human.pending_email
        if again and not waits and not await self.codes.is_pending(human.id, Subject.EMAIL):
            raise NO_CODE.error()
        if human.email_verified and not waits:
            raise VERIFIED_ALREADY.error()
        change = EndUserChange(codes=(request or CodeRequest(Subject.EMAIL),), session_id=session_id)
        return await self.change_human(human, change, actor=actor)


@dataclass(frozen=True, slots=True)
class RequestPhoneCode(Command):
    """Creates another code for the user's phone number: sent as a text message, or returned."""

    codes: UserCodes
    change_human: ChangeEndUser

    async def __call__(self, human: EndUser, request: CodeRequest | None, *, actor: str) -> CommittedEndUser:
        request = request or CodeRequest(Subject.PHONE, place="")
        if not request.returned and not await self.codes.texts.can_send(human.org_id, human.id):
            raise at(request.place, NO_TEXT_MESSAGES.error())
        if not await self.codes.is_pending(human.id, Subject.PHONE):
            raise NO_CODE.error()
        return await self.change_human(human, EndUserChange(codes=(request,)), actor=actor)


@dataclass(frozen=True, slots=True)
class RequestFirstPassword(Command):
    change_human: ChangeEndUser

    async def __call__(self, human: EndUser, email: str, *, actor: str) -> CommittedEndUser:
        """Sends an invitation, or a password link to a user with another credential; also sets the address, if given.

        Raises USER-890 if the user has a password; as `ChangeEndUser`.
        """
        if human.has_password:
            raise HAS_PASSWORD.error()
        address = Contact(email) if email not in ("", human.email) else None
        subject = Subject.PASSWORD if can_authenticate(human) else Subject.INVITE
        return await self.change_human(human, EndUserChange(email=address, codes=(CodeRequest(subject),)), actor=actor)


@dataclass(frozen=True, slots=True)
class InviteEndUser(Command):
    codes: UserCodes
    start_pages: StartPages
    change_human: ChangeEndUser

    async def __call__(
        self,
        human: EndUser,
        *,
        actor: str,
        returned: bool = False,
        application: str = "",
        app: str = "",
        url_template: str = "",
    ) -> CommittedEndUser:
        """Values not given are those of the earlier invitation, also of an expired one; `app` is an id or a client id."""
        _refuse_signed_up(human)
        if returned:
            request = CodeRequest(Subject.INVITE, returned=True)
        else:
            opened = await self._find_app(app, human.org_id) if app else None
            request = _request_of(application, opened, url_template, await self._earlier(human))
        return await self.change_human(human, EndUserChange(codes=(request,)), actor=actor)

    async def again(self, human: EndUser, *, actor: str) -> CommittedEndUser:
        """Sends another code like the last one, which may have expired. Raises USER-406 unless one was emailed."""
        _refuse_signed_up(human)
        if await self._earlier(human) is None:
            raise NO_CODE.error()
        return await self(human, actor=actor)

    async def revoke(self, human: EndUser, *, actor: str) -> EndUser:
        """Ends the pending invitation, also an expired one. Raises USER-177 without one."""
        if human.invitation is None and not await self.codes.is_pending(human.id, Subject.INVITE):
            raise NOT_INVITED.error()
        entry = put_end_user(human, msgspec.structs.replace(human, invitation=None))
        forgotten = self.codes.forget(human.id, Subject.INVITE)
        ended = replace(entry, side_writes=(forgotten,), attached=("inviteRevoked",))
        return await self.change_human.commit(ended, actor=actor)

    async def _find_app(self, name: str, org_id: str) -> App:
        found = await self.start_pages.find_app(name, org_id)
        if found is None:
            raise at("sendCode.applicationId", NO_START_PAGE.error())
        return found

    async def _earlier(self, human: EndUser) -> Purpose | Invitation | None:
        """The user has no values of an invitation that a release before 0.4 sent."""
        if human.invitation and human.invitation.emailed:
            return human.invitation
        purpose = await self.codes.find_pending(human.id, Subject.INVITE)
        return purpose if purpose and purpose.to else None


def _refuse_signed_up(human: EndUser) -> None:
    if can_authenticate(human):
        raise CAN_SIGN_IN.error()


def _request_of(
    application: str, app: App | None, url_template: str, earlier: Purpose | Invitation | None
) -> CodeRequest:
    application = application or (app.name if app else earlier.application if earlier else "")
    app_id = app.id if app else earlier.app_id if earlier else ""
    if application and not is_name(application):
        raise at("sendCode.applicationName", INVALID_NAME.error())
    template = url_template or (earlier.url_template if earlier else "")
    return CodeRequest(Subject.INVITE, url_template=template, application=application, app_id=app_id)


NOTHING_TO_PROVE = ErrorCode(
    "USER-065",
    Kind.FAILED_PRECONDITION,
    "This user has no unverified email address.",
    "Get the user to see the current state: the address is already verified, or the user is not active.",
)


@dataclass(frozen=True, slots=True)
class EmailCodes(Command):
    accounts: MongoAccounts
    attempts: Attempts
    challenges: Challenges

    async def send_email_code(self, ask: SendEmailCode) -> EmailCodeSent:
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
        account = await self.accounts.find_active(user_id)
        if account is None or not isinstance(account.user, EndUser) or account.user.email_verified:
            raise NOTHING_TO_PROVE.error(user_id=user_id)
        human, org = account.user, account.org
        return Purpose(
            mail=human.email, to=human.email, org_name=org.name, org_id=org.id, user_id=human.id, resets=human.resets
        )
