from __future__ import annotations

import unicodedata
from typing import Final

_BLANKS: Final = "".join(letter for letter in map(chr, range(0x3001)) if letter.isspace())
_INVISIBLE: Final = (
    "\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
"""Zero-width characters, except the zero-width joiner, with which words of some scripts end."""


def trimmed(typed: str) -> str:
    return typed.strip(_BLANKS + _INVISIBLE)


def code_letters(typed: str) -> str:
    """Returns the letters and digits of a typed code: upper case, ASCII digits for any script, no separators."""
    shown = unicodedata.normalize("NFKC", typed).upper()
    return "".join(str(unicodedata.decimal(one, one)) for one in shown if one.isalnum())
