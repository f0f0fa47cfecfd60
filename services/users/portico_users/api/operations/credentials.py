"""The operations on credentials but passwords."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.management_v1.users import passkey_links as older_passkey_links
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import named_user
from portico_users.api.user_v2.credentials import codes, methods, passkey_links, passkeys, totp, u2f
from portico_users.api.user_v2.credentials.passkey_targets import owner_of_begun_passkey, owner_of_new_passkey
from portico_users.directory.members.permissions import Permission

_OF: Final = "portico.user.v2.UserService"
_OLDER: Final = "portico.management.v1.UserService"
_WRITE: Final = Permission.USER_CREDENTIAL_WRITE
_READ: Final = Permission.USER_READ
_LINK: Final = Permission.USER_PASSKEY_WRITE

_KEYS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_OF}.RegisterU2F", _WRITE, named_user, u2f.register_u2f, own=True),
    Operation(f"{_OF}.VerifyU2FRegistration", _WRITE, named_user, u2f.verify_u2f_registration, own=True),
    Operation(f"{_OF}.RemoveU2F", _WRITE, named_user, u2f.remove_u2f, own=True),
    Operation(f"{_OF}.RegisterPasskey", _WRITE, owner_of_new_passkey, passkeys.register_passkey, own=True),
    Operation(
        f"{_OF}.VerifyPasskeyRegistration",
        _WRITE,
        owner_of_begun_passkey,
        passkeys.verify_passkey_registration,
        own=True,
    ),
    Operation(
        f"{_OF}.CreatePasskeyRegistrationLink", _LINK, named_user, passkey_links.create_passkey_registration_link
    ),
    Operation(
        f"{_OLDER}.AddPasswordlessRegistration", _LINK, named_user, older_passkey_links.add_passwordless_registration
    ),
    Operation(
        f"{_OLDER}.SendPasswordlessRegistration", _LINK, named_user, older_passkey_links.send_passwordless_registration
    ),
    Operation(f"{_OF}.ListPasskeys", _READ, named_user, passkeys.list_passkeys, own=True),
    Operation(f"{_OF}.RemovePasskey", _WRITE, named_user, passkeys.remove_passkey, own=True),
)

_CODES: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_OF}.RegisterTOTP", _WRITE, named_user, totp.register_totp, own=True),
    Operation(f"{_OF}.VerifyTOTPRegistration", _WRITE, named_user, totp.verify_totp_registration, own=True),
    Operation(f"{_OF}.RemoveTOTP", _WRITE, named_user, totp.remove_totp, own=True),
    Operation(f"{_OF}.AddOTPEmail", _WRITE, named_user, codes.add_otp_email, own=True),
    Operation(f"{_OF}.RemoveOTPEmail", _WRITE, named_user, codes.remove_otp_email, own=True),
    Operation(f"{_OF}.GenerateRecoveryCodes", _WRITE, named_user, codes.generate_recovery_codes, own=True),
    Operation(f"{_OF}.CountRecoveryCodes", _READ, named_user, codes.count_recovery_codes, own=True),
    Operation(f"{_OF}.RemoveRecoveryCodes", _WRITE, named_user, codes.remove_recovery_codes, own=True),
)

_LISTS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(
        f"{_OF}.ListAuthenticationMethodTypes", _READ, named_user, methods.list_authentication_method_types, own=True
    ),
    Operation(f"{_OF}.ListAuthenticationFactors", _READ, named_user, methods.list_authentication_factors, own=True),
)

CREDENTIALS: Final = (*_KEYS, *_CODES, *_LISTS)
