"""Sets passwords, and makes codes that let somebody set one."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2.user_passwords_pb2 import (
    NOTIFICATION_TYPE_SMS,
    PasswordResetRequest,
    PasswordResetResponse,
    SetPasswordRequest,
    SetPasswordResponse,
)
from portico_oauth.errors import ServiceError

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import Details, changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.chosen_codes import Chosen, refuse_unproven_choice
from portico_users.api.user_v2.users.emails import commit_with_code
from portico_users.api.user_v2.users.new_passwords import new_passwords, prove, refuse_own
from portico_users.codes.challenge import Subject
from portico_users.codes.user_codes import CodeRequest
from portico_users.commands.people.new_human import NO_TEXT_MESSAGES
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.people.changes import put_human
from portico_users.kernel.problems import at


async def password_reset(call: Call[AnyUser], request: PasswordResetRequest) -> PasswordResetResponse:
    """A code that lets whoever has it set a new password, mailed or returned.

    Raises:
        ServiceError: USER-404 for a text message, USER-900 for an address the user set just now, USER-331, USER-312,
            USER-880, USER-062, USER-064, USER-606.
    """
    human = human_of(call)
    if request.send_link.notification_type == NOTIFICATION_TYPE_SMS:
        raise at("sendLink.notificationType", NO_TEXT_MESSAGES.error())
    returned = request.WhichOneof("medium") == "return_code"
    template = request.send_link.url_template
    code_request = CodeRequest(Subject.PASSWORD, returned=returned, url_template=template, place="sendLink.urlTemplate")
    refuse_unproven_choice(call, Chosen(code_request=code_request))
    if returned or template:
        # A code for one's own password proves something only where it was mailed, with a link others chose.
        refuse_own(call, human)
    changed, code = await commit_with_code(call, put_human(human, human), code_request)
    return PasswordResetResponse(details=changed_details_of(changed), verification_code=code or None)


async def set_password(call: Call[AnyUser], request: SetPasswordRequest) -> SetPasswordResponse:
    """Sets the password, and ends everything granted so far.

    Raises:
        ServiceError: USER-03x for a password that may not be so, USER-402, USER-403, USER-312, USER-880, USER-033,
            USER-034; `unavailable` also when it is set and the grants live on: the same call again then succeeds.
    """
    return SetPasswordResponse(details=await put_password(call, request, "newPassword.password"))


async def put_password(call: Call[AnyUser], request: SetPasswordRequest, place: str) -> Details:
    """The same, for whatever message has the password in a place. Raises as `set_password`."""
    human, needs, wanted = human_of(call), call.needs, request.new_password
    stored = await needs.passwords.hashed(human, wanted.password, place)
    try:
        proof = await prove(call, human, request)
    except ServiceError as error:
        if not await new_passwords(call).is_repeated(human, wanted.password, error):
            raise
    else:
        entry = new_passwords(call).put(put_human(human, human), proof, stored, change_required=wanted.change_required)
        human = await commit(call, entry)
    await needs.passwords.reset_attempts(human.id)
    await needs.revocations.complete(human.id)
    return changed_details_of(human)
