"""Extracts prose: docstrings and comments of Python, and documents without their code blocks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from house_rules.source import Source

FOLDERS: Final = (
    "docs",
    "libs",
    "services",
    "apps",
    "tools",
    "testing",
    "tests-e2e",
    "bench",
    "mutants",
    "deploy",
    "examples",
)
_GENERATED: Final = re.compile(r"^docs/generated/|/node_modules/|/\.venv/")

_STRING_OR_COMMENT: Final = re.compile(
    r'''"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(#[^\n]*)''',
    re.DOTALL,
)
"""Strings are matched too, so that a number sign inside one begins no comment."""


@cache
def prose_of(source: Source) -> tuple[tuple[int, str], ...]:
    """Returns every line of a docstring or comment, with its number."""
    return tuple(sorted((*comments_of(source), *_docstrings(source))))


@cache
def comments_of(source: Source) -> tuple[tuple[int, str], ...]:
    """Returns every comment with its line number; a regular expression is ten times faster than `tokenize`."""
    if "#" not in source.text:
        return ()
    return tuple(_comments(source.text))


def _comments(text: str) -> Iterator[tuple[int, str]]:
    line, counted = 1, 0
    for found in _STRING_OR_COMMENT.finditer(text):
        if found[1]:
            line, counted = line + text.count("\n", counted, found.start()), found.start()
            yield line, found[1]


def _docstrings(source: Source) -> Iterator[tuple[int, str]]:
    """Yields the lines of every string that is a statement."""
    lines = source.text.split("\n")
    for node in source.statements():
        match node:
            case ast.Expr(value=ast.Constant(value=str()), lineno=first, end_lineno=int(last)):
                yield from enumerate([lines[first - 1].lstrip(), *lines[first:last]], first)
            case _:
                pass


def documents(root: Path) -> list[Path]:
    """Returns every hand-written document that the rules apply to, in order."""
    return [path for path in written_documents(root) if is_held_document(path.relative_to(root).as_posix())]


def written_documents(root: Path) -> list[Path]:
    """Every document that is written by hand, in order."""
    found = [*root.glob("*.md"), *(path for folder in FOLDERS for path in (root / folder).glob("**/*.md"))]
    return sorted(path for path in found if not _GENERATED.search(path.relative_to(root).as_posix()))


def lines_of(document: Path) -> Iterator[tuple[int, str]]:
    """Yields every line outside code blocks, with its number."""
    in_code = False
    for number, line in enumerate(document.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code:
            yield number, line


def is_held_document(path: str) -> bool:
    """Everything but the changelog, which records the past."""
    return path != "CHANGELOG.md"
