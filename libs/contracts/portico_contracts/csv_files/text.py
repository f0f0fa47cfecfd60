"""CSV (RFC 4180), written for Excel, and read as spreadsheets and directories write it."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

BEGIN: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""A byte order mark, by which Excel recognizes UTF-8."""

_EVALUATED: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters of a formula, or of what a spreadsheet removes before it."""


_EVALUATED_WITHIN: Final = re.compile(r"""([;|\t\r\n][\s"]*)(?=[=+\-@])""")
"""Excel separates cells at semicolons where the comma is a decimal mark, also within the quotation marks of a value that
is not the first of its line: what follows is a separate cell.
"""


def csv_line(values: Sequence[str]) -> str:
    """Formats a line (RFC 4180), with an apostrophe before all that a spreadsheet would evaluate."""
    written = io.StringIO()
    csv.writer(written).writerow(map(_guarded, values))  # noqa: TID251 - the only place
    return written.getvalue()


def _guarded(value: str) -> str:
    guarded = _EVALUATED_WITHIN.sub(r"\1'", value)
    return f"'{guarded}" if value.startswith(_EVALUATED) else guarded


_SEPARATORS: Final = ",;\t|"
_APOSTROPHE: Final = tuple(f"'{one}" for one in "=+-@")
_APOSTROPHE_WITHIN: Final = re.compile(r"""([;|\t\r\n][\s"]*)'(?=[=+\-@])""")


def encoding_of(data: bytes) -> str:
    """UTF-8 or UTF-16; otherwise what Excel writes on Windows. `data` may end within a character."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def separator_of(text: str) -> str:
    """The separator that is most frequent in the line of titles."""
    return max(_SEPARATORS, key=text.lstrip().partition("\n")[0].count)


def cleaned(value: str) -> str:
    """Removes surrounding space, and the apostrophes that an export puts in front of formulas."""
    value = _APOSTROPHE_WITHIN.sub(r"\1", value.strip())
    return value[1:] if value.startswith(_APOSTROPHE) else value


class CsvReader:
    """Yields the rows of a text; raises csv.Error, also for a quotation mark without an end.

    A `csv.reader` that is not strict returns all lines after that mark as one value.
    """

    def __init__(self, lines: Iterable[str], separator: str) -> None:
        self._is_read = False
        self._rows = csv.reader(self._each(lines), delimiter=separator)

    def __iter__(self) -> Iterator[list[str]]:
        for row in self._rows:
            # A complete row ends before another line is read.
            if self._is_read:
                raise csv.Error("a quotation mark has no end")
            yield row

    def _each(self, lines: Iterable[str]) -> Iterator[str]:
        yield from lines
        self._is_read = True
