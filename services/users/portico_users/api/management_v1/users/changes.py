"""Changes of humans as `portico.management.v1` has them."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import human_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.users.chosen_codes import Chosen
from portico_users.api.user_v2.users.contacts import put_contact
from portico_users.codes.challenge import Subject
from portico_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.commands.people.change_human import ChangeHuman
from portico_users.directory.accounts.account import AnyUser


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
