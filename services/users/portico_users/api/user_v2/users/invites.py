"""Invitations of people who have nothing to sign in with yet."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import invites_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.codes.challenge import Subject
from portico_users.commands.people.request_codes import InviteHuman
from portico_users.directory.accounts.account import AnyUser


async def create_invite_code(
    call: Call[AnyUser], request: pb.CreateInviteCodeRequest, *, invite: InviteHuman
) -> pb.CreateInviteCodeResponse:
    """A code that verifies the address and allows to set the first password. Raises as `InviteHuman`."""
    done = await invite(
        human_of(call),
        actor=call.caller.user_id,
        returned=request.WhichOneof("verification") == "return_code",
        application=request.send_code.application_name,
        url_template=request.send_code.url_template,
    )
    details = changed_details_of(done.human)
    return pb.CreateInviteCodeResponse(details=details, invite_code=done.codes.get(Subject.INVITE))
