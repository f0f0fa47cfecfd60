from __future__ import annotations

from collections import Counter
from typing import Final
from unicodedata import category

import msgspec
from portico_contracts import apply as document
from portico_contracts.languages import TAGS
from portico_contracts.users import OwnTexts
from portico_oauth.errors import ErrorCode, Kind

from portico_users.values.fields import Each, Field, Fields
from portico_users.values.problems import Problem, Problems

LANGUAGE_UNKNOWN = ErrorCode(
    "USER-906",
    Kind.INVALID_REQUEST,
    "Unknown or repeated language.",
    "Use en, de, fr, it, es, pt, pl, nl, ja, zh or ar, each once.",
)
NO_PLAIN_TEXT = ErrorCode(
    "USER-907",
    Kind.INVALID_REQUEST,
    "The text contains invisible characters or line breaks.",
    "Use one line of plain text.",
)

_FIELDS: Final = {"signInTitle": "sign_in_title", "signInText": "sign_in_text", "emailText": "email_text"}
_INVISIBLE: Final = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})
"""Unicode categories: control characters, surrogates, private use, line and paragraph separators."""

_TURNS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Bidirectional controls, which could change the direction of the surrounding text."""


class Texts(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The custom texts; the first applies to languages without their own."""

    texts: tuple[OwnTexts, ...] = ()


class _Stripped:
    def read(self, value: object) -> str:
        return str(value).strip()

    def write(self, value: object) -> object:
        return value


_TEXT_FIELDS: Final = Fields(
    OwnTexts, document.OwnTexts, [Field(name, conversion=_Stripped()) for name in _FIELDS.values()]
)
TEXT_FIELDS: Final = Fields(Texts, document.TextPolicy, (Field("texts", conversion=Each(_TEXT_FIELDS)),))


def problems_of(texts: Texts) -> Problems:
    languages = Counter(one.language for one in texts.texts)
    for number, one in enumerate(texts.texts):
        if one.language not in TAGS or languages[one.language] > 1:
            yield Problem(f"texts[{number}].language", LANGUAGE_UNKNOWN)
        for place, name in _FIELDS.items():
            if not _is_plain(getattr(one, name)):
                yield Problem(f"texts[{number}].{place}", NO_PLAIN_TEXT)


def _is_plain(text: str) -> bool:
    return not any(category(character) in _INVISIBLE or character in _TURNS for character in text)
