"""The authentication methods and second factors of a user."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb
from portico_contracts.generated.portico.v1.object_pb2 import ListDetails

from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.factor_times import times_of
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.credentials.totp.authenticators import TotpAuthenticators
from portico_users.credentials.webauthn.stored_credentials import WebAuthnCredentials
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.people.human import Human


async def list_authentication_method_types(
    call: Call[AnyUser], _request: pb.ListAuthenticationMethodTypesRequest
) -> pb.ListAuthenticationMethodTypesResponse:
    """Each kind once; USER-506 for a service user."""
    found = [kind for kind, there in _methods(human_of(call)).items() if there]
    return pb.ListAuthenticationMethodTypesResponse(
        details=ListDetails(total_result=len(found)), auth_method_types=found
    )


async def list_authentication_factors(
    call: Call[AnyUser],
    _request: pb.ListAuthenticationFactorsRequest,
    *,
    credentials: WebAuthnCredentials,
    authenticators: TotpAuthenticators,
) -> pb.ListAuthenticationFactorsResponse:
    """Each second factor; USER-506 for a service user."""
    human, ready = human_of(call), pb.AUTH_FACTOR_STATE_READY
    keys = [key for key in human.security_keys if not key.passkey]
    stored = {key.id: key for key in await credentials.list_of_user(human.id)} if keys else {}
    found = [
        pb.AuthFactor(state=ready, u2f=pb.AuthFactorU2F(id=key.id, name=key.name, **times_of(stored.get(key.id))))
        for key in keys
    ]
    if human.has_totp:
        times = times_of(await authenticators.times(human.id))
        found.append(pb.AuthFactor(state=ready, otp=pb.AuthFactorOTP(**times)))
    if human.has_otp_email:
        found.append(pb.AuthFactor(state=ready, otp_email=pb.AuthFactorOTPEmail()))
    return pb.ListAuthenticationFactorsResponse(result=found)


def _methods(human: Human) -> dict[pb.AuthenticationMethodType, bool]:
    return {
        pb.AUTHENTICATION_METHOD_TYPE_PASSWORD: human.has_password,
        pb.AUTHENTICATION_METHOD_TYPE_PASSKEY: any(key.passkey for key in human.security_keys),
        pb.AUTHENTICATION_METHOD_TYPE_IDP: bool(human.idp_links),
        pb.AUTHENTICATION_METHOD_TYPE_TOTP: human.has_totp,
        pb.AUTHENTICATION_METHOD_TYPE_U2F: any(not key.passkey for key in human.security_keys),
        pb.AUTHENTICATION_METHOD_TYPE_OTP_EMAIL: human.has_otp_email,
        pb.AUTHENTICATION_METHOD_TYPE_RECOVERY_CODE: human.recovery_codes > 0,
    }
