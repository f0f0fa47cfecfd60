"""The codes that emails contain: 6 letters and digits that cannot be confused with each other."""

from __future__ import annotations

from typing import Final

from portico_oauth.opaque import RandomBytes, fingerprint
from portico_oauth.typed_text import code_letters

ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH: Final = 6
SECONDS: Final = 3_600.0
"""Lifetime of a code."""

INVITE_SECONDS: Final = 259_200.0
"""Lifetime of an invitation: 72 hours, since its recipient does not expect it."""

GUESSES: Final = 10
"""Guesses at one code (LG-07)."""

_MAX_TYPED: Final = 40


def new_code(random: RandomBytes) -> str:
    """A new code: 30 random bits."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in random(LENGTH))


def code_hash(challenge: str, code: str) -> str:
    """What is stored of a code. The challenge, itself stored as a fingerprint, protects it against a search.

    Args:
        code: as generated, or as typed: in any case, with blanks and separators.
    """
    return fingerprint(f"{challenge}:{code_letters(code[:_MAX_TYPED])}")
