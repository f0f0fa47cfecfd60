"""The buttons of a form that add and remove a row of a list; they work without a script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

ADD_ROW: Final = "add_row"
DROP_ROW: Final = "drop_row"
"""Names of the buttons. The value is the input of the list, ``f.scopes``; to remove a row, with its number."""


_NUMBER: Final = re.compile(r"\.(\d{1,3})(?=\.)")
_MOST_DIGITS: Final = 3


class ChangedRows(NamedTuple):
    """`focus` is the input of the row, or of the list, that the change was about."""

    typed: dict[str, str]
    focus: str


def changed_rows(typed: Mapping[str, str]) -> ChangedRows | None:
    """Returns the input after the button was pressed; None if the form was sent by another one."""
    if (name := typed.get(ADD_ROW)) is not None:
        row = f"{name}.{count_of_rows(typed, name)}."
        return ChangedRows({**typed, row: ""}, row)
    if (name := typed.get(DROP_ROW)) is not None:
        rows, _, number = name.rpartition(".")
        if number.isdecimal() and len(number) <= _MOST_DIGITS:
            return ChangedRows(without_row(typed, rows, int(number)), f"{rows}.")
    return None


def count_of_rows(typed: Mapping[str, str], name: str) -> int:
    begins = _row_of(name)
    return max((int(found[1]) for one in typed if (found := begins.match(one))), default=-1) + 1


def numbers_of_rows(typed: Iterable[str]) -> dict[str, list[int]]:
    """Returns the numbers of the rows that have inputs, by list: never more than there are inputs (P8)."""
    found: dict[str, set[int]] = {}
    for one in typed:
        for row in _NUMBER.finditer(one):
            found.setdefault(one[: row.start()], set()).add(int(row[1]))
    return {name: sorted(numbers) for name, numbers in found.items()}


def with_rows(typed: Mapping[str, str], kept: Mapping[str, Sequence[int]]) -> Mapping[str, str]:
    """Numbers these rows of lists from 0, also in rows of other lists, without the inputs of the rows that are not among them."""
    places = {name: {number: place for place, number in enumerate(numbers)} for name, numbers in kept.items()}
    if not places:
        return typed
    named = ((_placed(one, places), value) for one, value in typed.items())
    return {name: value for name, value in named if name is not None}


def _placed(name: str, places: Mapping[str, Mapping[int, int]]) -> str | None:
    parts, end = [], 0
    for row in _NUMBER.finditer(name):
        if (known := places.get(name[: row.start()])) is None:
            continue
        if (place := known.get(int(row[1]))) is None:
            return None
        parts += [name[end : row.start()], f".{place}"]
        end = row.end()
    return "".join((*parts, name[end:]))


def without_row(typed: Mapping[str, str], name: str, number: int) -> dict[str, str]:
    """Removes the inputs of a row, and gives those after it the number before theirs."""
    begins = _row_of(name)
    left: dict[str, str] = {}
    for one, value in typed.items():
        found = begins.match(one)
        at = int(found[1]) if found else -1
        if found is None or at < number:
            left[one] = value
        elif at > number:
            left[f"{name}.{at - 1}.{one[found.end() :]}"] = value
    return left


def _row_of(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(name) + r"\.(\d{1,3})\.")
