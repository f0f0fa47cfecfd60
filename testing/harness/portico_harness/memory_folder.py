"""Temporary files in memory: a server that flushes a journal there does not wait for the disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own user there
_AVAILABLE: Final = Path("/proc/meminfo")

_NEEDED: Final = 8 * 1024**3
"""Bytes: a MongoDB takes a third of a GiB, and a run has about twenty."""


def has_room(folder: Path = _MEMORY, available: Path = _AVAILABLE, *, needed: int = _NEEDED) -> bool:
    """Reports whether the folder can hold the servers' data of a run, and programs of its tests.

    Args:
        folder: a file system in memory.
        available: the kernel's list of amounts of memory.
        needed: bytes, in the folder and in memory.
    """
    if not folder.is_dir() or not os.access(folder, os.W_OK) or not available.exists():
        return False
    amounts = dict(line.split(":", 1) for line in available.read_text().splitlines())
    memory = int(amounts["MemAvailable"].split()[0]) * 1024
    may_execute = not os.statvfs(folder).f_flag & os.ST_NOEXEC
    return may_execute and memory >= needed and shutil.disk_usage(folder).free >= needed


def use_memory() -> None:
    """Moves pytest's temporary folders to memory, where there is room and nothing else was chosen."""
    if has_room():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
