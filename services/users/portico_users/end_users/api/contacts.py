"""Email addresses and phone numbers, and their codes."""

from __future__ import annotations

from typing import TypedDict

from portico_contracts.generated.portico.user.v2 import invites_pb2 as invites_pb
from portico_contracts.generated.portico.user.v2 import user_contacts_pb2 as pb

from portico_users.accounts.account import AnyUser
from portico_users.end_users.api.chosen_codes import (
    Chosen,
    chosen_for_email,
    chosen_for_phone,
    refuse_unproven_choice,
)
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import UserCodes
from portico_users.end_users.commands.change_end_user import ChangeEndUser, Contact, EndUserChange
from portico_users.end_users.commands.request_codes import InviteEndUser, RequestEmailCode, RequestPhoneCode
from portico_users.end_users.commands.verify_email import VerifyContact
from portico_users.end_users.new_end_user import CommittedEndUser
from portico_users.management_api.protobuf.details import Details, changed_details_of
from portico_users.management_api.protobuf.places import CONTACT, at_places
from portico_users.management_api.protobuf.target_user import end_user_of
from portico_users.management_api.transport.call import Call


class _Answer(TypedDict):
    details: Details
    verification_code: str | None


async def set_email(
    call: Call[AnyUser], request: pb.SetEmailRequest, *, change_human: ChangeEndUser, codes: UserCodes
) -> pb.SetEmailResponse:
    chosen = chosen_for_email(codes, request)
    changed = await put_contact(call, chosen, change_human, email=request.email)
    return pb.SetEmailResponse(**_answer_of(changed))


async def set_phone(
    call: Call[AnyUser], request: pb.SetPhoneRequest, *, change_human: ChangeEndUser
) -> pb.SetPhoneResponse:
    changed = await put_contact(call, chosen_for_phone(request), change_human, phone=request.phone)
    return pb.SetPhoneResponse(**_answer_of(changed))


async def put_contact(
    call: Call[AnyUser],
    chosen: Chosen,
    change_human: ChangeEndUser,
    *,
    email: str | None = None,
    phone: str | None = None,
) -> CommittedEndUser:
    human = end_user_of(call)
    refuse_unproven_choice(call, chosen)
    change = EndUserChange(
        email=None if email is None else Contact(email, chosen.vouched),
        phone=None if phone is None else Contact(phone, chosen.vouched),
        codes=(chosen.code_request,),
        session_id=call.caller.session_id,
    )
    with at_places(CONTACT):
        return await change_human(human, change, actor=call.caller.user_id)


async def resend_email_code(
    call: Call[AnyUser], request: pb.ResendEmailCodeRequest, *, request_code: RequestEmailCode
) -> pb.ResendEmailCodeResponse:
    return pb.ResendEmailCodeResponse(**await _request(call, request, request_code, again=True))


async def send_email_code(
    call: Call[AnyUser], request: pb.SendEmailCodeRequest, *, request_code: RequestEmailCode
) -> pb.SendEmailCodeResponse:
    return pb.SendEmailCodeResponse(**await _request(call, request, request_code, again=False))


async def verify_email(
    call: Call[AnyUser], request: pb.VerifyEmailRequest, *, verify: VerifyContact
) -> pb.VerifyEmailResponse:
    """Verifies the address; a user's own new address only in the session that requested it."""
    human, caller = end_user_of(call), call.caller
    if caller.user_id == human.id and human.pending_email:
        human = await verify.new_email(human, request.verification_code, caller.session_id)
    else:
        human = await verify(human, Subject.EMAIL, request.verification_code, actor=caller.user_id)
    return pb.VerifyEmailResponse(details=changed_details_of(human))


async def resend_phone_code(
    call: Call[AnyUser], request: pb.ResendPhoneCodeRequest, *, request_code: RequestPhoneCode
) -> pb.ResendPhoneCodeResponse:
    """Replaces the pending code, which the caller delivers. Raises as `RequestPhoneCode`; USER-312."""
    human, chosen = end_user_of(call), chosen_for_phone(request)
    refuse_unproven_choice(call, chosen)
    done = await request_code(human, chosen.code_request, actor=call.caller.user_id)
    return pb.ResendPhoneCodeResponse(**_answer_of(done))


async def _request(
    call: Call[AnyUser],
    request: pb.ResendEmailCodeRequest | pb.SendEmailCodeRequest,
    request_code: RequestEmailCode,
    *,
    again: bool,
) -> _Answer:
    human, chosen = end_user_of(call), chosen_for_email(request_code.codes, request)
    refuse_unproven_choice(call, chosen)
    who = {"actor": call.caller.user_id, "session_id": call.caller.session_id}
    return _answer_of(await request_code(human, chosen.code_request, again=again, **who))


def _answer_of(done: CommittedEndUser) -> _Answer:
    return _Answer(details=changed_details_of(done.human), verification_code=next(iter(done.codes.values()), None))


async def create_invite_code(
    call: Call[AnyUser], request: invites_pb.CreateInviteCodeRequest, *, invite: InviteEndUser
) -> invites_pb.CreateInviteCodeResponse:
    done = await invite(
        end_user_of(call),
        actor=call.caller.user_id,
        returned=request.WhichOneof("verification") == "return_code",
        application=request.send_code.application_name,
        app=request.send_code.application_id,
        url_template=request.send_code.url_template,
    )
    details = changed_details_of(done.human)
    return invites_pb.CreateInviteCodeResponse(details=details, invite_code=done.codes.get(Subject.INVITE))
