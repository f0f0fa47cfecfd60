"""Password policy (NIST SP 800-63B-4, LG-24); composition rules only if an organization requires them."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.values.names import canonical, opaque_string

SHORTEST: Final = 8
LONGEST: Final = 200
_SHORTEST_NAME: Final = 4
"""Shorter names occur in too many good passwords to be searched for."""

TOO_SHORT = ErrorCode(
    "USER-030",
    Kind.INVALID_REQUEST,
    "This password is too short.",
    "Use at least 8 characters, or as many as your organization requires.",
)
NOT_A_PASSWORD = ErrorCode(
    "USER-031",
    Kind.INVALID_REQUEST,
    "The password must have 1 to 200 characters.",
    "Send the password as it was typed.",
)
LIKE_THE_NAME = ErrorCode(
    "USER-032",
    Kind.INVALID_REQUEST,
    "The password contains the login name.",
    "Choose one that does not contain the login name.",
)
COMMON = ErrorCode(
    "USER-035",
    Kind.INVALID_REQUEST,
    "This password is one of the most common ones.",
    "Choose one that is hard to guess, for example a few words.",
)


NO_LOWER = ErrorCode(
    "USER-614", Kind.INVALID_REQUEST, "This password has no lower-case letter.", "Add a lower-case letter."
)
NO_UPPER = ErrorCode(
    "USER-615", Kind.INVALID_REQUEST, "This password has no upper-case letter.", "Add an upper-case letter."
)
NO_DIGIT = ErrorCode("USER-616", Kind.INVALID_REQUEST, "This password has no digit.", "Add a digit.")
NO_SYMBOL = ErrorCode(
    "USER-617", Kind.INVALID_REQUEST, "This password has no symbol.", "Add something that is neither letter nor digit."
)


class PasswordRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    min_length: int = SHORTEST
    lowercase: bool = False
    uppercase: bool = False
    number: bool = False
    symbol: bool = False
    refuse_breached: bool = False


STANDARD: Final = PasswordRules()


def require_length(password: str) -> None:
    """Refuses impossible passwords before hashing (LG-15). Counts code points."""
    if not 0 < len(password) <= LONGEST:
        raise NOT_A_PASSWORD.error()


def problem_with(
    password: str, user_name: str, common: Container[str], rules: PasswordRules = STANDARD
) -> ErrorCode | None:
    if len(password) > LONGEST:
        return NOT_A_PASSWORD
    password = opaque_string(password)
    if len(password) < max(SHORTEST, rules.min_length):
        return TOO_SHORT
    if missing := _missing(password, rules):
        return missing
    name = canonical(user_name)
    text = canonical(password)
    if text in common:
        return COMMON
    parts = {name, name.partition("@")[0]}
    return LIKE_THE_NAME if any(len(part) >= _SHORTEST_NAME and part in text for part in parts) else None


def _missing(password: str, rules: PasswordRules) -> ErrorCode | None:
    demands = (
        (rules.lowercase, str.islower, NO_LOWER),
        (rules.uppercase, str.isupper, NO_UPPER),
        (rules.number, str.isdigit, NO_DIGIT),
        (rules.symbol, _is_symbol, NO_SYMBOL),
    )
    return next((error_code for wanted, kind, error_code in demands if wanted and not any(map(kind, password))), None)


def _is_symbol(character: str) -> bool:
    return not character.isalnum()
