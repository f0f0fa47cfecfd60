"""Of several words the index is read by the rarest one; counting them costs less than reading people would."""

from __future__ import annotations

from typing import Any, cast

import pytest
from portico_users.values.word_keys import Rarest, find_rarest


class Rows:
    """How many records have a word that begins with the typed one."""

    def __init__(self, **matches: int) -> None:
        self._matches = matches
        self.counted: list[tuple[str, int]] = []

    async def count_documents(self, question: dict[str, Any], *, limit: int, hint: Any) -> int:
        assert hint
        word = word_of(question)
        self.counted.append((word, limit))
        return min(self._matches[word], limit)


def word_of(question: dict[str, Any]) -> str:
    words = question["words"]
    return str((words["$in"][0] if "$in" in words else words).pattern).removeprefix("^")


async def rarest(rows: Rows, *words: str) -> Rarest:
    return await find_rarest(cast("Any", rows), {"orgId": "shop"}, words)


@pytest.mark.parametrize(
    ("matches", "first", "counted"),
    [
        ({"ada": 9_000, "lovelace": 100}, "lovelace", [("lovelace", 5_000)]),
        ({"ada": 90, "lovelace": 101}, "ada", [("lovelace", 5_000), ("ada", 101)]),
        ({"ada": 9_000, "lovelace": 101}, "lovelace", [("lovelace", 5_000), ("ada", 101)]),
        ({"ada": 9_000, "lovelace": 9_000}, "lovelace", [("lovelace", 5_000), ("ada", 5_000)]),
        ({"ada": 9_000, "lovelace": 0}, "lovelace", [("lovelace", 5_000)]),
    ],
)
async def test_no_more_is_counted_than_the_choice_needs(
    matches: dict[str, int], first: str, counted: list[tuple[str, int]]
) -> None:
    """Few people with the longest word are read at once; otherwise the others are counted up to as many."""
    rows = Rows(**matches)
    found = await rarest(rows, *matches)

    assert (word_of(found.first), rows.counted) == (first, counted)
    assert found.matches == min(counted[0][1], *matches.values())
    assert len(found.others) == 1


async def test_one_word_is_not_counted() -> None:
    """Except a word that is longer than entries of the index: people found by its beginning are compared with it."""
    rows = Rows(lovelace=7, lovelacehopper=7)
    short, long = await rarest(rows, "lovelace"), await rarest(rows, "lovelacehopper")

    assert (short.others, "$nor" in short.as_question()) == ([], False)
    assert (len(long.others), long.matches) == (1, 7)
    assert rows.counted == [("lovelacehopper", 5_000)]
