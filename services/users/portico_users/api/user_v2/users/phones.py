"""Sets the phone number of a human, and verifies it by a code the caller delivers: Portico sends no text messages."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.user.v2.user_contacts_pb2 import (
    ResendPhoneCodeRequest,
    ResendPhoneCodeResponse,
    SetPhoneRequest,
    SetPhoneResponse,
)

from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.places import Places, at_places
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.chosen_codes import Chosen, chosen_for_phone, refuse_unproven_choice
from portico_users.codes.challenge import Subject
from portico_users.commands.people.change_human import ChangeHuman, Contact, HumanChange
from portico_users.commands.people.new_human import CommittedHuman
from portico_users.commands.people.request_codes import RequestPhoneCode
from portico_users.directory.accounts.account import AnyUser

_PLACES: Final[Places] = ((r"phone\.phone", "phone"),)


async def set_phone(call: Call[AnyUser], request: SetPhoneRequest, *, change_human: ChangeHuman) -> SetPhoneResponse:
    """Sets the number, unverified unless the caller vouches for it.

    Raises:
        ServiceError: as `ChangeHuman`; USER-404 for a text message, USER-312.
    """
    changed = await put_phone(call, request.phone, chosen_for_phone(request), change_human)
    return SetPhoneResponse(
        details=changed_details_of(changed.human), verification_code=changed.codes.get(Subject.PHONE)
    )


async def put_phone(call: Call[AnyUser], phone: str, chosen: Chosen, change_human: ChangeHuman) -> CommittedHuman:
    """The same for the messages of either API."""
    human = human_of(call)
    refuse_unproven_choice(call, chosen)
    change = HumanChange(phone=Contact(phone, chosen.vouched), codes=(chosen.code_request,))
    with at_places(_PLACES):
        return await change_human(human, change, actor=call.caller.user_id)


async def resend_phone_code(
    call: Call[AnyUser], request: ResendPhoneCodeRequest, *, request_code: RequestPhoneCode
) -> ResendPhoneCodeResponse:
    """Another code in the place of the pending one, for the caller to deliver. Raises as `RequestPhoneCode`; USER-312."""
    human, chosen = human_of(call), chosen_for_phone(request)
    refuse_unproven_choice(call, chosen)
    done = await request_code(human, chosen.code_request, actor=call.caller.user_id)
    return ResendPhoneCodeResponse(
        details=changed_details_of(done.human), verification_code=done.codes.get(Subject.PHONE)
    )
