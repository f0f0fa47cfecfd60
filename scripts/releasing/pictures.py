"""The pictures of the documents are those of the pages: a release is refused if the pages have changed since.

python scripts/pictures.py writes the mark; `make pictures` does so after it has taken the pictures.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from releasing.version import ReleaseRefused

MARK: Final = "docs/pictures/pages.sha256"
_PAGES: Final = ("libs/web/portico_web", "services/login-ui/portico_login_ui", "services/console/portico_console")
_PARTS: Final = ("templates", "static")


def hash_of_pages(root: Path) -> str:
    """Returns the hash of all templates, styles, scripts and images of pages."""
    found = hashlib.sha256()
    files = (file for place in _PAGES for part in _PARTS for file in (root / place / part).rglob("*") if file.is_file())
    for file in sorted(files):
        found.update(file.relative_to(root).as_posix().encode() + b"\0")
        found.update(file.read_bytes() + b"\0")
    return found.hexdigest()


def write_mark(root: Path) -> None:
    (root / MARK).write_text(hash_of_pages(root) + "\n")


def refuse_old_pictures(root: Path) -> None:
    """Raises `ReleaseRefused` if a page has changed since the pictures were taken."""
    mark = root / MARK
    if not mark.is_file() or mark.read_text().strip() != hash_of_pages(root):
        raise ReleaseRefused("the pages have changed since the pictures in docs/pictures were taken: run make pictures")
