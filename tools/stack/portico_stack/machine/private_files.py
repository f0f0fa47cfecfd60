"""Files readable only by their owner: passwords, keys, configurations with secrets."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from portico_stack.machine.full_disks import naming


def private_directory(path: Path) -> Path:
    """Creates a directory (mode 700) with its parents, and returns it."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.chmod(0o700)
    return path


def write_private(path: Path, text: str) -> Path:
    """Replaces a file (mode 600) in a private directory; see `replace_private`."""
    private_directory(path.parent)
    return replace_private(path, text)


def replace_private(path: Path, text: str) -> Path:
    """Replaces a file (mode 600) atomically: readers see the old or the new one."""
    with replacing_private(path) as file:
        file.write(text)
    return path


@contextmanager
def replacing_private(path: Path) -> Iterator[TextIO]:
    """Writes a file (mode 600) that replaces a path once complete; a link there is replaced, never followed.

    Raises FileExistsError where another process began to replace it meanwhile: the other one continues.
    """
    new = _beside(path)
    with naming(path, new), _created(new) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if not _is_at(new, file):
                raise FileExistsError(errno.EEXIST, "Another process replaces the file", str(path))
            new.replace(path)
        except BaseException:
            if _is_at(new, file):
                new.unlink()
            raise


def replaced_private(path: Path) -> TextIO:
    """Replaces the path at once, for files that are useful before they are complete: each line is written at once."""
    new = _beside(path)
    with naming(path, new):
        file = _created(new, buffering=1)
    new.replace(path)
    return file


def _is_at(path: Path, file: TextIO) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _beside(path: Path) -> Path:
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    return new


def _created(path: Path, *, buffering: int = -1) -> TextIO:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    return os.fdopen(descriptor, "w", buffering, encoding="utf-8")
