"""Words of names and addresses, folded for searches: no case, no accents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

LEAST: Final = 3
"""Letters of a typed word that also finds words which only contain it."""

MAX_TYPED: Final = 8
"""Words of a query; further ones are ignored."""

_IN_ORDER: Final = 5
"""Words of a name that is also found by its words in their order; longer texts are descriptions."""

_MIN_DIGITS: Final = 4
_COUNTRY_DIGITS: Final = 3
_MAX_SUFFIXES: Final = 20

_ASCII: Final = re.compile(r"[a-z0-9]+")
_PHONE: Final = re.compile(r"[+(]?[0-9][0-9 ()/.-]*\Z")
_APOSTROPHES: Final = re.compile("['\u2019\u02bc\uff07]")
_AROUND: Final = "<>()[],;:\"'"
_UNSPACED: Final = re.compile(
    "[\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003fffd]+"
)
"""Chinese, Japanese and Korean characters: words that are written without spaces."""

_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
"""Letters that Unicode does not decompose."""


def folded(text: str) -> str:
    """Returns the text without case and accents: ``Åse Müller`` gives ``ase muller``."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(one for one in decomposed if not unicodedata.combining(one)).translate(_LETTERS)


def words_of(texts: Iterable[str], *, phones: Iterable[str] = ()) -> set[str]:
    """Returns the words of a record: any beginning of one finds it, and any part of `LEAST` letters.

    An address is found as a whole and by its parts; a phone number with and without the code of its country; a run of
    Chinese, Japanese or Korean characters from any of its characters on.
    """
    found: set[str] = set()
    for piece in dict.fromkeys(piece for text in texts for piece in text.split()):
        found.update(_words_of_piece(piece))
    for phone in phones:
        digits = "".join(filter(str.isdecimal, phone))
        found.update(digits[start:] for start in range(_COUNTRY_DIGITS + 1))
    found.discard("")
    return found


def phrases_of(name: str) -> set[str]:
    """Returns the words of a name in their order, from each of them on: ``ada lovelace`` and ``lovelace ada``."""
    words = _in_order(name)
    return set(in_turn(words)) if 1 < len(words) <= _IN_ORDER else set()


def in_turn(words: list[str]) -> list[str]:
    """Returns the words in their order, from each of them on."""
    return [" ".join(words[start:] + words[:start]) for start in range(len(words))]


def is_found(word: str, typed: str) -> bool:
    """Reports whether a typed word finds a word of a record."""
    return word.startswith(typed) or (len(typed) >= LEAST and typed in word)


def typed_words(text: str) -> tuple[str, ...]:
    """Returns the words of a query; a record must have, for each, a word that it finds."""
    digits = "".join(filter(str.isdecimal, text)).lstrip("0")
    if len(digits) >= _MIN_DIGITS and _PHONE.match(text.strip()):
        return (digits,)
    words = list(dict.fromkeys(_in_order(text)))
    distinct = [word for word in words if not any(other != word and other.startswith(word) for other in words)]
    return tuple(distinct[:MAX_TYPED])


def _in_order(text: str) -> list[str]:
    found: list[str] = []
    for piece in (one.strip(_AROUND) for one in text.split()):
        found += [folded(piece)] if piece.find("@") > 0 else _split(folded(_APOSTROPHES.sub("", piece)))
    return found


def _words_of_piece(piece: str) -> Iterator[str]:
    whole = folded(piece)
    words = _split(whole)
    yield from words
    if "@" in piece:
        yield whole
    joined = _APOSTROPHES.sub("", piece)
    if joined != piece:
        yield from _split(folded(joined))
    for word in words:
        if word.startswith("0") and word.isdecimal():
            yield word.lstrip("0") or "0"
    if piece.isascii():
        return
    for run in _UNSPACED.findall(unicodedata.normalize("NFKC", piece)):
        yield from (folded(run[start:]) for start in range(min(len(run), _MAX_SUFFIXES)))


def _split(text: str) -> list[str]:
    if text.isascii():
        return _ASCII.findall(text)
    # Marks of Indic and other scripts are parts of words.
    parts = (one if one.isalnum() or unicodedata.category(one)[0] == "M" else " " for one in text)
    return "".join(parts).split()
