"""What people type, without what keyboards and copying add to it."""

from __future__ import annotations

import unicodedata
from typing import Final

_BLANKS: Final = "".join(letter for letter in map(chr, range(0x3001)) if letter.isspace())
_INVISIBLE: Final = (
    "\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
"""Marks without a width. Not the zero-width joiner, with which words of some scripts end."""


def trimmed(typed: str) -> str:
    """A typed name or address without the blanks at its ends, visible or not."""
    return typed.strip(_BLANKS + _INVISIBLE)


def code_letters(typed: str) -> str:
    """The letters and digits of a typed code: capitals, ASCII digits in whatever script, no blanks and separators."""
    shown = unicodedata.normalize("NFKC", typed).upper()
    return "".join(str(unicodedata.decimal(one, one)) for one in shown if one.isalnum())
