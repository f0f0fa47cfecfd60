"""Codes for a human without any other change: for an address, a number, a first password, an invitation."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.errors import ErrorCode, Kind

from portico_users.codes.challenge import Purpose, Subject
from portico_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.commands.command import Command
from portico_users.commands.people.change_human import ChangeHuman, Contact, HumanChange
from portico_users.commands.people.new_human import NO_TEXT_MESSAGES, CommittedHuman
from portico_users.directory.people.human import Human, can_authenticate
from portico_users.kernel.names import INVALID_NAME, is_name
from portico_users.kernel.problems import at

VERIFIED_ALREADY = ErrorCode("USER-405", Kind.FAILED_PRECONDITION, "This is already verified.", "No action needed.")
NO_CODE = ErrorCode("USER-406", Kind.FAILED_PRECONDITION, "No code is waiting to be used.", "Request a new code.")
HAS_PASSWORD = ErrorCode(
    "USER-890",
    Kind.FAILED_PRECONDITION,
    "This user already has a password.",
    "Send a password reset link.",
)
CAN_SIGN_IN = ErrorCode(
    "USER-940",
    Kind.FAILED_PRECONDITION,
    "This user can already sign in.",
    "Invite only users without a password, a passkey and a linked identity.",
)


@dataclass(frozen=True, slots=True)
class RequestEmailCode(Command):
    """Creates a code for the address of a human."""

    codes: UserCodes
    change_human: ChangeHuman

    async def __call__(
        self, human: Human, request: CodeRequest | None, *, actor: str, again: bool = False, session_id: str = ""
    ) -> CommittedHuman:
        """The human with the code to be returned.

        Args:
            request: None sends an email.
            again: only in the place of a pending code.
            session_id: see `HumanChange`.

        Raises:
            ServiceError: USER-406 when none is pending, USER-405 for an address that is verified; as `ChangeHuman`.
        """
        waits = actor == human.id and human.pending_email
        if again and not waits and not await self.codes.is_pending(human.id, Subject.EMAIL):
            raise NO_CODE.error()
        if human.email_verified and not waits:
            raise VERIFIED_ALREADY.error()
        change = HumanChange(codes=(request or CodeRequest(Subject.EMAIL),), session_id=session_id)
        return await self.change_human(human, change, actor=actor)


@dataclass(frozen=True, slots=True)
class RequestPhoneCode(Command):
    """Creates another code for the number of a human, for the caller to deliver."""

    codes: UserCodes
    change_human: ChangeHuman

    async def __call__(self, human: Human, request: CodeRequest | None, *, actor: str) -> CommittedHuman:
        """The human with the code; USER-404 for a text message, USER-406 when no code is pending."""
        if request is None:
            raise NO_TEXT_MESSAGES.error()
        if not await self.codes.is_pending(human.id, Subject.PHONE):
            raise NO_CODE.error()
        return await self.change_human(human, HumanChange(codes=(request,)), actor=actor)


@dataclass(frozen=True, slots=True)
class RequestFirstPassword(Command):
    """Sends the link by which the first password is chosen."""

    change_human: ChangeHuman

    async def __call__(self, human: Human, email: str, *, actor: str) -> CommittedHuman:
        """The human, with another address if one is given; USER-890 for one with a password; as `ChangeHuman`."""
        if human.has_password:
            raise HAS_PASSWORD.error()
        address = Contact(email) if email not in ("", human.email) else None
        change = HumanChange(email=address, codes=(CodeRequest(Subject.PASSWORD),))
        return await self.change_human(human, change, actor=actor)


@dataclass(frozen=True, slots=True)
class InviteHuman(Command):
    """Creates a code that verifies the address and allows to set the first password."""

    codes: UserCodes
    change_human: ChangeHuman

    async def __call__(
        self, human: Human, *, actor: str, returned: bool = False, application: str = "", url_template: str = ""
    ) -> CommittedHuman:
        """The human with the code, if it is returned; what is not given is that of an earlier pending invitation.

        Raises:
            ServiceError: USER-940 for one who can sign in, USER-002 for a name of an application; as `ChangeHuman`.
        """
        _refuse_signed_up(human)
        if returned:
            request = CodeRequest(Subject.INVITE, returned=True)
        else:
            request = _request_of(application, url_template, await self._earlier(human))
        return await self.change_human(human, HumanChange(codes=(request,)), actor=actor)

    async def again(self, human: Human, *, actor: str) -> CommittedHuman:
        """Sends another code like the one that is pending; USER-406 where none is that was sent by email."""
        _refuse_signed_up(human)
        if await self._earlier(human) is None:
            raise NO_CODE.error()
        return await self(human, actor=actor)

    async def _earlier(self, human: Human) -> Purpose | None:
        """The pending invitation that was sent by email, if any."""
        purpose = await self.codes.find_pending(human.id, Subject.INVITE)
        return purpose if purpose and purpose.to else None


def _refuse_signed_up(human: Human) -> None:
    if can_authenticate(human):
        raise CAN_SIGN_IN.error()


def _request_of(application: str, url_template: str, earlier: Purpose | None) -> CodeRequest:
    application = application or (earlier.application if earlier else "")
    if application and not is_name(application):
        raise at("sendCode.applicationName", INVALID_NAME.error())
    template = url_template or (earlier.url_template if earlier else "")
    return CodeRequest(Subject.INVITE, url_template=template, application=application)
