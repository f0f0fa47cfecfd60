"""Why sign-ins failed: words of events, which only administrators and the user can read (decision 0133)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class SignInFailure(StrEnum):
    WRONG_PASSWORD = "wrong_password"
    UNKNOWN_USER = "unknown_user"
    NO_PASSWORD = "no_password"
    LOCKED = "locked"
    DEACTIVATED = "deactivated"
    WRONG_EMAIL_CODE = "wrong_email_code"
    WRONG_TEXT_CODE = "wrong_text_code"
    WRONG_TOTP_CODE = "wrong_totp_code"
    WRONG_RECOVERY_CODE = "wrong_recovery_code"
    UNKNOWN_PASSKEY = "unknown_passkey"
    UNKNOWN_KEY = "unknown_key"
    NOT_ALLOWED = "not_allowed"
    TOO_MANY_ATTEMPTS = "too_many_attempts"
    OTHER_ORGANIZATION = "other_organization"
    OTHER_USER = "other_user"
    PROVIDER = "provider"
    CANCELLED = "cancelled"
    NOT_RECENT = "not_recent"
    PLACE = "place"


FAILURE_TEXTS: Final[Mapping[str, str]] = {
    SignInFailure.WRONG_PASSWORD: "Wrong password",
    SignInFailure.UNKNOWN_USER: "No user has this login name",
    SignInFailure.NO_PASSWORD: "The user has no password",
    SignInFailure.LOCKED: "The user is locked",
    SignInFailure.DEACTIVATED: "The user or the organization is deactivated",
    SignInFailure.WRONG_EMAIL_CODE: "Wrong or expired code from an email",
    SignInFailure.WRONG_TEXT_CODE: "Wrong or expired code from a text message",
    SignInFailure.WRONG_TOTP_CODE: "Wrong code of the authenticator app",
    SignInFailure.WRONG_RECOVERY_CODE: "Wrong recovery code",
    SignInFailure.UNKNOWN_PASSKEY: "Unknown or rejected passkey",
    SignInFailure.UNKNOWN_KEY: "Unknown or rejected security key",
    SignInFailure.NOT_ALLOWED: "The sign-in rules do not allow this factor",
    SignInFailure.TOO_MANY_ATTEMPTS: "Too many attempts",
    SignInFailure.OTHER_ORGANIZATION: "The user is not in the organization of the sign-in",
    SignInFailure.OTHER_USER: "Another user than expected",
    SignInFailure.PROVIDER: "The identity provider did not confirm the sign-in",
    SignInFailure.CANCELLED: "Cancelled at the identity provider",
    SignInFailure.NOT_RECENT: "The identity provider did not authenticate the user again",
    SignInFailure.PLACE: "The sign-in rules refuse the network or country",
}
"""In English and translated."""
