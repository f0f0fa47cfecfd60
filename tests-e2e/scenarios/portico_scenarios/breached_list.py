"""A list of breached passwords with one entry."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

LISTED_PASSWORD: Final = "correct horse battery staple"


def write_breached_list(folder: Path) -> Path:
    key = hashlib.sha1(LISTED_PASSWORD.encode(), usedforsecurity=False).hexdigest().upper()
    path = folder / "breached-passwords.txt"
    path.write_text(f"{key}:1\r\n", "ascii")
    return path
