"""Changes a human."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.generated.portico.user.v2.user_changes_pb2 import (
    UpdateHumanUserRequest,
    UpdateHumanUserResponse,
)

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.chosen_codes import (
    Chosen,
    chosen_for_email,
    chosen_for_phone,
    refuse_unproven_choice,
    require_manager,
)
from portico_users.api.user_v2.users.passwords import new_password_in
from portico_users.api.user_v2.users.person_values import attributes_of, profile_of
from portico_users.codes.challenge import Subject
from portico_users.codes.user_codes import UserCodes
from portico_users.commands.people.change_human import ChangeHuman, Contact, HumanChange
from portico_users.commands.people.set_password import NewPassword
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.members.store import MongoMembers


async def update_human_user(
    call: Call[AnyUser],
    request: UpdateHumanUserRequest,
    *,
    change_human: ChangeHuman,
    codes: UserCodes,
    members: MongoMembers,
) -> UpdateHumanUserResponse:
    """Changes everything that is given, in one transaction. Users may change themselves, but not their user name.

    Raises:
        ServiceError: as `ChangeHuman`; USER-312; USER-404 for a text message.
    """
    human, has = human_of(call), request.HasField
    mail = chosen_for_email(codes, request.email, "email") if has("email") else Chosen()
    phone = chosen_for_phone(request.phone, "phone")
    refuse_unproven_choice(call, mail, phone)
    if has("username") and request.username != human.user_name:
        require_manager(call, "username")
    password = await new_password_in(call, request.password, members) if has("password") else None
    change = replace(_change_of(request, mail, phone, password), session_id=call.caller.session_id)
    changed = await change_human(human, change, actor=call.caller.user_id)
    return UpdateHumanUserResponse(
        details=changed_details_of(changed.human),
        email_code=changed.codes.get(Subject.EMAIL),
        phone_code=changed.codes.get(Subject.PHONE),
    )


def _change_of(
    request: UpdateHumanUserRequest, email: Chosen, phone: Chosen, password: NewPassword | None
) -> HumanChange:
    has = request.HasField
    return HumanChange(
        user_name=request.username if has("username") else None,
        profile=profile_of(request.profile) if has("profile") else None,
        attributes=attributes_of(request.attributes) if has("attributes") else None,
        email=Contact(request.email.email, email.vouched) if has("email") else None,
        phone=Contact(request.phone.phone, phone.vouched) if has("phone") else None,
        password=password,
        codes=(email.code_request, phone.code_request),
    )
