"""Keys as second factors: the specification's "verify a u2f token", with what makes it usable."""

from __future__ import annotations

from google.protobuf.json_format import MessageToDict
from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of, login_name_of
from portico_users.credentials.webauthn.ceremonies import Use
from portico_users.credentials.webauthn.registration import CredentialRequest, Made
from portico_users.directory.accounts.account import AnyUser


async def register_u2f(call: Call[AnyUser], request: pb.RegisterU2FRequest) -> pb.RegisterU2FResponse:
    """Begins a registration.

    Raises:
        ServiceError: USER-504, USER-505, USER-506.
    """
    human = human_of(call)
    requested = CredentialRequest(Use.U2F, call.caller.user_id, request.domain)
    begun = await call.needs.credentials.keys.begin(human, await login_name_of(call, human), requested)
    answer = pb.RegisterU2FResponse(details=changed_details_of(human), u2f_id=begun.id)
    answer.public_key_credential_creation_options.update(begun.options)
    return answer


async def verify_u2f_registration(
    call: Call[AnyUser], request: pb.VerifyU2FRegistrationRequest
) -> pb.VerifyU2FRegistrationResponse:
    """Completes a registration.

    Raises:
        ServiceError: USER-501 for one that is not under way, USER-591 for another caller's, USER-502 for a credential that does not fit, USER-503 to 506.
    """
    made = Made(request.u2f_id, MessageToDict(request.public_key_credential), request.token_name)
    requested = CredentialRequest(Use.U2F, call.caller.user_id)
    human = await call.needs.credentials.keys.finish(human_of(call), requested, made, actor=call.caller.user_id)
    return pb.VerifyU2FRegistrationResponse(details=changed_details_of(human))


async def remove_u2f(call: Call[AnyUser], request: pb.RemoveU2FRequest) -> pb.RemoveU2FResponse:
    """Removes a key, or breaks its registration off.

    Raises:
        ServiceError: USER-501, USER-506.
    """
    keys, actor = call.needs.credentials.keys, call.caller.user_id
    human = await keys.remove(human_of(call), Use.U2F, request.u2f_id, actor=actor)
    return pb.RemoveU2FResponse(details=changed_details_of(human))
