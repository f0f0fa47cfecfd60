"""Reads a file as its bytes come, also in a thread that has to end before more of them come."""

from __future__ import annotations

import io
import os
import select
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final, cast

LOOKED_AT: Final = 64 * 1024
"""Bytes from which the kind of a file and its encoding are guessed."""


@contextmanager
def reading(file: BinaryIO) -> Iterator[io.BufferedReader]:
    """A thread that still waits for bytes afterwards finds the end of the file."""
    try:
        descriptor = file.fileno()
    except (OSError, ValueError):  # of a test, in memory
        yield io.BufferedReader(cast("io.RawIOBase", file), LOOKED_AT)
        return
    raw = _Interruptible(descriptor)
    try:
        yield io.BufferedReader(raw, LOOKED_AT)
    finally:
        raw.interrupt()


class _Interruptible(io.RawIOBase):
    """A second buffer around that of standard input would wait until it is full."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._interrupted, self._interrupt = os.pipe()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        ready, _, _ = select.select([self._descriptor, self._interrupted], [], [])
        if self._interrupted in ready:
            return 0
        return os.readv(self._descriptor, [buffer])

    def interrupt(self) -> None:
        os.close(self._interrupt)

    def close(self) -> None:
        if not self.closed:
            os.close(self._interrupted)
        super().close()
