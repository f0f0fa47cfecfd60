from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.credentials.api import factors, passwordless, webauthn
from portico_users.credentials.api.webauthn import (
    owner_of_begun_passkey,
    owner_of_new_passkey,
    passkey_credential,
    u2f_credential,
)
from portico_users.credentials.commands.factor_codes import SetOtpEmail, SetOtpSms
from portico_users.credentials.commands.recovery_codes import RemoveRecoveryCodes
from portico_users.credentials.totp.edit_totp import RemoveTotp, VerifyTotpRegistration
from portico_users.credentials.webauthn.ceremonies import Use
from portico_users.credentials.webauthn.edit_passkeys import RemoveCredential, RenameCredential, VerifyCredential
from portico_users.journal.command import Command
from portico_users.management_api.protobuf.changing import Value
from portico_users.management_api.protobuf.target_user import changing_end_user
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import named_user

_OF: Final = "portico.user.v2.UserService"
_MANAGEMENT_V1: Final = "portico.management.v1.UserService"
_WRITE: Final = Permission.USER_CREDENTIAL_WRITE
_READ: Final = Permission.USER_READ
_LINK: Final = Permission.USER_PASSKEY_WRITE


def _own(name: str, command: type[Command], *values: Value) -> Operation:
    return changing_end_user(f"{_OF}.{name}", _WRITE, command, *values, own=True)


_KEYS: Final[tuple[Operation, ...]] = (
    Operation(f"{_OF}.RegisterU2F", _WRITE, named_user, webauthn.register_u2f, own=True),
    _own("VerifyU2FRegistration", VerifyCredential, lambda _: Use.U2F, u2f_credential),
    _own("RemoveU2F", RemoveCredential, lambda _: Use.U2F, "u2f_id"),
    _own("RenameU2F", RenameCredential, lambda _: Use.U2F, "u2f_id", "token_name"),
    Operation(f"{_OF}.RegisterPasskey", _WRITE, owner_of_new_passkey, webauthn.register_passkey, own=True),
    changing_end_user(
        f"{_OF}.VerifyPasskeyRegistration",
        _WRITE,
        VerifyCredential,
        lambda _: Use.PASSKEY,
        passkey_credential,
        find=owner_of_begun_passkey,
        own=True,
    ),
    Operation(f"{_OF}.CreatePasskeyRegistrationLink", _LINK, named_user, webauthn.create_passkey_registration_link),
    Operation(
        f"{_MANAGEMENT_V1}.AddPasswordlessRegistration", _LINK, named_user, passwordless.add_passwordless_registration
    ),
    Operation(
        f"{_MANAGEMENT_V1}.SendPasswordlessRegistration", _LINK, named_user, passwordless.send_passwordless_registration
    ),
    Operation(f"{_OF}.ListPasskeys", _READ, named_user, webauthn.list_passkeys, own=True),
    _own("RemovePasskey", RemoveCredential, lambda _: Use.PASSKEY, "passkey_id"),
    _own("RenamePasskey", RenameCredential, lambda _: Use.PASSKEY, "passkey_id", "passkey_name"),
)

_CODES: Final[tuple[Operation, ...]] = (
    Operation(f"{_OF}.RegisterTOTP", _WRITE, named_user, factors.register_totp, own=True),
    _own("VerifyTOTPRegistration", VerifyTotpRegistration, "code"),
    _own("RemoveTOTP", RemoveTotp),
    _own("AddOTPEmail", SetOtpEmail, lambda _: True),
    _own("RemoveOTPEmail", SetOtpEmail, lambda _: False),
    _own("AddOTPSMS", SetOtpSms, lambda _: True),
    _own("RemoveOTPSMS", SetOtpSms, lambda _: False),
    Operation(f"{_OF}.GenerateRecoveryCodes", _WRITE, named_user, factors.generate_recovery_codes, own=True),
    Operation(f"{_OF}.CountRecoveryCodes", _READ, named_user, factors.count_recovery_codes, own=True),
    _own("RemoveRecoveryCodes", RemoveRecoveryCodes),
    Operation(f"{_OF}.RemoveCredentials", _WRITE, named_user, webauthn.remove_credentials, own=True),
)

_LISTS: Final[tuple[Operation, ...]] = (
    Operation(
        f"{_OF}.ListAuthenticationMethodTypes", _READ, named_user, factors.list_authentication_method_types, own=True
    ),
    Operation(f"{_OF}.ListAuthenticationFactors", _READ, named_user, factors.list_authentication_factors, own=True),
)

CREDENTIALS: Final = (*_KEYS, *_CODES, *_LISTS)
