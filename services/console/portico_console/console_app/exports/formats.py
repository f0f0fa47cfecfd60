"""CSV (RFC 4180) and JSON of a list, row by row.

Titles are English in every language, for programs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from portico_contracts.csv_files.text import BEGIN, csv_line

from portico_console.console_app.screens.requests import cell, find
from portico_console.console_app.screens.screen import Column, Kind

_RAW: Final = (Kind.LIST, Kind.WORD, Kind.SECONDS)
"""Values shown in other words on pages."""


class Format(Protocol):
    """`begin`, rows and `end` make a complete file; `fail` ends one that is not."""

    @property
    def media(self) -> str: ...
    def begin(self) -> str: ...
    def row(self, thing: Any) -> str: ...
    def end(self) -> str: ...
    def fail(self, sentence: str) -> str: ...


class Csv(NamedTuple):
    columns: Sequence[Column]
    media: str = "text/csv; charset=utf-8; header=present"

    def begin(self) -> str:
        return BEGIN + csv_line([column.title for column in self.columns])

    def row(self, thing: Any) -> str:
        return csv_line([_plain(thing, column) for column in self.columns])

    def end(self) -> str:
        return ""

    def fail(self, sentence: str) -> str:
        return csv_line([sentence])


class Json:
    """An array with one object per line, as the API returns it. An incomplete file has no end of the array."""

    media: Final = "application/json"

    def __init__(self) -> None:
        self._between = "\n"

    def begin(self) -> str:
        return "["

    def row(self, thing: Any) -> str:
        before, self._between = self._between, ",\n"
        return before + json.dumps(thing, ensure_ascii=False)

    def end(self) -> str:
        return "\n]\n"

    def fail(self, sentence: str) -> str:
        return self.row({"error": sentence}) + "\n"


def _plain(thing: Any, column: Column) -> str:
    if column.kind in _RAW:
        found = find(thing, column.path) or column.absent
        return ", ".join(map(str, found)) if isinstance(found, list) else str(found)
    value = cell(thing, column).value
    if isinstance(value, list) and column.kind is Kind.NAMES:
        return "; ".join(value)  # as a column of an import has them
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
