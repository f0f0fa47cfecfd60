"""Words of names and addresses, folded for searches: no case, no accents."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bson import MinKey
from portico_runtime.mongo.client import Rows
from pymongo import ASCENDING, IndexModel

WORDS: Final = "words"
WORD_ORDER: Final = [("orgId", ASCENDING), (WORDS, ASCENDING)]

MAX_WORDS: Final = 120
"""Of one record; an email address of 200 characters can have 100 words."""

MAX_TYPED: Final = 8
"""Words of a query; further ones are ignored."""

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


def words_of(texts: Iterable[str], *, phones: Iterable[str] = ()) -> list[str]:
    """Returns the sorted words that a record is found by: any beginning of one finds it.

    An address is found as a whole and by its parts; a phone number with and without the code of its country; a run of Chinese,
    Japanese or Korean characters from any of its characters on.
    """
    found: set[str] = set()
    for text in dict.fromkeys(texts):
        for piece in text.split():
            found.update(_words_of_piece(piece))
    for phone in phones:
        digits = "".join(filter(str.isdecimal, phone))
        found.update(digits[start:] for start in range(_COUNTRY_DIGITS + 1))
    return sorted(found)[:MAX_WORDS]


def typed_words(text: str) -> tuple[str, ...]:
    """Returns the words of a query; a record must have, for each, a word that starts with it."""
    digits = "".join(filter(str.isdecimal, text)).lstrip("0")
    if len(digits) >= _MIN_DIGITS and _PHONE.match(text.strip()):
        return (digits,)
    words: dict[str, None] = {}
    for piece in (one.strip(_AROUND) for one in text.split()):
        if piece.find("@") > 0:
            words[folded(piece)] = None
        else:
            words.update(dict.fromkeys(_split(folded(_APOSTROPHES.sub("", piece)))))
    distinct = [word for word in words if not any(other != word and other.startswith(word) for other in words)]
    return tuple(distinct[:MAX_TYPED])


def starts_with(word: str) -> dict[str, object]:
    return {WORDS: {"$regex": f"^{re.escape(word)}"}}


def each_starts_with(words: Iterable[str]) -> dict[str, object]:
    """Returns the filter for records with all words; without a word, for none."""
    conditions = [starts_with(word) for word in words]
    return {"$and": conditions} if conditions else {WORDS: {"$in": []}}


_COUNTED: Final = 5_000


Order = Sequence[tuple[str, int]]


async def rarest_first(
    rows: Rows, owner: dict[str, object], words: Iterable[str], order: Order = WORD_ORDER
) -> dict[str, object]:
    """Returns the filter for records with all words, which the database reads by the rarest one only.

    Without counts the database would read all people of ``example`` for the query ``grace example``.
    """
    found = list(words)
    if len(found) < 2:
        return each_starts_with(found)
    filters = [{**owner, **starts_with(word)} for word in found]
    counts = await asyncio.gather(*(rows.count_documents(one, limit=_COUNTED, hint=list(order)) for one in filters))
    ranks = sorted(range(len(found)), key=lambda number: (counts[number], -len(found[number])))
    first, *others = [starts_with(found[number]) for number in ranks]
    # An index never serves a negation.
    return {**first, "$nor": [{WORDS: {"$not": one[WORDS]}} for one in others]}


def word_indexes() -> tuple[IndexModel, ...]:
    return (IndexModel(WORD_ORDER),)


ANY_ORG: Final = {"orgId": {"$gte": MinKey()}}
"""Always true: lets searches across organizations use the index, with one seek for each organization."""


ANY_TYPE: Final = {"type": {"$gte": MinKey()}}
"""The same for the type of users, which is in their index before the words."""


def _words_of_piece(piece: str) -> Iterator[str]:
    whole = folded(piece)
    yield from _split(whole)
    if "@" in piece:
        yield whole
    joined = _APOSTROPHES.sub("", piece)
    if joined != piece:
        yield from _split(folded(joined))
    for word in _split(whole):
        if word.isdecimal() and word.startswith("0"):
            yield word.lstrip("0") or "0"
    for run in _UNSPACED.findall(unicodedata.normalize("NFKC", piece)):
        yield from (folded(run[start:]) for start in range(min(len(run), _MAX_SUFFIXES)))


def _split(text: str) -> list[str]:
    if text.isascii():
        return _ASCII.findall(text)
    # Marks of Indic and other scripts are parts of words.
    parts = (one if one.isalnum() or unicodedata.category(one)[0] == "M" else " " for one in text)
    return "".join(parts).split()
