"""Labels, hints and words of the forms and pages of SCIM targets."""

from __future__ import annotations

from typing import Final

TARGET_LABELS: Final = {
    "tokenSecret": "Bearer token",
    "people": "Whose accounts",
    "deletesLeavers": "Deletes accounts",
    "adopts": "Takes over existing accounts",
    "rate": "Most requests per second",
}
TARGET_HINTS: Final = {
    "tokenSecret": "Stored encrypted and never shown. Enter it again with a new address.",
    "people": "",
    "deletesLeavers": "Accounts of users who were deleted or lost the role are deleted there. Otherwise they become inactive.",
    "adopts": "An account with the same user name and the verified address of the user is taken over. Otherwise the user gets none.",
    "rate": "",
}
TARGET_WORDS: Final = {
    "SCIM_TARGET_PEOPLE_ROLES": "Users with a role in the project",
    "SCIM_TARGET_PEOPLE_ORGANIZATION": "All users of the organization",
    "SCIM_TARGET_USER_NAME_LOGIN_NAME": "Login name",
    "SCIM_TARGET_USER_NAME_ADDRESS": "Email address, if verified",
    "SCIM_TARGET_STATE_UNSPECIFIED": "Unknown",
    "SCIM_TARGET_STATE_ACTIVE": "Active",
    "SCIM_TARGET_STATE_INACTIVE": "Inactive",
    "SCIM_TARGET_RUN_STATE_UNSPECIFIED": "Not started",
    "SCIM_TARGET_RUN_STATE_WAITING": "Waiting",
    "SCIM_TARGET_RUN_STATE_RUNNING": "Running",
    "SCIM_TARGET_RUN_STATE_ENDED": "Ended",
}
