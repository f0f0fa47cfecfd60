"""The codes that are mailed: 6 letters and digits nobody mistakes for each other."""

from __future__ import annotations

from typing import Final

from portico_oauth.opaque import RandomBytes, fingerprint

ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH: Final = 6
SECONDS: Final = 3_600.0
"""How long a code is good."""

INVITE_SECONDS: Final = 259_200.0
"""And that of an invitation, for which nobody waits: 72 hours."""

GUESSES: Final = 10
"""How often one may be guessed (LG-07)."""

_MAX_TYPED: Final = 40


def new_code(random: RandomBytes) -> str:
    """A new code: 30 random bits."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in random(LENGTH))


def code_hash(challenge: str, code: str) -> str:
    """What is stored of a code. Without the challenge, which is stored as a fingerprint itself, nobody can guess it.

    Args:
        code: as made, or as typed: in any case, with blanks.
    """
    typed = "".join(code[:_MAX_TYPED].split()).upper()
    return fingerprint(f"{challenge}:{typed}")
