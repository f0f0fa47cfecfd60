"""Reads the rows of an import line by line; only rows in progress are in memory."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import BinaryIO, Final, NamedTuple

from portico_cli.user_names import comparable_name

LONGEST: Final = 2 * 1024 * 1024
"""Maximum bytes of one row, as in the management API."""

ROWS: Final = 100
BYTES: Final = 4 * 1024 * 1024
"""Maximum bytes of one request: half of a bus message."""


class Line(NamedTuple):
    """`number` counts from 1; `problem` is why it cannot be sent, empty for none."""

    number: int
    text: str
    problem: str = ""

    def __repr__(self) -> str:
        """Omits the row, which may contain a password."""
        return f"Line({self.number})"


def read_lines(file: BinaryIO) -> Iterator[Line]:
    number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            while line and not line.endswith(b"\n"):
                line = file.readline(LONGEST)
            yield Line(number, "", "This row is longer than 2 MiB.")
            continue
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            yield Line(number, "", "This row is not UTF-8.")
            continue
        if text:
            yield Line(number, text)


def other_format(start: str) -> str:
    """Returns what to do with a file that begins like another format; empty for one with JSON in some line."""
    begun = start.lstrip()
    lines = begun.splitlines(keepends=True)
    if begun.startswith("[") or (lines and lines[0].strip() == "{"):
        return "Each line has to be the JSON of one user: jq -c '.[]' FILE writes a list so, jq -c . FILE single users."
    is_json = any(line.lstrip().startswith("{") for line in lines)
    if is_json or not lines or not lines[0].endswith("\n"):
        return ""
    return "No line is JSON. Add --csv for a spreadsheet with a line of titles."


def batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    batch: list[Line] = []
    size = 0
    for line in lines:
        length = len(line.text.encode())
        if batch and size + length > BYTES:
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += length
        if len(batch) == ROWS:  # without waiting for the next row, which a pipe may bring late
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class KnownNames:
    """Detects duplicate user names and ids in a dry run; stores about 110 bytes for each, of which eight are its hash."""

    def __init__(self) -> None:
        self._lines: dict[bytes, int] = {}

    def line_of(self, user_name: str, number: int) -> int:
        """Returns the first line with this name, in any spelling."""
        return self._line_of(f"name\n{comparable_name(user_name)}", number)

    def line_of_id(self, user_id: str, number: int) -> int:
        return self._line_of(f"id\n{user_id}", number) if user_id else number

    def _line_of(self, text: str, number: int) -> int:
        return self._lines.setdefault(blake2b(text.encode(), digest_size=8).digest(), number)
