"""Rows for users: their state, addresses, passwords and metadata."""

from __future__ import annotations

from typing import Final

from portico_testing.permission_rows.row import ABSENT, NO, WHO, WRITERS, YES, Row, body, but, nothing

_OF: Final = "portico.user.v2.UserService"
_OLDER: Final = "portico.management.v1.UserMetadataService"
_METADATA: Final = "/management/v1/users/self-{tag}/metadata"
_BOT: Final = "/v2/users/bot-{caller}-{tag}"
_SELF: Final = "/v2/users/self-{tag}"

_OWN: Final = (WHO, WHO, YES, NO, NO, YES, YES, ABSENT)
"""The user, and owners of their organization."""

_OWN_READ: Final = (WHO, WHO, YES, NO, YES, YES, YES, ABSENT)

USER_ROWS: Final = {
    f"{_OF}.{name}": row
    for name, row in {
        "UpdateHumanUser": Row(
            "/v2/users/human/self-{tag}",
            lambda _managed, caller: {"profile": {"firstName": caller, "lastName": "Adams"}},
            _OWN,
        ),
        "DeactivateUser": Row(f"{_BOT}/deactivate", nothing, WRITERS),
        "ReactivateUser": Row(f"{_BOT}/reactivate", nothing, but(9, WRITERS)),
        "LockUser": Row(f"{_BOT}/lock", nothing, WRITERS),
        "UnlockUser": Row(f"{_BOT}/unlock", nothing, but(9, WRITERS)),
        "DeleteUser": Row(_BOT, nothing, WRITERS),
        "SetEmail": Row(f"{_SELF}/email", body(email="other@mail.example"), _OWN),
        "ResendEmailCode": Row(f"{_SELF}/email/resend", nothing, but(9, _OWN)),
        "SendEmailCode": Row(f"{_SELF}/email/send", nothing, but(9, _OWN)),
        "VerifyEmail": Row(f"{_SELF}/email/verify", body(verificationCode="AAAAAA"), but(3, _OWN)),
        "SetPhone": Row(f"{_SELF}/phone", body(phone="+41791234567"), _OWN),
        "ResendPhoneCode": Row(f"{_SELF}/phone/resend", nothing, but(9, WRITERS)),
        "VerifyPhone": Row(f"{_SELF}/phone/verify", body(verificationCode="AAAAAA"), but(3, _OWN)),
        "RemovePhone": Row(f"{_SELF}/phone", nothing, but(9, _OWN)),
        "PasswordReset": Row(f"{_SELF}/password_reset", nothing, _OWN),
        "SetPassword": Row(
            f"{_SELF}/password",
            body(newPassword={"password": "nine small sparrows"}, verificationCode="AAAAAA"),
            but(3, _OWN),
        ),
        "SetUserMetadata": Row(
            f"{_SELF}/metadata", lambda _managed, caller: {"metadata": [{"key": caller, "value": "AA=="}]}, WRITERS
        ),
        "ListUserMetadata": Row(f"{_SELF}/metadata/search", nothing, _OWN_READ),
        "DeleteUserMetadata": Row(f"{_SELF}/metadata", body(keys="none"), but(5, WRITERS)),
    }.items()
} | {
    f"{_OLDER}.{name}": row
    for name, row in {
        "ListMetadata": Row(f"{_METADATA}/_search", nothing, _OWN_READ),
        "GetMetadata": Row(f"{_METADATA}/none", nothing, but(5, _OWN_READ)),
        "SetMetadata": Row(f"{_METADATA}/key", body(value="AA=="), WRITERS),
        "BulkSetMetadata": Row(f"{_METADATA}/_bulk", body(metadata=[{"key": "key", "value": "AA=="}]), WRITERS),
        "RemoveMetadata": Row(f"{_METADATA}/none", nothing, but(5, WRITERS)),
        "BulkRemoveMetadata": Row(f"{_METADATA}/_bulk", body(keys=["none"]), but(5, WRITERS)),
    }.items()
}
