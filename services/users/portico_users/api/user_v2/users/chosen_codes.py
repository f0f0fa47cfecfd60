"""How an address or a number is to be verified, as the .proto files offer it."""

from __future__ import annotations

from typing import Any, NamedTuple

from portico_contracts.generated.portico.user.v2 import user_contacts_pb2 as contacts
from portico_contracts.generated.portico.user.v2 import user_pb2 as pb

from portico_users.api.transport.call import Call
from portico_users.api.transport.decision import NOT_PERMITTED
from portico_users.api.transport.targets import USER_NOT_FOUND, find_org
from portico_users.codes.challenge import Subject
from portico_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.commands.people.new_human import NO_TEXT_MESSAGES
from portico_users.directory.members.permissions import Permission
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import ProofKind
from portico_users.kernel.problems import at

MailMessage = (
    pb.SetHumanEmail | contacts.SetEmailRequest | contacts.ResendEmailCodeRequest | contacts.SendEmailCodeRequest
)
PhoneMessage = pb.SetHumanPhone | contacts.SetPhoneRequest | contacts.ResendPhoneCodeRequest


class Chosen(NamedTuple):
    """What the caller chose.

    Attributes:
        vouched: the caller says it is verified.
        code_request: the code that is wanted; None for none.
    """

    vouched: bool = False
    code_request: CodeRequest | None = None

    @property
    def proof(self) -> ProofKind | None:
        """How the address is verified."""
        return ProofKind.ASSERTED if self.vouched else None


def chosen_for_mail(codes: UserCodes, message: MailMessage, place: str = "") -> Chosen:
    """What is chosen for a mail address; ``isVerified: false`` says nothing, and nothing is a mail.

    Where there is no mail server, only who asks for a mail in so many words is refused.

    Args:
        place: of the message in the request.
    """
    match message.WhichOneof("verification"):
        case "is_verified" if getattr(message, "is_verified", False):
            return Chosen(vouched=True)
        case "return_code":
            return Chosen(code_request=CodeRequest(Subject.EMAIL, returned=True))
        case "send_code":
            path = f"{place}.sendCode.urlTemplate" if place else "sendCode.urlTemplate"
            return Chosen(
                code_request=CodeRequest(Subject.EMAIL, url_template=message.send_code.url_template, place=path)
            )
        case _:
            return Chosen(code_request=CodeRequest(Subject.EMAIL) if codes.can_send_email else None)


def chosen_for_phone(message: PhoneMessage, place: str = "") -> Chosen:
    """What is chosen for a phone number.

    Raises:
        ServiceError: USER-404 for a text message.
    """
    match message.WhichOneof("verification"):
        case "is_verified" if getattr(message, "is_verified", False):
            return Chosen(vouched=True)
        case "return_code":
            return Chosen(code_request=CodeRequest(Subject.PHONE, returned=True))
        case "send_code":
            raise at(f"{place}.sendCode" if place else "sendCode", NO_TEXT_MESSAGES.error())
        case _:
            return Chosen()


def require_manager(call: Call[Any], why: str) -> None:
    """Returns for who may write users; being the user is not enough (HH-08).

    Raises:
        ServiceError: USER-312.
    """
    if not call.caller.may(Permission.USER_WRITE, call.target.org_id):
        raise NOT_PERMITTED.error(named=Permission.USER_WRITE, permission=Permission.USER_WRITE, why=why)


def refuse_unproven_choice(call: Call[Any], *choices: Chosen) -> None:
    """Users get the codes for their own addresses by mail, with the link this service or its organization trusts.

    Raises:
        ServiceError: USER-312 for vouching, a returned code or a template without the permission to write users (HH-08).
    """
    for chosen in choices:
        if chosen.vouched or (
            chosen.code_request and (chosen.code_request.returned or chosen.code_request.url_template)
        ):
            require_manager(call, "verification")


async def org_of(call: Call[Any]) -> Org:
    """The organization of the user a call is about."""
    org = await find_org(call.caller, call.target.org_id, call.needs.orgs)
    if org is None:
        raise USER_NOT_FOUND.error(org=call.target.org_id)
    return org
