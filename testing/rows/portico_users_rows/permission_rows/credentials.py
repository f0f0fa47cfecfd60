"""Rows of the operations on credentials but passwords. Everybody may do it for themselves."""

from __future__ import annotations

from typing import Any, Final

from portico_users_rows.permission_rows.row import ABSENT, NO, WHO, WRITERS, YES, Row, body, nothing

_CREDENTIAL: dict[str, Any] = {"publicKeyCredential": {"id": "x" * 100}, "tokenName": "key"}
_PASSKEY: dict[str, Any] = {"publicKeyCredential": {"id": "x" * 100}, "passkeyName": "key"}
_READS, _ONCE = (WHO, WHO, YES, NO, YES, YES, YES, ABSENT), (WHO, WHO, YES, NO, NO, 6, 6, ABSENT)
_WRITES, _UNKNOWN = (WHO, WHO, YES, NO, NO, YES, YES, ABSENT), (WHO, WHO, ABSENT, NO, NO, ABSENT, ABSENT, ABSENT)
_WITHOUT_SENDER: Final = (WHO, WHO, 9, NO, NO, 9, 9, ABSENT)

_ROWS: Final = {
    "RegisterU2F": Row("/v2/users/self-{tag}/u2f", nothing, _WRITES),
    "VerifyU2FRegistration": Row("/v2/users/self-{tag}/u2f/none", body(**_CREDENTIAL), _UNKNOWN),
    "RemoveU2F": Row("/v2/users/self-{tag}/u2f/none", nothing, _UNKNOWN),
    "RenameU2F": Row("/v2/users/self-{tag}/u2f/none", body(tokenName="key"), _UNKNOWN),
    "RenamePasskey": Row("/v2/users/self-{tag}/passkeys/none", body(passkeyName="key"), _UNKNOWN),
    "RegisterPasskey": Row("/v2/users/self-{tag}/passkeys", nothing, _WRITES),
    "VerifyPasskeyRegistration": Row("/v2/users/self-{tag}/passkeys/none", body(**_PASSKEY), _UNKNOWN),
    "CreatePasskeyRegistrationLink": Row(
        "/v2/users/self-{tag}/passkeys/registration_link", body(returnCode={}), WRITERS
    ),
    "ListPasskeys": Row("/v2/users/self-{tag}/passkeys/_search", nothing, _READS),
    "RemovePasskey": Row("/v2/users/self-{tag}/passkeys/none", nothing, _UNKNOWN),
    "RegisterTOTP": Row("/v2/users/self-{tag}/totp", nothing, _WRITES),
    "VerifyTOTPRegistration": Row("/v2/users/self-{tag}/totp/verify", body(code="123456"), _UNKNOWN),
    "RemoveTOTP": Row("/v2/users/self-{tag}/totp", nothing, _UNKNOWN),
    "AddOTPEmail": Row("/v2/users/self-{tag}/otp_email", nothing, _ONCE),
    "RemoveOTPEmail": Row("/v2/users/self-{tag}/otp_email", nothing, _UNKNOWN),
    "AddOTPSMS": Row("/v2/users/self-{tag}/otp_sms", nothing, _WITHOUT_SENDER),
    "RemoveOTPSMS": Row("/v2/users/self-{tag}/otp_sms", nothing, _UNKNOWN),
    "GenerateRecoveryCodes": Row("/v2/users/self-{tag}/recovery_codes", nothing, _WRITES),
    "CountRecoveryCodes": Row("/v2/users/self-{tag}/recovery_codes", nothing, _READS),
    "RemoveRecoveryCodes": Row("/v2/users/self-{tag}/recovery_codes", nothing, _UNKNOWN),
    "RemoveCredentials": Row("/v2/users/self-{tag}/credentials/_remove", body(passkeyIds=["none"]), _UNKNOWN),
    "ListAuthenticationMethodTypes": Row("/v2/users/self-{tag}/authentication_methods", nothing, _READS),
    "ListAuthenticationFactors": Row("/v2/users/self-{tag}/authentication_factors/_search", nothing, _READS),
}
"""No registration is pending."""

CREDENTIAL_ROWS: Final[dict[str, Row]] = {f"portico.user.v2.UserService.{name}": row for name, row in _ROWS.items()}
