from __future__ import annotations

from portico_contracts.apply import HashedPassword, Password
from portico_contracts.generated.portico.user.v2.user_changes_pb2 import SetPassword as SetPasswordMessage
from portico_contracts.generated.portico.user.v2.user_passwords_pb2 import (
    NOTIFICATION_TYPE_SMS,
    PasswordResetRequest,
    PasswordResetResponse,
    SetPasswordRequest,
    SetPasswordResponse,
)
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.administrators.member import MongoMembers
from portico_users.end_users.api.chosen_codes import Chosen, refuse_unproven_choice, require_manager
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import CodeRequest
from portico_users.end_users.commands.change_end_user import ChangeEndUser, EndUserChange
from portico_users.end_users.commands.set_password import CurrentPassword, EnteredCode, NewPassword, SetPassword
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.messages import hashed_password_of, password_of
from portico_users.management_api.protobuf.details import changed_details_of
from portico_users.management_api.protobuf.target_user import end_user_of
from portico_users.management_api.transport.call import Call
from portico_users.management_api.transport.decision import require_covered
from portico_users.values.problems import at

ONLY_BY_EMAIL = ErrorCode(
    "USER-175",
    Kind.FAILED_PRECONDITION,
    "Links to set a password are sent by email only.",
    "Omit the type, or request a code with returnCode and send it yourself.",
)
OWN_UNPROVEN = ErrorCode(
    "USER-880",
    Kind.PERMISSION_DENIED,
    "To change your own password, enter the current password or an emailed code.",
    "Send the current password, or request a code by email.",
)


async def password_reset(
    call: Call[AnyUser], request: PasswordResetRequest, *, change_human: ChangeEndUser
) -> PasswordResetResponse:
    human = end_user_of(call)
    if request.send_link.notification_type == NOTIFICATION_TYPE_SMS:
        raise at("sendLink.notificationType", ONLY_BY_EMAIL.error())
    returned = request.WhichOneof("medium") == "return_code"
    template = request.send_link.url_template
    code_request = CodeRequest(Subject.PASSWORD, returned=returned, url_template=template, place="sendLink.urlTemplate")
    refuse_unproven_choice(call, Chosen(code_request=code_request))
    if returned or template:
        # For one's own password, only an emailed code with a trusted link proves something.
        refuse_own(call, human)
    changed = await change_human(human, EndUserChange(codes=(code_request,)), actor=call.caller.user_id)
    code = changed.codes.get(Subject.PASSWORD)
    return PasswordResetResponse(details=changed_details_of(changed.human), verification_code=code)


async def set_password(
    call: Call[AnyUser], request: SetPasswordRequest, *, set_password: SetPassword, members: MongoMembers
) -> SetPasswordResponse:
    """Sets the password and revokes all sessions and tokens."""
    new = await new_password_of(call, request, password_of(request.new_password), "newPassword.password", members)
    changed = await set_password(end_user_of(call), new, actor=call.caller.user_id)
    return SetPasswordResponse(details=changed_details_of(changed))


async def new_password_in(call: Call[AnyUser], wanted: SetPasswordMessage, members: MongoMembers) -> NewPassword:
    if wanted.WhichOneof("password_type") == "hashed_password":
        # The password behind a hash cannot be checked against the policy.
        require_manager(call, "hashed password")
        return await new_password_of(
            call, wanted, hashed_password_of(wanted.hashed_password), "password.hashedPassword.hash", members
        )
    return await new_password_of(call, wanted, password_of(wanted.password), "password.password.password", members)


async def new_password_of(
    call: Call[AnyUser],
    message: SetPasswordMessage | SetPasswordRequest,
    value: Password | HashedPassword,
    place: str,
    members: MongoMembers,
) -> NewPassword:
    """Returns the password with its evidence (the current password or a code)."""
    match message.WhichOneof("verification"):
        case "current_password":
            return NewPassword(value, CurrentPassword(message.current_password), place)
        case "verification_code":
            return NewPassword(value, EnteredCode(message.verification_code), place)
        case _:
            await require_rights(call, members)
            return NewPassword(value, None, place)


async def require_rights(call: Call[AnyUser], members: MongoMembers) -> None:
    require_manager(call, "password")
    refuse_own(call, end_user_of(call))
    await require_covered(call, members)


def refuse_own(call: Call[AnyUser], human: EndUser) -> None:
    """Callers may not replace their own password without evidence: a stolen token must not suffice (LG-24)."""
    if human.has_password and human.id == call.caller.user_id:
        raise OWN_UNPROVEN.error()
