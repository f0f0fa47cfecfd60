"""Files only the owner may read: passwords, keys, configurations that hold one."""

from __future__ import annotations

import os
from pathlib import Path


def private_directory(path: Path) -> Path:
    """Makes a directory (mode 700) with its parents, and returns it."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.chmod(0o700)
    return path


def write_private(path: Path, text: str) -> Path:
    """Replaces a file (mode 600) in a private directory as a whole; see `replace_private`. Returns the path."""
    private_directory(path.parent)
    return replace_private(path, text)


def replace_private(path: Path, text: str) -> Path:
    """Replaces a file (mode 600) as a whole: readers see the old or the new one. Returns the path."""
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    return path
