"""Reads CSV as spreadsheets and directories write it: other separators, other encodings, an apostrophe in front."""

from __future__ import annotations

import csv
import io
from typing import Final

from portico_oauth.errors import ErrorCode, Kind

MOST_ROWS: Final = 5_000
MOST_BYTES: Final = 1024 * 1024

_MOST_COLUMNS: Final = 50
_SEPARATORS: Final = ",;\t|"
_EVALUATED: Final = ("'=", "'+", "'-", "'@")

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
    "The file has more than 5,000 rows or 1 MiB. Split it, or use `portico user import`.",
    "Split it, or use `portico user import`.",
)


def read_table(data: bytes) -> list[list[str]]:
    """Returns titles and rows, all of the same length; empty lines are skipped."""
    if len(data) > MOST_BYTES:
        raise TOO_MANY_ROWS.error()
    text = _decoded(data)
    if "\0" in text:
        raise NOT_CSV.error()
    first = text.lstrip().partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    try:
        found = [[_cleaned(one) for one in row] for row in csv.reader(io.StringIO(text), delimiter=separator)]
    except csv.Error as error:
        raise NOT_CSV.error(cause=str(error)) from error
    rows = [row for row in found if any(row)]
    if len(rows) < 2:
        raise NO_ROWS.error()
    if len(rows) > MOST_ROWS + 1:
        raise TOO_MANY_ROWS.error()
    width = max(len(row) for row in rows)
    if width > _MOST_COLUMNS:
        raise NOT_CSV.error()
    return [row + [""] * (width - len(row)) for row in rows]


def _decoded(data: bytes) -> str:
    """UTF-8 or UTF-16, with a byte order mark or without; otherwise what Excel writes on Windows."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _cleaned(value: str) -> str:
    """Without surrounding space, and without the apostrophe that an export puts in front of a formula."""
    value = value.strip()
    return value[1:] if value.startswith(_EVALUATED) else value
