"""Sets the email address of a human, and verifies it by a code."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.user.v2.user_contacts_pb2 import (
    ResendEmailCodeRequest,
    ResendEmailCodeResponse,
    SendEmailCodeRequest,
    SendEmailCodeResponse,
    SetEmailRequest,
    SetEmailResponse,
)

from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.places import Places, at_places
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.chosen_codes import Chosen, chosen_for_email, refuse_unproven_choice
from portico_users.codes.challenge import Subject
from portico_users.codes.user_codes import UserCodes
from portico_users.commands.people.change_human import ChangeHuman, Contact, HumanChange
from portico_users.commands.people.new_human import CommittedHuman
from portico_users.commands.people.request_codes import RequestEmailCode
from portico_users.directory.accounts.account import AnyUser

_PLACES: Final[Places] = ((r"email\.email", "email"),)


async def set_email(
    call: Call[AnyUser], request: SetEmailRequest, *, change_human: ChangeHuman, codes: UserCodes
) -> SetEmailResponse:
    """Sets the address, and creates a code for it unless the caller vouches for it.

    Raises:
        ServiceError: as `ChangeHuman`; USER-312.
    """
    changed = await put_email(call, request.email, chosen_for_email(codes, request), change_human)
    return SetEmailResponse(
        details=changed_details_of(changed.human), verification_code=changed.codes.get(Subject.EMAIL)
    )


async def put_email(call: Call[AnyUser], email: str, chosen: Chosen, change_human: ChangeHuman) -> CommittedHuman:
    """The same for the messages of either API."""
    human = human_of(call)
    refuse_unproven_choice(call, chosen)
    change = HumanChange(email=Contact(email, chosen.vouched), codes=(chosen.code_request,))
    with at_places(_PLACES):
        return await change_human(human, change, actor=call.caller.user_id)


async def resend_email_code(
    call: Call[AnyUser], request: ResendEmailCodeRequest, *, request_code: RequestEmailCode
) -> ResendEmailCodeResponse:
    """Another code in the place of the pending one. Raises as `RequestEmailCode`; USER-312."""
    done = await _request(call, request, request_code, again=True)
    return ResendEmailCodeResponse(
        details=changed_details_of(done.human), verification_code=done.codes.get(Subject.EMAIL)
    )


async def send_email_code(
    call: Call[AnyUser], request: SendEmailCodeRequest, *, request_code: RequestEmailCode
) -> SendEmailCodeResponse:
    """A code for the address. Raises as `RequestEmailCode`; USER-312."""
    done = await _request(call, request, request_code)
    return SendEmailCodeResponse(
        details=changed_details_of(done.human), verification_code=done.codes.get(Subject.EMAIL)
    )


async def _request(
    call: Call[AnyUser],
    request: ResendEmailCodeRequest | SendEmailCodeRequest,
    request_code: RequestEmailCode,
    *,
    again: bool = False,
) -> CommittedHuman:
    human, chosen = human_of(call), chosen_for_email(request_code.codes, request)
    refuse_unproven_choice(call, chosen)
    return await request_code(human, chosen.code_request, actor=call.caller.user_id, again=again)
