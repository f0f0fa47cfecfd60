"""Client secrets: high-entropy, so that plain SHA-256 protects them at rest; two are valid during a rotation."""

from __future__ import annotations

import string
from typing import Final

import msgspec
from portico_oauth.opaque import RandomBytes

DAY_SECONDS: Final = 86_400.0
LENGTH: Final = 64
_ALPHABET: Final = string.ascii_letters + string.digits
_FAIR: Final = 256 - 256 % len(_ALPHABET)
"""Bytes from this value on would bias the choice of letters."""


class PreviousSecret(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The fingerprint of the secret before the current one; refused from ``until``. Times are unix seconds."""

    hash: str
    replaced: float
    until: float
    created: float = 0.0


def keep_secret(
    hash: str, seconds: int, now: float, *, created: float = 0.0, ends: float = 0.0
) -> PreviousSecret | None:
    """Returns the record of a secret replaced now; None without one or if it is to end at once.

    `ends` is when the secret expires anyway; 0 for never.
    """
    until = min(now + seconds, ends or now + seconds)
    return PreviousSecret(hash=hash, replaced=now, until=until, created=created) if hash and until > now else None


def new_secret(random: RandomBytes) -> str:
    """Returns 64 letters and digits, about 380 bits."""
    letters: list[str] = []
    while len(letters) < LENGTH:
        letters += [_ALPHABET[byte % len(_ALPHABET)] for byte in random(LENGTH) if byte < _FAIR]
    return "".join(letters[:LENGTH])
