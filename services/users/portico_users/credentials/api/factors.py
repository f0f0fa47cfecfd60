"""The authentication methods and second factors of a user."""

from __future__ import annotations

from typing import Protocol, TypedDict

from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb
from portico_contracts.generated.portico.v1.object_pb2 import ListDetails

from portico_users.accounts.account import AnyUser
from portico_users.credentials.commands.factor_codes import TextCodesAvailability
from portico_users.credentials.commands.recovery_codes import GenerateRecoveryCodes
from portico_users.credentials.passwords.setting import PasswordSetting
from portico_users.credentials.totp.authenticators import TotpAuthenticators
from portico_users.credentials.totp.edit_totp import RegisterTotp
from portico_users.credentials.webauthn.authenticator_names import authenticator_name
from portico_users.credentials.webauthn.stored_credentials import WebAuthnCredential, WebAuthnCredentials
from portico_users.end_users.end_user import EndUser
from portico_users.management_api.protobuf.details import changed_details_of, timestamp_of
from portico_users.management_api.protobuf.target_user import end_user_of, login_name_of
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import MongoOrgs


async def list_authentication_method_types(
    call: Call[AnyUser], _request: pb.ListAuthenticationMethodTypesRequest, *, passwords: PasswordSetting
) -> pb.ListAuthenticationMethodTypesResponse:
    human = end_user_of(call)
    found = [kind for kind, there in _methods(human).items() if there]
    return pb.ListAuthenticationMethodTypesResponse(
        details=ListDetails(total_result=len(found)),
        auth_method_types=found,
        password_not_allowed=not await passwords.is_usable(human),
    )


async def list_authentication_factors(
    call: Call[AnyUser],
    _request: pb.ListAuthenticationFactorsRequest,
    *,
    credentials: WebAuthnCredentials,
    authenticators: TotpAuthenticators,
    availability: TextCodesAvailability,
) -> pb.ListAuthenticationFactorsResponse:
    human, ready = end_user_of(call), pb.AUTH_FACTOR_STATE_READY
    keys = [key for key in human.security_keys if not key.passkey]
    stored = {key.id: key for key in await credentials.list_of_user(human.id)} if keys else {}
    found = [
        pb.AuthFactor(state=ready, u2f=pb.AuthFactorU2F(id=key.id, name=key.name, **facts_of(stored.get(key.id))))
        for key in keys
    ]
    if human.has_totp:
        times = times_of(await authenticators.times(human.id))
        found.append(pb.AuthFactor(state=ready, otp=pb.AuthFactorOTP(**times)))
    if human.has_otp_email:
        found.append(pb.AuthFactor(state=ready, otp_email=pb.AuthFactorOTPEmail()))
    if human.has_otp_sms:
        found.append(pb.AuthFactor(state=ready, otp_sms=pb.AuthFactorOTPSMS()))
    return pb.ListAuthenticationFactorsResponse(result=found, otp_sms_available=await availability.of(human))


def _methods(human: EndUser) -> dict[pb.AuthenticationMethodType, bool]:
    return {
        pb.AUTHENTICATION_METHOD_TYPE_PASSWORD: human.has_password,
        pb.AUTHENTICATION_METHOD_TYPE_PASSKEY: any(key.passkey for key in human.security_keys),
        pb.AUTHENTICATION_METHOD_TYPE_IDP: bool(human.idp_links),
        pb.AUTHENTICATION_METHOD_TYPE_TOTP: human.has_totp,
        pb.AUTHENTICATION_METHOD_TYPE_U2F: any(not key.passkey for key in human.security_keys),
        pb.AUTHENTICATION_METHOD_TYPE_OTP_EMAIL: human.has_otp_email,
        pb.AUTHENTICATION_METHOD_TYPE_OTP_SMS: human.has_otp_sms,
        pb.AUTHENTICATION_METHOD_TYPE_RECOVERY_CODE: human.recovery_codes > 0,
    }


class Times(Protocol):
    """A factor with times in unix seconds; 0 if unknown."""

    @property
    def created(self) -> float: ...

    @property
    def used(self) -> float: ...


class KnownTimes(TypedDict, total=False):
    creation_date: Timestamp
    last_used: Timestamp


def times_of(factor: Times | None) -> KnownTimes:
    known = KnownTimes()
    if factor and factor.created:
        known["creation_date"] = timestamp_of(factor.created)
    if factor and factor.used:
        known["last_used"] = timestamp_of(factor.used)
    return known


class KeyDetails(KnownTimes):
    """The times of a key, and the authenticator that holds it."""

    authenticator: str


def facts_of(key: WebAuthnCredential | None) -> KeyDetails:
    return KeyDetails(**times_of(key), authenticator=authenticator_name(key.aaguid) if key else "")


async def generate_recovery_codes(
    call: Call[AnyUser], request: pb.GenerateRecoveryCodesRequest, *, generate: GenerateRecoveryCodes
) -> pb.GenerateRecoveryCodesResponse:
    new = await generate(end_user_of(call), request.count, actor=call.caller.user_id)
    return pb.GenerateRecoveryCodesResponse(details=changed_details_of(new.human), recovery_codes=new.codes)


async def count_recovery_codes(
    call: Call[AnyUser], _request: pb.CountRecoveryCodesRequest
) -> pb.CountRecoveryCodesResponse:
    human = end_user_of(call)
    return pb.CountRecoveryCodesResponse(details=changed_details_of(human), count=human.recovery_codes)


async def register_totp(
    call: Call[AnyUser], _request: pb.RegisterTOTPRequest, *, register: RegisterTotp, orgs: MongoOrgs
) -> pb.RegisterTOTPResponse:
    human = end_user_of(call)
    begun = await register(human, await login_name_of(call, human, orgs), actor=call.caller.user_id)
    return pb.RegisterTOTPResponse(details=changed_details_of(human), uri=begun.uri, secret=begun.secret)
