"""What is written for people: docstrings and comments of Python, and documents outside their blocks of code."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from house_rules.source import Source

FOLDERS: Final = ("docs", "libs", "services", "apps", "tools", "testing", "tests-e2e", "bench", "mutants", "deploy")
FIRST_HELD_DECISION: Final = 34
"""Earlier records of decisions keep the words of their day."""

_STARTS: Final = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT}


@cache
def prose_of(source: Source) -> tuple[tuple[int, str], ...]:
    """Every line of a docstring or comment, with its number."""
    return tuple(_prose_of(source))


def _prose_of(source: Source) -> Iterator[tuple[int, str]]:
    before = tokenize.NEWLINE
    tokens = list(tokenize.generate_tokens(io.StringIO(source.text).readline))
    for token, after in pairwise(tokens):
        alone = before in _STARTS and after.type == tokenize.NEWLINE
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and alone):
            yield from enumerate(token.string.split("\n"), token.start[0])
        before = token.type


def documents(root: Path) -> list[Path]:
    """Every document that is written by hand and held to the words of today, in order."""
    found = [*root.glob("*.md"), *(path for folder in FOLDERS for path in (root / folder).glob("**/*.md"))]
    return sorted(path for path in found if is_held_document(path.relative_to(root).as_posix()))


def lines_of(document: Path) -> Iterator[tuple[int, str]]:
    """Every line of a document that is in no block of code, with its number."""
    in_code = False
    for number, line in enumerate(document.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code:
            yield number, line


def is_held_document(path: str) -> bool:
    """It is written by hand, and not a record of what was."""
    if path == "CHANGELOG.md" or "/node_modules/" in path or "/.venv/" in path or path.startswith("docs/generated/"):
        return False
    name = path.removeprefix("docs/decisions/")
    return name == path or not name[:4].isdigit() or int(name[:4]) >= FIRST_HELD_DECISION
