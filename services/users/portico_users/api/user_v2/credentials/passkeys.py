"""Passkeys: keys that begin a sign-in."""

from __future__ import annotations

from typing import Final

from google.protobuf.json_format import MessageToDict
from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb
from portico_contracts.generated.portico.v1.object_pb2 import ListDetails
from webauthn.helpers.structs import AuthenticatorAttachment

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.passkey_targets import NewPasskey
from portico_users.api.user_v2.credentials.person import human_of, login_name_of, person_of
from portico_users.credentials.webauthn.ceremonies import Use
from portico_users.credentials.webauthn.registration import CredentialRequest, Made
from portico_users.credentials.webauthn.registration_links import INVALID_LINK
from portico_users.directory.accounts.account import AnyUser
from portico_users.kernel.problems import at

_ATTACHMENTS: Final = {
    pb.PASSKEY_AUTHENTICATOR_PLATFORM: AuthenticatorAttachment.PLATFORM,
    pb.PASSKEY_AUTHENTICATOR_CROSS_PLATFORM: AuthenticatorAttachment.CROSS_PLATFORM,
}


async def register_passkey(call: Call[NewPasskey], request: pb.RegisterPasskeyRequest) -> pb.RegisterPasskeyResponse:
    """Begins a registration.

    Raises:
        ServiceError: USER-504, USER-505, USER-506, USER-541 for a code that is not good.
    """
    owner, link_id = call.target.subject
    if request.HasField("code") and not link_id:
        raise at("code", INVALID_LINK.error())
    human = person_of(owner)
    attachment = _ATTACHMENTS.get(request.authenticator)
    requested = CredentialRequest(Use.PASSKEY, call.caller.user_id, request.domain, attachment, link_id)
    begun = await call.needs.credentials.keys.begin(human, await login_name_of(call, human), requested)
    answer = pb.RegisterPasskeyResponse(details=changed_details_of(human), passkey_id=begun.id)
    answer.public_key_credential_creation_options.update(begun.options)
    return answer


async def verify_passkey_registration(
    call: Call[AnyUser], request: pb.VerifyPasskeyRegistrationRequest
) -> pb.VerifyPasskeyRegistrationResponse:
    """Completes a registration, and uses the link it was begun with up.

    Raises:
        ServiceError: USER-501 for one that is not under way, USER-502 for a credential that does not fit, USER-503 to 506,
            USER-541 for a link that was used meanwhile.
    """
    made = Made(request.passkey_id, MessageToDict(request.public_key_credential), request.passkey_name)
    requested = CredentialRequest(Use.PASSKEY, call.caller.user_id)
    human = await call.needs.credentials.keys.finish(human_of(call), requested, made, actor=call.caller.user_id)
    return pb.VerifyPasskeyRegistrationResponse(details=changed_details_of(human))


async def list_passkeys(call: Call[AnyUser], _request: pb.ListPasskeysRequest) -> pb.ListPasskeysResponse:
    """All of a user's; USER-506 for a service user."""
    found = [
        pb.Passkey(id=key.id, state=pb.AUTH_FACTOR_STATE_READY, name=key.name)
        for key in human_of(call).security_keys
        if key.passkey
    ]
    return pb.ListPasskeysResponse(details=ListDetails(total_result=len(found)), result=found)


async def remove_passkey(call: Call[AnyUser], request: pb.RemovePasskeyRequest) -> pb.RemovePasskeyResponse:
    """Removes one, or breaks its registration off; USER-501, USER-506."""
    keys, actor = call.needs.credentials.keys, call.caller.user_id
    human = await keys.remove(human_of(call), Use.PASSKEY, request.passkey_id, actor=actor)
    return pb.RemovePasskeyResponse(details=changed_details_of(human))
