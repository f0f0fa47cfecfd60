from __future__ import annotations

from typing import NamedTuple

from portico_contracts.generated.portico.user.v2 import user_contacts_pb2 as contacts
from portico_contracts.generated.portico.user.v2 import user_pb2 as pb

from portico_users.administrators.permissions import Permission
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.end_users.end_user import ProofKind
from portico_users.management_api.transport.call import Call
from portico_users.management_api.transport.decision import NOT_PERMITTED

EmailMessage = (
    pb.SetHumanEmail | contacts.SetEmailRequest | contacts.ResendEmailCodeRequest | contacts.SendEmailCodeRequest
)
PhoneMessage = pb.SetHumanPhone | contacts.SetPhoneRequest | contacts.ResendPhoneCodeRequest


class Chosen(NamedTuple):
    vouched: bool = False
    code_request: CodeRequest | None = None

    @property
    def proof(self) -> ProofKind | None:
        return ProofKind.ASSERTED if self.vouched else None


def chosen_for_email(codes: UserCodes, message: EmailMessage, place: str = "") -> Chosen:
    """By default, and for ``isVerified: false``, a code is emailed, unless there is no mail server."""
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
    match message.WhichOneof("verification"):
        case "is_verified" if getattr(message, "is_verified", False):
            return Chosen(vouched=True)
        case "return_code":
            return Chosen(code_request=CodeRequest(Subject.PHONE, returned=True))
        case "send_code":
            path = f"{place}.sendCode" if place else "sendCode"
            return Chosen(code_request=CodeRequest(Subject.PHONE, place=path))
        case _:
            return Chosen()


def require_manager(call: Call[object], why: str) -> None:
    """Requires the permission to write users, also for one's own account (HH-08). Raises USER-312."""
    if not call.caller.may(Permission.USER_WRITE, call.target.org_id):
        raise NOT_PERMITTED.error(named=Permission.USER_WRITE, permission=Permission.USER_WRITE, why=why)


def refuse_unproven_choice(call: Call[object], *choices: Chosen) -> None:
    """Users without permission to write users get codes only by email, with a trusted link template (HH-08)."""
    for chosen in choices:
        if chosen.vouched or (
            chosen.code_request and (chosen.code_request.returned or chosen.code_request.url_template)
        ):
            require_manager(call, "verification")
