"""Users, where older clients ask otherwise: the same rules, the same events, other messages."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1 import user_service_pb2 as pb
from portico_contracts.generated.portico.user.v2.user_passwords_pb2 import PasswordResetRequest, SetPasswordRequest
from portico_contracts.generated.portico.user.v2.user_pb2 import Password

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import Details, changed_details_of, details_of_answer
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.users.passwords import password_reset, put_password
from portico_users.api.user_v2.users.user_names import refuse_foreign_name
from portico_users.commands.people.new_human import NO_TEXT_MESSAGES
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human
from portico_users.directory.service_users.changes import put_service_user
from portico_users.kernel.names import INVALID_USER_NAME
from portico_users.kernel.problems import at
from portico_users.kernel.states import refuse_unchanged


async def is_user_unique(call: Call[Org], request: pb.IsUserUniqueRequest) -> pb.IsUserUniqueResponse:
    """Whether the names are free, as whoever may create users would hear by creating one.

    Raises:
        ServiceError: USER-003 without a name.
    """
    names = [name for name in (request.user_name, request.email) if name]
    if not names:
        raise at("userName", INVALID_USER_NAME.error())
    taken = [name for name in names if await call.needs.accounts.is_taken(name, call.target.org_id)]
    return pb.IsUserUniqueResponse(is_unique=not taken)


async def update_user_name(call: Call[AnyUser], request: pb.UpdateUserNameRequest) -> pb.UpdateUserNameResponse:
    """Another name.

    Raises:
        ServiceError: USER-003, USER-864 for what may not be one, USER-011 when it is taken, USER-702 when it is the same.
    """
    before = call.target.subject
    await refuse_foreign_name(call.needs, request.user_name, before.org_id, "userName")
    refuse_unchanged(before, msgspec.structs.replace(before, user_name=request.user_name))
    return pb.UpdateUserNameResponse(details=await _rename(call, before, request.user_name))


async def set_human_password(call: Call[AnyUser], request: pb.SetHumanPasswordRequest) -> pb.SetHumanPasswordResponse:
    """A password that somebody else chose. Raises as `set_password`."""
    password = Password(password=request.password, change_required=not request.no_change_required)
    return pb.SetHumanPasswordResponse(details=await _set(call, password))


async def set_human_initial_password(
    call: Call[AnyUser], request: pb.SetHumanInitialPasswordRequest
) -> pb.SetHumanInitialPasswordResponse:
    """A password that must be changed. Raises as `set_password`."""
    password = Password(password=request.password, change_required=True)
    return pb.SetHumanInitialPasswordResponse(details=await _set(call, password))


async def send_reset_notification(
    call: Call[AnyUser], request: pb.SendHumanResetPasswordNotificationRequest
) -> pb.SendHumanResetPasswordNotificationResponse:
    """A link by mail.

    Raises:
        ServiceError: as `password_reset`; USER-404 for a text message.
    """
    if request.type == pb.SendHumanResetPasswordNotificationRequest.TYPE_SMS:
        raise at("type", NO_TEXT_MESSAGES.error())
    answer = await password_reset(call, PasswordResetRequest(user_id=request.user_id))
    return pb.SendHumanResetPasswordNotificationResponse(details=details_of_answer(answer.details))


async def _set(call: Call[AnyUser], password: Password) -> Details:
    return await put_password(call, SetPasswordRequest(new_password=password), "password")


async def _rename(call: Call[AnyUser], before: AnyUser, user_name: str) -> Details:
    if isinstance(before, Human):
        human = await commit(call, put_human(before, msgspec.structs.replace(before, user_name=user_name)))
        return changed_details_of(human)
    service_user = await commit(call, put_service_user(before, msgspec.structs.replace(before, user_name=user_name)))
    return changed_details_of(service_user)
