"""Limits of what a login client sends: its values come from other callers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from portico_contracts.login_sessions import CheckLogin
from portico_oauth.errors import ErrorCode, Kind, ServiceError

MAX_TEXT: Final = 200
MAX_CREDENTIAL: Final = 8_192
MAX_LANGUAGES: Final = 20
MAX_METADATA: Final = 4_096
"""Characters of all keys and values together."""

MAX_METADATA_KEYS: Final = 20
MAX_USER_AGENT: Final = 2_048
MAX_FOUND: Final = 100

TOO_LARGE = ErrorCode(
    "AUTHZ-219",
    Kind.INVALID_REQUEST,
    "A value for the login session is too long, or there are too many.",
    "Send at most 20 metadata keys with 4 KiB in all, 2 KiB for the user agent, and 200 characters for other texts.",
)


def require_limits(message: CheckLogin) -> None:
    """Raises AUTHZ-219."""
    checks = message.checks
    codes = (checks.password, checks.totp, checks.otp_sms, checks.otp_email)
    names = (message.actor, message.session_id, checks.user_id, checks.login_name, message.challenges.domain)
    require_short((*codes, *names, *message.languages))
    if len(checks.credential) > MAX_CREDENTIAL or len(message.user_agent.encode()) > MAX_USER_AGENT:
        raise _too_large("credential or user agent")
    if len(message.languages) > MAX_LANGUAGES or not 0 <= message.lifetime:
        raise _too_large("languages or lifetime")
    require_metadata(message.metadata)


def require_metadata(metadata: Mapping[str, str]) -> None:
    """Raises AUTHZ-219."""
    if (
        len(metadata) > MAX_METADATA_KEYS
        or sum(len(text.encode()) for pair in metadata.items() for text in pair) > MAX_METADATA
    ):
        raise _too_large("metadata")


def require_short(texts: Iterable[str]) -> None:
    """Raises AUTHZ-219."""
    if any(len(text) > MAX_TEXT for text in texts):
        raise _too_large("text")


def _too_large(what: str) -> ServiceError:
    return TOO_LARGE.error(what=what)
