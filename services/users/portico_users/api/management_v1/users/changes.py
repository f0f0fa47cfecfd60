"""Changes of humans as `portico.management.v1` has them."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import human_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.places import PROFILE, Places, at_places
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.chosen_codes import Chosen
from portico_users.api.user_v2.users.contacts import put_contact
from portico_users.api.user_v2.users.person_values import profile_of
from portico_users.codes.challenge import Subject
from portico_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.commands.people.change_human import ChangeHuman, HumanChange
from portico_users.commands.people.request_codes import RequestFirstPassword
from portico_users.directory.accounts.account import AnyUser

_EMAIL: Final[Places] = ((r"email\.email", "email"),)


async def update_human_profile(
    call: Call[AnyUser], request: pb.UpdateHumanProfileRequest, *, change_human: ChangeHuman
) -> pb.UpdateHumanProfileResponse:
    """Replaces the profile; USER-002 for what is no name, USER-702 when nothing would change, USER-506."""
    change = HumanChange(profile=profile_of(request))
    with at_places(PROFILE):
        changed = await change_human.must_change(human_of(call), change, actor=call.caller.user_id)
    return pb.UpdateHumanProfileResponse(details=changed_details_of(changed))


async def update_human_email(
    call: Call[AnyUser], request: pb.UpdateHumanEmailRequest, *, change_human: ChangeHuman, codes: UserCodes
) -> pb.UpdateHumanEmailResponse:
    """Sets the address, and sends a code by email unless the caller vouches for it. Raises as `set_email`."""
    vouched = request.is_email_verified
    chosen = Chosen(vouched, None if vouched or not codes.can_send_email else CodeRequest(Subject.EMAIL))
    changed = await put_contact(call, chosen, change_human, email=request.email)
    return pb.UpdateHumanEmailResponse(details=changed_details_of(changed.human))


async def update_human_phone(
    call: Call[AnyUser], request: pb.UpdateHumanPhoneRequest, *, change_human: ChangeHuman
) -> pb.UpdateHumanPhoneResponse:
    """Sets the number, unverified unless the caller vouches for it. Raises as `set_phone`."""
    changed = await put_contact(call, Chosen(request.is_phone_verified), change_human, phone=request.phone)
    return pb.UpdateHumanPhoneResponse(details=changed_details_of(changed.human))


async def resend_human_initialization(
    call: Call[AnyUser], request: pb.ResendHumanInitializationRequest, *, request_password: RequestFirstPassword
) -> pb.ResendHumanInitializationResponse:
    """Sends the link by which the first password is chosen, to another address if one is given.

    Raises:
        ServiceError: as `RequestFirstPassword`; USER-506.
    """
    with at_places(_EMAIL):
        done = await request_password(human_of(call), request.email, actor=call.caller.user_id)
    return pb.ResendHumanInitializationResponse(details=changed_details_of(done.human))
