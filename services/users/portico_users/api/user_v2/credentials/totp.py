"""Code generators (TOTP)."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb
from portico_oauth.errors import ServiceError

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of, login_name_of
from portico_users.credentials.totp.authenticators import CODE_WRONG
from portico_users.directory.accounts.account import AnyUser
from portico_users.kernel.problems import at


async def register_totp(call: Call[AnyUser], _request: pb.RegisterTOTPRequest) -> pb.RegisterTOTPResponse:
    """Begins a registration; USER-506, USER-510, USER-606."""
    human = human_of(call)
    name = await login_name_of(call, human)
    started = await call.needs.credentials.totp_authenticators.start(human, name, begun_by=call.caller.user_id)
    return pb.RegisterTOTPResponse(details=changed_details_of(human), uri=started.uri, secret=started.secret)


async def verify_totp_registration(
    call: Call[AnyUser], request: pb.VerifyTOTPRegistrationRequest
) -> pb.VerifyTOTPRegistrationResponse:
    """Completes a registration; USER-506, USER-510, USER-511, USER-512 for a wrong code, USER-033."""
    totp_authenticators, actor = call.needs.credentials.totp_authenticators, call.caller.user_id
    try:
        human = await totp_authenticators.finish(human_of(call), request.code, actor=actor)
    except ServiceError as error:
        raise (at("code", error) if error.id == CODE_WRONG.id else error) from None
    return pb.VerifyTOTPRegistrationResponse(details=changed_details_of(human))


async def remove_totp(call: Call[AnyUser], _request: pb.RemoveTOTPRequest) -> pb.RemoveTOTPResponse:
    """Removes the generator; USER-506, USER-511."""
    human = await call.needs.credentials.totp_authenticators.remove(human_of(call), actor=call.caller.user_id)
    return pb.RemoveTOTPResponse(details=changed_details_of(human))
