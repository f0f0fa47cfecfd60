"""Client secrets: made with full entropy, so that a plain SHA-256 protects them at rest; two are good while one is changed."""

from __future__ import annotations

import string
from typing import Final

import msgspec
from portico_oauth.opaque import RandomBytes

LENGTH: Final = 64
_ALPHABET: Final = string.ascii_letters + string.digits
_FAIR: Final = 256 - 256 % len(_ALPHABET)
"""Bytes from here on would make some letters likelier than others."""


class PreviousSecret(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The secret before the newest one.

    Attributes:
        hash: `portico_oauth.opaque.fingerprint` of it.
        replaced: unix seconds at which the newest one took its place.
        until: unix seconds from which it is refused.
    """

    hash: str
    replaced: float
    until: float


def keep_secret(hash: str, seconds: int, now: float) -> PreviousSecret | None:
    """What is stored of a secret that is replaced now; None for none, and for one that is void at once.

    Args:
        hash: of the secret; empty where there is none.
        seconds: how long it stays good.
    """
    return PreviousSecret(hash=hash, replaced=now, until=now + seconds) if hash and seconds else None


def new_secret(random: RandomBytes) -> str:
    """64 letters and digits, about 380 bits."""
    letters: list[str] = []
    while len(letters) < LENGTH:
        letters += [_ALPHABET[byte % len(_ALPHABET)] for byte in random(LENGTH) if byte < _FAIR]
    return "".join(letters[:LENGTH])
