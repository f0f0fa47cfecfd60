"""Client secrets: made with full entropy, so that a plain SHA-256 protects them at rest."""

from __future__ import annotations

import string
from typing import Final

from portico_oauth.opaque import RandomBytes

LENGTH: Final = 64
_ALPHABET: Final = string.ascii_letters + string.digits
_FAIR: Final = 256 - 256 % len(_ALPHABET)
"""Bytes from here on would make some letters likelier than others."""


def new_secret(random: RandomBytes) -> str:
    """64 letters and digits, about 380 bits."""
    letters: list[str] = []
    while len(letters) < LENGTH:
        letters += [_ALPHABET[byte % len(_ALPHABET)] for byte in random(LENGTH) if byte < _FAIR]
    return "".join(letters[:LENGTH])
