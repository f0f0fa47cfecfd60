"""Rows for users: their state, addresses, passwords and metadata."""

from __future__ import annotations

import json
from typing import Any, Final

from portico_users_rows.permission_rows.row import (
    ABSENT,
    NO,
    OF_OWN_ORG,
    READERS,
    READS_OWN_ORG,
    WHO,
    WRITERS,
    YES,
    Row,
    body,
    but,
    nothing,
)

_OF: Final = "portico.user.v2.UserService"
_MANAGEMENT_V1: Final = "portico.management.v1.UserMetadataService"
_METADATA: Final = "/management/v1/users/self-{tag}/metadata"
_BOT: Final = "/v2/users/bot-{caller}-{tag}"
_SELF: Final = "/v2/users/self-{tag}"

_OWN: Final = (WHO, WHO, YES, NO, NO, YES, YES, ABSENT)
"""The user, and owners of their organization."""

_OWN_READ: Final = (WHO, WHO, YES, NO, YES, YES, YES, ABSENT)

_V1: Final = "portico.management.v1.UserService"
_OLD: Final = "/management/v1/users/self-{tag}"
_CHOSEN: Final = "nine small sparrows"
_KEY_PAGE: Final = "https://app.example/key?id={{.CodeID}}&code={{.Code}}"


def _new_end_user(managed: Any, caller: str) -> dict[str, Any]:
    name = f"older {caller} {managed.tag}"
    profile, email = {"firstName": "Ada", "lastName": "Byron"}, {"email": "ada@mail.example"}
    return {"userName": name, "profile": profile, "email": email}


def _new_rows(managed: Any, caller: str) -> dict[str, Any]:
    row = {"username": f"row {caller} {managed.tag}", "profile": {"firstName": "Ada", "lastName": "Byron"}}
    return {"rows": [json.dumps(row | {"email": {"email": "ada@mail.example"}})]}


USER_ROWS: Final = (
    {
        f"{_V1}.GetUserByID": Row(_OLD, nothing, _OWN_READ),
        f"{_V1}.GetUserByLoginNameGlobal": Row(
            "", lambda managed, _caller: {"loginName": f"self-{managed.tag}"}, READERS
        ),
        f"{_V1}.ListUsers": Row("", nothing, READS_OWN_ORG),
        f"{_V1}.AddHumanUser": Row("", _new_end_user, OF_OWN_ORG),
        f"{_V1}.ImportHumanUser": Row("", _new_end_user, OF_OWN_ORG),
        f"{_V1}.ImportHumanUsers": Row("", _new_rows, OF_OWN_ORG),
        f"{_V1}.GetHumanProfile": Row(f"{_OLD}/profile", nothing, _OWN_READ),
        f"{_V1}.GetHumanEmail": Row(f"{_OLD}/email", nothing, _OWN_READ),
        f"{_V1}.GetHumanPhone": Row(f"{_OLD}/phone", nothing, _OWN_READ),
        f"{_V1}.UpdateHumanProfile": Row(
            f"{_OLD}/profile", lambda _managed, caller: {"firstName": caller, "lastName": "Adams"}, WRITERS
        ),
        f"{_V1}.UpdateHumanEmail": Row(f"{_OLD}/email", body(email="other@mail.example"), WRITERS),
        f"{_V1}.UpdateHumanPhone": Row(f"{_OLD}/phone", body(phone="+41791234567"), WRITERS),
        f"{_V1}.ResendHumanInitialization": Row(f"{_OLD}/_resend_initialization", nothing, WRITERS),
        f"{_V1}.AddPasswordlessRegistration": Row(f"{_OLD}/passwordless/_link", body(urlTemplate=_KEY_PAGE), WRITERS),
        f"{_V1}.SendPasswordlessRegistration": Row(
            f"{_OLD}/passwordless/_send_link", body(urlTemplate=_KEY_PAGE), WRITERS
        ),
        f"{_V1}.IsUserUnique": Row("", body(userName="x"), (WHO, WHO, NO, NO, NO, YES, YES, YES)),
        f"{_V1}.UpdateUserName": Row(
            f"{_OLD}/username", lambda managed, caller: {"userName": f"{caller} {managed.tag}"}, WRITERS
        ),
        f"{_V1}.SetHumanPassword": Row(f"{_OLD}/password", body(password=_CHOSEN), WRITERS),
        f"{_V1}.SetHumanInitialPassword": Row(f"{_OLD}/password/_initialize", body(password=_CHOSEN), WRITERS),
        f"{_V1}.SendHumanResetPasswordNotification": Row(f"{_OLD}/password/_reset", nothing, WRITERS),
    }
    | {
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
            # Uses another address than UpdateHumanEmail: a fifth email to one address is refused.
            "SetEmail": Row(f"{_SELF}/email", body(email="third@mail.example"), _OWN),
            "ResendEmailCode": Row(f"{_SELF}/email/resend", nothing, but(9, _OWN)),
            "SendEmailCode": Row(f"{_SELF}/email/send", nothing, but(9, _OWN)),
            "VerifyEmail": Row(f"{_SELF}/email/verify", body(verificationCode="AAAAAA"), but(3, _OWN)),
            "SetPhone": Row(f"{_SELF}/phone", body(phone="+41791234567"), _OWN),
            "ResendPhoneCode": Row(f"{_SELF}/phone/resend", nothing, but(9, WRITERS)),
            "VerifyPhone": Row(f"{_SELF}/phone/verify", body(verificationCode="AAAAAA"), but(3, _OWN)),
            "RemovePhone": Row(f"{_SELF}/phone", nothing, but(9, _OWN)),
            "CreateInviteCode": Row(f"{_SELF}/invite_code", body(returnCode={}), WRITERS),
            "ResendInviteCode": Row(f"{_SELF}/invite_code/resend", nothing, but(9, WRITERS)),
            "RevokeInviteCode": Row(f"{_SELF}/invite_code/revoke", nothing, but(9, WRITERS)),
            "VerifyInviteCode": Row(f"{_SELF}/invite_code/verify", body(verificationCode="AAAAAA"), but(3, _OWN)),
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
    }
    | {
        f"{_MANAGEMENT_V1}.{name}": row
        for name, row in {
            "ListMetadata": Row(f"{_METADATA}/_search", nothing, _OWN_READ),
            "GetMetadata": Row(f"{_METADATA}/none", nothing, but(5, _OWN_READ)),
            "SetMetadata": Row(f"{_METADATA}/key", body(value="AA=="), WRITERS),
            "BulkSetMetadata": Row(f"{_METADATA}/_bulk", body(metadata=[{"key": "key", "value": "AA=="}]), WRITERS),
            "RemoveMetadata": Row(f"{_METADATA}/none", nothing, but(5, WRITERS)),
            "BulkRemoveMetadata": Row(f"{_METADATA}/_bulk", body(keys=["none"]), but(5, WRITERS)),
        }.items()
    }
)
