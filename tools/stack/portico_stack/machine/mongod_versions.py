"""The version of a mongod, and the kernels on which it dies."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

_FIRST_UNFIT: Final = (6, 19, 0)
_FIRST_MENDED: Final = (7, 0, 14)
_WITH_NEW_ALLOCATOR: Final = (8, 0)


class KernelUnfit(RuntimeError):
    pass


def mongod_version(program: Path) -> tuple[int, ...]:
    """Returns the version of ``mongod --version``; empty if it names none."""
    printed = subprocess.run((program, "--version"), capture_output=True, text=True, check=False).stdout
    found = re.search(r"db version v(\d+)\.(\d+)\.(\d+)", printed)
    return tuple(map(int, found.groups())) if found else ()


def require_kernel_for_mongod(version: tuple[int, ...], release: str) -> None:
    """Raises KernelUnfit for MongoDB 8.0 and newer on Linux 6.19 to 7.0.13 (SERVER-121912): its memory allocator crashes there.

    A mongod without a version is refused there too: it may have crashed instead of printing it.

    Args:
        release: as ``uname -r`` prints it.
    """
    found = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", release)
    kernel = tuple(int(part or 0) for part in found.groups()) if found else (0, 0, 0)
    if (not version or version[:2] >= _WITH_NEW_ALLOCATOR) and _FIRST_UNFIT <= kernel < _FIRST_MENDED:
        raise KernelUnfit(
            f"MongoDB {'.'.join(map(str, version)) or '8.0 and newer'} crashes on Linux {release}. Use Linux 6.18 or older, or 7.0.14 or newer; or MongoDB 7.0, on this machine (PORTICO_STACK_MONGOD=/path/to/mongod) or on another one (PORTICO_STACK_MONGO_URL)."
        )
