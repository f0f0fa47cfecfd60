"""States which disk is full: the errors of the operating system name no file where one is written."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_FULL: Final = re.compile(re.escape(os.strerror(errno.ENOSPC)), re.IGNORECASE)


@contextmanager
def naming(place: Path | str, hidden: Path | None = None) -> Iterator[None]:
    """Adds the place to an OSError without a file name; also in place of `hidden`, a file that is renamed to it."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename not in (None, hidden and str(hidden)):
            raise
        raise OSError(error.errno, error.strerror, str(place)) from error


def reason_of(error: BaseException) -> str:
    """Returns why a file cannot be read or written, without the number of the error; of other errors their message."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def states_full_disk(log: str) -> bool:
    """Reports whether a program has written that its disk is full; C and Go have the same words for it."""
    return _FULL.search(log) is not None


def is_full(folder: Path) -> bool:
    """Reports whether nothing can be written there, not even that the disk is full; False where it cannot be known."""
    try:
        return shutil.disk_usage(folder).free == 0
    except OSError:
        return False
