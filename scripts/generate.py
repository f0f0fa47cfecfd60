"""Writes everything that is generated; with ``--check`` compares and says what to run.

python scripts/generate.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from generated_code.messages import PACKAGE, messages
from generated_code.openapi import openapi
from generated_pages.errors_page import errors_page
from generated_pages.login_api import login_api
from generated_pages.messages_page import messages_page
from generated_pages.routes_page import routes_page
from generated_pages.settings_page import settings_page
from portico_stack import generated as deployment

ROOT: Final = Path(__file__).resolve().parent.parent
DOCS: Final = "docs/generated"


def files() -> dict[str, str]:
    """Everything that is generated: path below the root, and text."""
    return {
        f"{DOCS}/errors.md": errors_page(),
        f"{DOCS}/login-api.json": login_api(),
        f"{DOCS}/messages.md": messages_page(),
        f"{DOCS}/routes.md": routes_page(),
        f"{DOCS}/settings.md": settings_page(),
        **deployment.files(),
        **messages(),
        **openapi(),
    }


def differing(root: Path, wanted: dict[str, str]) -> list[str]:
    """The paths that are missing, different, or a folder of generated files without being generated."""
    stale = [path for path in _existing(root) if path not in wanted]
    changed = [path for path, text in wanted.items() if not _is(root / path, text)]
    return sorted(stale + changed)


def write(root: Path, wanted: dict[str, str]) -> None:
    """Makes the files what they should be."""
    for path in differing(root, wanted):
        target = root / path
        if path not in wanted:
            target.unlink()
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(wanted[path])


def _existing(root: Path) -> list[str]:
    found = (path for folder in (DOCS, PACKAGE) for path in (root / folder).glob("**/*") if path.is_file())
    return [path.relative_to(root).as_posix() for path in found if "__pycache__" not in path.parts]


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text() == text


def main(arguments: list[str]) -> int:
    """The exit status: 1 when ``--check`` found a difference."""
    wanted = files()
    if arguments == ["--check"]:
        outdated = differing(ROOT, wanted)
        for path in outdated:
            print(f"{path} is not what the code says")
        if outdated:
            print("Run `make gen` and commit the result.")
        return 1 if outdated else 0
    if arguments:
        print(__doc__)
        return 2
    write(ROOT, wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
