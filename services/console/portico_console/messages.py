"""English messages written in Python, for the catalogues of translations."""

from __future__ import annotations

from typing import Final

MESSAGES: Final[set[str]] = set()


def message(text: str) -> str:
    """Declares a message where it is written; values are named, as in ``%(name)s was locked.``"""
    MESSAGES.add(text)
    return text


SIGN_IN_AGAIN: Final = message("Sign in again and repeat this.")
"""Why a part of what was to be done was refused."""
