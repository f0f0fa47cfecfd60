from __future__ import annotations

from portico_contracts.apply import Password
from portico_contracts.generated.portico.management.v1 import human_pb2 as human_pb
from portico_contracts.generated.portico.management.v1 import user_service_pb2 as pb

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.member import MongoMembers
from portico_users.end_users.api.chosen_codes import Chosen
from portico_users.end_users.api.contacts import put_contact
from portico_users.end_users.api.passwords import ONLY_BY_EMAIL, require_rights
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.end_users.commands.change_end_user import ChangeEndUser, EndUserChange
from portico_users.end_users.commands.set_password import NewPassword, SetPassword
from portico_users.management_api.protobuf.details import changed_details_of
from portico_users.management_api.protobuf.target_user import end_user_of
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import Org
from portico_users.values.names import INVALID_USER_NAME
from portico_users.values.problems import at


async def is_user_unique(
    call: Call[Org], request: pb.IsUserUniqueRequest, *, accounts: MongoAccounts
) -> pb.IsUserUniqueResponse:
    names = [name for name in (request.user_name, request.email) if name]
    if not names:
        raise at("userName", INVALID_USER_NAME.error())
    taken = [name for name in names if await accounts.is_taken(name, call.target.org_id)]
    return pb.IsUserUniqueResponse(is_unique=not taken)


async def set_human_password(
    call: Call[AnyUser], request: pb.SetHumanPasswordRequest, *, set_password: SetPassword, members: MongoMembers
) -> pb.SetHumanPasswordResponse:
    await require_rights(call, members)
    password = Password(password=request.password, change_required=not request.no_change_required)
    changed = await set_password(end_user_of(call), NewPassword(password, None, "password"), actor=call.caller.user_id)
    return pb.SetHumanPasswordResponse(details=changed_details_of(changed))


async def set_human_initial_password(
    call: Call[AnyUser], request: pb.SetHumanInitialPasswordRequest, *, set_password: SetPassword, members: MongoMembers
) -> pb.SetHumanInitialPasswordResponse:
    await require_rights(call, members)
    password = Password(password=request.password, change_required=True)
    changed = await set_password(end_user_of(call), NewPassword(password, None, "password"), actor=call.caller.user_id)
    return pb.SetHumanInitialPasswordResponse(details=changed_details_of(changed))


async def send_reset_notification(
    call: Call[AnyUser], request: pb.SendHumanResetPasswordNotificationRequest, *, change_human: ChangeEndUser
) -> pb.SendHumanResetPasswordNotificationResponse:
    if request.type == pb.SendHumanResetPasswordNotificationRequest.TYPE_SMS:
        raise at("type", ONLY_BY_EMAIL.error())
    change = EndUserChange(codes=(CodeRequest(Subject.PASSWORD),))
    changed = await change_human(end_user_of(call), change, actor=call.caller.user_id)
    return pb.SendHumanResetPasswordNotificationResponse(details=changed_details_of(changed.human))


async def update_human_email(
    call: Call[AnyUser], request: human_pb.UpdateHumanEmailRequest, *, change_human: ChangeEndUser, codes: UserCodes
) -> human_pb.UpdateHumanEmailResponse:
    vouched = request.is_email_verified
    chosen = Chosen(vouched, None if vouched or not codes.can_send_email else CodeRequest(Subject.EMAIL))
    changed = await put_contact(call, chosen, change_human, email=request.email)
    return human_pb.UpdateHumanEmailResponse(details=changed_details_of(changed.human))


async def update_human_phone(
    call: Call[AnyUser], request: human_pb.UpdateHumanPhoneRequest, *, change_human: ChangeEndUser
) -> human_pb.UpdateHumanPhoneResponse:
    changed = await put_contact(call, Chosen(request.is_phone_verified), change_human, phone=request.phone)
    return human_pb.UpdateHumanPhoneResponse(details=changed_details_of(changed.human))
