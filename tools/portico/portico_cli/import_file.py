"""The rows of an import: read line by line, never more of them in memory than are under way."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import BinaryIO, Final, NamedTuple

LONGEST: Final = 2 * 1024 * 1024
"""Bytes of one row, as the management API takes them."""

ROWS: Final = 100
BYTES: Final = 4 * 1024 * 1024
"""Of one request to the service: half of what a message takes."""


class Line(NamedTuple):
    """A row of the file.

    Attributes:
        number: from 1, as editors count.
        problem: why it cannot be sent; empty for none.
    """

    number: int
    text: str
    problem: str = ""

    def __repr__(self) -> str:
        """Names the line only: rows hold passwords."""
        return f"Line({self.number})"


def read_lines(file: BinaryIO) -> Iterator[Line]:
    """The rows, without empty ones."""
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


def batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    """The rows in the portions they are sent in."""
    batch: list[Line] = []
    size = 0
    for line in lines:
        length = len(line.text.encode())
        if batch and (len(batch) == ROWS or size + length > BYTES):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += length
    if batch:
        yield batch


class KnownNames:
    """Which user names a dry run has read: it stores eight bytes of each."""

    def __init__(self) -> None:
        self._lines: dict[bytes, int] = {}

    def line_of(self, user_name: str, number: int) -> int:
        """The line that had the name first; the given one for a new name."""
        key = blake2b(user_name.casefold().encode(), digest_size=8).digest()
        return self._lines.setdefault(key, number)
