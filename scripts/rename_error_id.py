"""Renames an error id in all files: ``python scripts/rename_error_id.py OLD NEW``.

Ids are part of the interface, so a rename belongs into the changelog.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_HISTORY = ("CHANGELOG.md", "docs/decisions/", "docs/releases/")


def rename(root: Path, old: str, new: str) -> list[str]:
    """Replaces the id in every tracked file but the changelog and the decisions; returns the changed files.

    Raises:
        ValueError: the new id is in use, or the old one is not.
    """
    word = re.compile(rf"\b{re.escape(old)}\b")
    if _files_with(root, new):
        raise ValueError(f"{new} is in use already")
    changed = [path for path in _files_with(root, old) if not path.startswith(_HISTORY)]
    if not changed:
        raise ValueError(f"{old} is not in use")
    for path in changed:
        file = root / path
        file.write_text(word.sub(new, file.read_text()))
    return changed


def _files_with(root: Path, id: str) -> list[str]:
    found = subprocess.run(["git", "grep", "-lwIF", id], cwd=root, capture_output=True, text=True, check=False)
    return found.stdout.splitlines()


if __name__ == "__main__":
    for path in rename(ROOT, *sys.argv[1:3]):
        print(path)
    print("Now: make gen, and a line in CHANGELOG.md.")
