"""Reads the rows of an import line by line; only rows in progress are in memory."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import BinaryIO, Final, NamedTuple

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
    """Detects duplicate user names in a dry run; stores about 110 bytes for each, of which eight are its hash."""

    def __init__(self) -> None:
        self._lines: dict[bytes, int] = {}

    def line_of(self, user_name: str, number: int) -> int:
        key = blake2b(user_name.casefold().encode(), digest_size=8).digest()
        return self._lines.setdefault(key, number)
