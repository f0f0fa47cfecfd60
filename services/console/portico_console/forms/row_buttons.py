"""The buttons of a form that add and remove a row of a list; they work without a script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

ADD_ROW: Final = "add_row"
DROP_ROW: Final = "drop_row"
"""Names of the buttons. The value is the input of the list, ``f.scopes``; to remove a row, with its number."""


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
        if number.isdecimal():
            return ChangedRows(without_row(typed, rows, int(number)), f"{rows}.")
    return None


def count_of_rows(typed: Mapping[str, str], name: str) -> int:
    begins = _row_of(name)
    return max((int(found[1]) for one in typed if (found := begins.match(one))), default=-1) + 1


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
