from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, TextIO

from portico_conversion.findings import SourceError

READ_ERRORS: Final = (UnicodeDecodeError, EOFError, OSError, zlib.error)

_GZIP: Final = b"\x1f\x8b"


@contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """Opens a text file, which may be compressed with gzip; raises `SourceError`."""
    with ExitStack() as closing:
        try:
            raw = closing.enter_context(path.open("rb"))
            compressed = raw.read(len(_GZIP)) == _GZIP
            raw.seek(0)
        except OSError as error:
            raise SourceError(path.name, f"The file cannot be opened: {error.strerror}.") from None
        bytes = closing.enter_context(gzip.GzipFile(fileobj=raw)) if compressed else raw
        yield closing.enter_context(io.TextIOWrapper(bytes, encoding="utf-8-sig", newline="\n"))


def describe(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "The file is not UTF-8."
    return "The compressed file is truncated." if isinstance(error, EOFError) else "The file cannot be read."
