from __future__ import annotations

import csv
import io
from typing import Final, NamedTuple

from portico_contracts.csv_files.text import CsvReader, cleaned, encoding_of, separator_of
from portico_oauth.errors import ErrorCode, Kind

MOST_ROWS: Final = 5_000
MOST_BYTES: Final = 1024 * 1024

_MOST_COLUMNS: Final = 50

NO_ROWS = ErrorCode(
    "CONS-292",
    Kind.INVALID_REQUEST,
    "The file has no rows below its titles.",
    "Choose a CSV file with a line of titles and one user per line.",
)
NOT_CSV = ErrorCode(
    "CONS-293", Kind.INVALID_REQUEST, "The file is not CSV with at most 50 columns.", "Save it as CSV (UTF-8)."
)
TOO_MANY_ROWS = ErrorCode(
    "CONS-294",
    Kind.INVALID_REQUEST,
    "The file has more than 5,000 rows or 1 MiB. Split it, or use `portico user import --csv`.",
    "Split it, or use `portico user import --csv`.",
)


class Table(NamedTuple):
    """`numbers` are those of the rows in a spreadsheet, where the titles are row 1."""

    titles: list[str]
    rows: list[list[str]]
    numbers: list[int]


def read_table(data: bytes) -> Table:
    """Returns rows that are as long as the titles; empty lines are skipped."""
    if len(data) > MOST_BYTES:
        raise TOO_MANY_ROWS.error()
    text = data.decode(encoding_of(data), errors="replace")
    if "\0" in text:
        raise NOT_CSV.error()
    try:
        found = [[cleaned(one) for one in row] for row in CsvReader(io.StringIO(text), separator_of(text))]
    except csv.Error as error:
        raise NOT_CSV.error(cause=str(error)) from error
    numbered = [(number, row) for number, row in enumerate(found, 1) if any(row)]
    if len(numbered) < 2:
        raise NO_ROWS.error()
    if len(numbered) > MOST_ROWS + 1:
        raise TOO_MANY_ROWS.error()
    width = max(len(row) for _number, row in numbered)
    if width > _MOST_COLUMNS:
        raise NOT_CSV.error()
    titles, *rows = [row + [""] * (width - len(row)) for _number, row in numbered]
    return Table(titles, rows, [number for number, _row in numbered[1:]])
