"""How the words of records are stored in an index, and the filters that find them there.

An entry of the index is a word, with the further words of a name behind it, or `INSIDE` and the first letters of what
follows inside of a word: a typed word is the beginning of one of them (decision 0133).
"""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from bson import MinKey, Regex
from portico_runtime.mongo.client import Rows
from pymongo import ASCENDING, IndexModel

from portico_users.values.words import LEAST, in_turn, phrases_of, words_of

WORDS: Final = "words"
WORD_ORDER: Final = [("orgId", ASCENDING), (WORDS, ASCENDING)]

FORM: Final = "wordsForm"
CURRENT_FORM: Final = 2
"""Records of releases that found beginnings of words only have no form."""

OLDER: Final[dict[str, object]] = {FORM: None}
OLDER_ORDER: Final = [(FORM, ASCENDING), ("_id", ASCENDING)]

MAX_WORDS: Final = 120
"""Of one record; an email address of 200 characters can have 100 words."""

MAX_INSIDE: Final = 160

INSIDE: Final = "\uffff"
"""Sorts after letters, so that words which begin with the typed one are read first."""

_LAST: Final = "\U0010ffff"
"""Sorts after each character of a word."""

KEPT: Final = 12
"""Letters of an entry inside of a word. A longer typed word is compared with the words themselves as well."""


def word_keys(texts: Iterable[str], *, phones: Iterable[str] = (), deleted: bool = False) -> dict[str, object]:
    """Returns the stored fields; deleted records have no words, but the fields.

    Args:
        texts: the first one is the name, which is also found by its words in their order.
    """
    if deleted:
        return {WORDS: [], FORM: CURRENT_FORM}
    named = dict.fromkeys(texts)
    plain = [text for text in named if "@" not in text]
    words = words_of(plain, phones=phones)
    addresses = words_of(text for text in named if "@" in text)
    return {WORDS: _entries(words, addresses, phrases_of(next(iter(named), ""))), FORM: CURRENT_FORM}


def _entries(words: set[str], of_addresses: set[str], phrases: set[str]) -> list[str]:
    """Without entries that others begin with: whatever finds those finds the others.

    The letters inside of a domain are left out: nearly every user of an organization has them.
    """
    begun = words | of_addresses | phrases
    inside = {word[start : start + KEPT] for word in words for start in range(1, len(word) - LEAST + 1)}
    for address in of_addresses:
        local, at, _domain = address.rpartition("@")
        before = True  # the address itself is a word
        for start, letter in enumerate(local if at else ""):
            if not letter.isalnum():
                before = False
                continue
            if not before:
                begun.add(address[start:])
            elif 0 < start <= len(local) - LEAST:
                inside.add(address[start : start + KEPT])
            before = True
    found = _longest(begun)[:MAX_WORDS]
    return found + [INSIDE + one for one in _longest(inside) if not _begins_one(one, found)][:MAX_INSIDE]


def _longest(entries: set[str]) -> list[str]:
    found = sorted(entries)
    return [one for one, further in zip(found, (*found[1:], ""), strict=False) if not further.startswith(one)]


def _begins_one(one: str, found: Sequence[str]) -> bool:
    place = bisect_left(found, one)
    return place < len(found) and found[place].startswith(one)


def _beginnings(typed: str) -> list[str]:
    """Of entries that a typed word finds."""
    return [typed] if len(typed) < LEAST else [typed, INSIDE + typed[:KEPT]]


def _begins_with_one(texts: Iterable[str]) -> dict[str, object]:
    return {WORDS: {"$in": [Regex(f"^{re.escape(one)}") for one in texts]}}


def _finds(typed: str) -> dict[str, object]:
    return _begins_with_one(_beginnings(typed))


def _compared(typed: Iterable[str]) -> list[dict[str, object]]:
    """Conditions that are compared with each record that was read: an index never serves a negation."""
    return [{WORDS: {"$not": Regex(re.escape(word))}} for word in typed if len(word) > KEPT]


def each_is_found(words: Iterable[str]) -> dict[str, object]:
    """Returns the filter for records with all words; without a word, for none."""
    typed = list(words)
    if not typed:
        return {WORDS: {"$in": []}}
    compared = _compared(typed)
    return {"$and": [*map(_finds, typed), *([{"$nor": compared}] if compared else [])]}


def has_in_order(words: Iterable[str]) -> dict[str, object]:
    """Returns the filter for records with a name that has the words in this order, or the last ones first.

    So it finds the first and the last word of a name: ``grace hopper`` also those of ``grace brewster hopper``.
    """
    return _begins_with_one(in_turn(list(words)))


_COUNTED: Final = 5_000

_FEW: Final = 100
"""Records with a word are read without counting those of other words: counting would take longer."""

Order = Sequence[tuple[str, int]]


class Rarest(NamedTuple):
    """The filter of the rarest of several words, and what each record with it is compared with.

    Attributes:
        first: what the index is read by.
        others: conditions of which none may hold.
        matches: records with the rarest word, counted up to a limit and only where there are others.
    """

    first: dict[str, object]
    others: list[dict[str, object]]
    matches: int

    def as_question(self) -> dict[str, object]:
        return {**self.first, "$nor": self.others} if self.others else self.first


async def find_rarest(rows: Rows, owner: dict[str, object], words: Iterable[str], order: Order = WORD_ORDER) -> Rarest:
    """Returns the filter for records with all words, which the database reads by the rarest one only.

    Without counts the database would read all people of ``example`` for the query ``grace example``. The longest word
    is often the rarest one.
    """
    typed = sorted(words, key=len, reverse=True)
    if not typed:
        return Rarest(each_is_found(typed), [], 0)

    async def count(word: str, most: int) -> int:
        return await rows.count_documents({**owner, **_finds(word)}, limit=most, hint=list(order))

    compared = _compared(typed)
    if len(typed) == 1 and not compared:
        return Rarest(_finds(typed[0]), [], 0)
    counts = [await count(typed[0], _COUNTED)]
    if counts[0] > _FEW:
        # Up to the first count: with as many, a word is not rarer.
        counts += await asyncio.gather(*(count(one, counts[0]) for one in typed[1:]))
    least = min(counts)
    first = _finds(typed.pop(counts.index(least)))
    return Rarest(first, [*map(_without, typed), *compared], least)


def _without(typed: str) -> dict[str, object]:
    """Records without a word that the typed one finds: compared as ranges, which cost a fifth of patterns."""
    return {"$nor": [{WORDS: {"$elemMatch": {"$gte": one, "$lt": one + _LAST}}} for one in _beginnings(typed)]}


def word_indexes(order: Order = WORD_ORDER) -> tuple[IndexModel, ...]:
    """The second one has the records that the migration has not written yet."""
    return (IndexModel(order), IndexModel(OLDER_ORDER, partialFilterExpression=OLDER))


ANY_ORG: Final = {"orgId": {"$gte": MinKey()}}
"""Always true: lets searches across organizations use the index, with one seek for each organization."""


ANY_TYPE: Final = {"type": {"$gte": MinKey()}}
"""The same for the type of users, which is in their index before the words."""
