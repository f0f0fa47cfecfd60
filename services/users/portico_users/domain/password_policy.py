"""Which passwords may be set (NIST SP 800-63B-4, LG-24).

A length, not one of the common ones, and not the login name; no composition rules.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from portico_oauth.errors import Fact, Kind

from portico_users.domain.names import canonical

SHORTEST: Final = 8
LONGEST: Final = 200
_SHORTEST_NAME: Final = 4
"""Names of fewer characters are in too many good passwords to be looked for."""

TOO_SHORT = Fact("USER-030", Kind.MALFORMED, "This password is too short.", "Use at least 8 characters.")
NOT_A_PASSWORD = Fact(
    "USER-031", Kind.MALFORMED, "A password has 1 to 200 characters.", "Send the password as it was typed."
)
LIKE_THE_NAME = Fact(
    "USER-032",
    Kind.MALFORMED,
    "This password contains the login name.",
    "Choose one that does not contain the login name.",
)
COMMON = Fact(
    "USER-035",
    Kind.MALFORMED,
    "This password is one of the most common ones.",
    "Choose one that nobody else would think of first, for example a few words.",
)


def require_length(password: str) -> None:
    """Refuses what cannot be a password, before anything is hashed (LG-15). Counts code points."""
    if not 0 < len(password) <= LONGEST:
        raise NOT_A_PASSWORD.refusal()


def problem_with(password: str, user_name: str, common: Container[str]) -> Fact | None:
    """What is wrong with a new password, or None.

    Args:
        common: passwords too many people have, in canonical form.
    """
    if len(password) > LONGEST:
        return NOT_A_PASSWORD
    if len(password) < SHORTEST:
        return TOO_SHORT
    name = canonical(user_name)
    text = canonical(password)
    if text in common:
        return COMMON
    parts = {name, name.partition("@")[0]}
    return LIKE_THE_NAME if any(len(part) >= _SHORTEST_NAME and part in text for part in parts) else None
