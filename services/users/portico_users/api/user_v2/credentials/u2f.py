"""Security keys as second factors (the specification's "verify a u2f token")."""

from __future__ import annotations

from google.protobuf.json_format import MessageToDict
from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of, login_name_of
from portico_users.commands.credentials.webauthn import (
    CredentialRequest,
    NewCredential,
    RegisterCredential,
    VerifyCredential,
)
from portico_users.credentials.webauthn.ceremonies import Use
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.organizations.store import MongoOrgs


async def register_u2f(
    call: Call[AnyUser], request: pb.RegisterU2FRequest, *, register: RegisterCredential, orgs: MongoOrgs
) -> pb.RegisterU2FResponse:
    """Begins a registration; USER-504, USER-505, USER-506."""
    human = human_of(call)
    requested = CredentialRequest(Use.U2F, call.caller.user_id, request.domain)
    begun = await register(human, await login_name_of(call, human, orgs), requested)
    answer = pb.RegisterU2FResponse(details=changed_details_of(human), u2f_id=begun.id)
    answer.public_key_credential_creation_options.update(begun.options)
    return answer


async def verify_u2f_registration(
    call: Call[AnyUser], request: pb.VerifyU2FRegistrationRequest, *, verify: VerifyCredential
) -> pb.VerifyU2FRegistrationResponse:
    """Finishes a registration. Raises as `VerifyCredential`; USER-506."""
    new = NewCredential(request.u2f_id, MessageToDict(request.public_key_credential), request.token_name)
    requested = CredentialRequest(Use.U2F, call.caller.user_id)
    human = await verify(human_of(call), requested, new, actor=call.caller.user_id)
    return pb.VerifyU2FRegistrationResponse(details=changed_details_of(human))
