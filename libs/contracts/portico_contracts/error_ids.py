"""Ids of errors that a part other than their owner distinguishes. The owner declares the error."""

from __future__ import annotations

from typing import Final

SIGN_IN_OF_OTHER_BROWSER: Final = "AUTHZ-031"
CODE_INVALID: Final = "AUTHZ-040"
CODE_VERIFIER_MISSING: Final = "AUTHZ-041"
SIGN_OUT_OF_OTHER_BROWSER: Final = "AUTHZ-056"
PROVIDER_RETURN_OF_OTHER_BROWSER: Final = "AUTHZ-061"

SIGN_IN_FORM_USED: Final = "LOGIN-001"
SIGN_OUT_FORM_USED: Final = "LOGIN-005"
FIELD_MISSING: Final = "LOGIN-006"

NAME_INVALID: Final = "USER-002"
USER_NAME_INVALID: Final = "USER-003"
DOMAIN_INVALID: Final = "USER-004"
EMAIL_INVALID: Final = "USER-005"
USER_NAME_TAKEN: Final = "USER-011"
CHANGED_MEANWHILE: Final = "USER-012"
SEARCH_INCOMPLETE: Final = "USER-015"
BODY_UNREADABLE: Final = "USER-300"
CODE_WRONG: Final = "USER-402"
NO_TEXT_MESSAGES: Final = "USER-404"
KEY_NOT_FOUND: Final = "USER-501"
KEY_INVALID: Final = "USER-502"
KEY_TAKEN: Final = "USER-503"
TOTP_NOT_FOUND: Final = "USER-511"
TOTP_CODE_WRONG: Final = "USER-512"
PASSKEY_LINK_INVALID: Final = "USER-541"
RECOVERY_LINK_WRONG: Final = "USER-684"
CHANGES_NOTHING: Final = "USER-702"
DOMAIN_TAKEN: Final = "USER-716"
VERSION_OVERTAKEN: Final = "USER-728"
NEEDS_RECENT_SIGN_IN: Final = "USER-731"
USER_EXISTS: Final = "USER-840"
DOMAIN_OF_OTHERS: Final = "USER-864"
FIRST_RUN_LINK_INVALID: Final = "USER-942"
HAS_OWNER: Final = "USER-943"

PASSWORD_REFUSED: Final = frozenset(
    (
        "USER-030",
        "USER-031",
        "USER-032",
        "USER-035",
        "USER-140",
        "USER-183",
        "USER-614",
        "USER-615",
        "USER-616",
        "USER-617",
    )
)
"""A new password breaks a rule, or is known from data breaches."""
