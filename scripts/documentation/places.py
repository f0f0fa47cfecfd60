"""Which documents of the repository are pages of the site, and under which address."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

PATTERNS: Final = (
    "docs/**/*.md",
    "*.md",
    "services/*/README.md",
    "libs/*/README.md",
    "tools/*/README.md",
    "apps/*/README.md",
    "testing/*/README.md",
    "tests-e2e/README.md",
    "bench/README.md",
    "deploy/**/*.md",
    "examples/**/README.md",
)


def documents(root: Path) -> dict[str, str]:
    """By its path in the repository: the address of each document, as a path of Markdown."""
    found = sorted({path.relative_to(root).as_posix() for one in PATTERNS for path in root.glob(one)})
    return {path: place_of(path) for path in found if "node_modules" not in path}


def place_of(path: str) -> str:
    """The address of a document or a file: `docs` is the root of the site, README.md its first page."""
    pure = PurePosixPath(path)
    if path == "README.md":
        return "index.md"
    if pure.parts[0] == "docs":
        return pure.relative_to("docs").as_posix()
    if len(pure.parts) == 1:
        return f"project/{path.lower()}"
    if pure.name == "README.md":
        return f"parts/{pure.parent}.md"
    return f"parts/{path}"
