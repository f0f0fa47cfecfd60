"""The list on disk: a sorted file of ``SHA1:count``, or a directory of range files with ``suffix:count``."""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from portico_users.credentials.passwords.breached.digest import Digest

BLOCK: Final = 4_096
"""Bytes that are read as a whole once the search has narrowed to them."""

LONGEST_LINE: Final = 64
_LINE: Final = re.compile(rb"([0-9A-Fa-f]+):([0-9]+)\r?\Z")


class UnusableList(Exception):
    """The list cannot be read, or is no such list."""


@dataclass(frozen=True, slots=True)
class RangeFile:
    """Reads a few blocks for each password, so that a list of 40 GB takes no memory.

    The file is opened for each lookup: it may be replaced at any time. It is read, not mapped: reading a map holds
    the interpreter during each page fault, and a file that is cut meanwhile would end the process (SIGBUS).
    """

    path: str

    async def count(self, digest: Digest) -> int:
        """Returns how often the password was found; 0 if it is not listed. Raises `UnusableList`."""
        return await asyncio.to_thread(self._count, digest)

    def _count(self, digest: Digest) -> int:
        try:
            place = Path(self.path)
            if place.is_dir():
                return _search(place / f"{digest.prefix}.txt", digest.suffix.encode())
            return _search(place, "".join(digest).encode())
        except OSError as error:
            raise UnusableList(f"{type(error).__name__}: {error.strerror}") from error


def _search(path: Path, wanted: bytes) -> int:
    """Binary search by offset: the line, if there is one, starts within [low, high)."""
    file = os.open(path, os.O_RDONLY)
    try:
        low, high = 0, os.fstat(file).st_size
        while high - low > BLOCK:
            middle = (low + high) // 2
            head = os.pread(file, 2 * LONGEST_LINE, middle)
            _, newline, rest = head.partition(b"\n")
            if not newline or b"\n" not in rest:
                raise UnusableList("a line is too long")
            start = middle + len(head) - len(rest)
            if _read(rest.partition(b"\n")[0], len(wanted))[0] <= wanted:
                low = start
            else:
                high = start
        block = os.pread(file, high - low + LONGEST_LINE, low)
    finally:
        os.close(file)
    lines = (_read(line, len(wanted)) for line in block.split(b"\n")[: _lines_before(block, high - low)] if line)
    return next((count for key, count in lines if key == wanted), 0)


def _lines_before(block: bytes, end: int) -> int:
    """Returns the number of lines that start before `end`; the last of a block is cut unless the file ends there."""
    return block[: end - 1].count(b"\n") + 1 if end > 0 else 0


def _read(line: bytes, digits: int) -> tuple[bytes, int]:
    found = _LINE.match(line)
    if found is None or len(found[1]) != digits:
        raise UnusableList("a line is no hash with a count")
    return found[1].upper(), int(found[2])
