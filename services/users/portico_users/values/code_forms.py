"""The two forms of the codes that messages contain."""

from __future__ import annotations

from typing import Final

from portico_oauth.opaque import RandomBytes

_ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_LETTERS: Final = 6
_DIGITS: Final = 8


def new_letters(random: RandomBytes) -> str:
    """Returns six letters and digits: 30 random bits."""
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in random(_LETTERS))


def new_digits(random: RandomBytes) -> str:
    """Returns eight digits."""
    return f"{int.from_bytes(random(8), 'big') % 10**_DIGITS:0{_DIGITS}}"
