"""References from code, tests and documents to rules of security and to decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Final

from house_rules.prose import documents
from house_rules.rule import Finding
from house_rules.source import ROOTS, Source

RULES: Final = "docs/security/rules.md"
DECISIONS: Final = "docs/decisions"
FOLDERS: Final = (*ROOTS, "mutants", "deploy", "examples")
SUFFIXES: Final = frozenset({".toml", ".proto", ".lua", ".js", ".html", ".yaml", ".sh"})

_ANCHOR: Final = re.compile(r'<a id="([a-z]+-?\d+)">')
_PATTERNS: Final = (
    re.compile(r"\b([A-Z]{2}-\d{2})(?![\w-])"),
    re.compile(r"\((P\d{1,2})(?=[),:])"),
    re.compile(r", (P\d{1,2})(?=[),])"),
    re.compile(r"\((0[0-2]\d{2})(?=[,;)])"),
    re.compile(r"\b((?<![/.-])(?:decisions|security|design|budgets|style)\.md)\b"),
)
_NUMBERS: Final = re.compile(r"ecisions?[\s#/]+(\d[\d.]*\d(?:(?:,| and)\s+\d[\d.]*\d)*)")
_PARTS_BUILT: Final = frozenset({"generated", "node_modules", ".venv"})


class References:
    """A rule id has a line in `docs/security/rules.md`, and a decision number a page in `docs/decisions`.

    A reader of the repository cannot open a reference that leads elsewhere.
    """

    name: ClassVar[str] = "reference"

    def check(self, root: Path, sources: Sequence[Source]) -> Iterator[Finding]:
        rules = {one.upper() for one in _ANCHOR.findall(_text(root / RULES))}
        decisions = {path.name[:4] for path in (root / DECISIONS).glob("[0-9]*.md")}
        for path, text in _texts(root, sources):
            for line, cited in references_in(text):
                if cited not in rules and cited not in decisions:
                    yield Finding(path, line, self.name, f"{cited} has no line in {RULES}, and no page in {DECISIONS}")


def references_in(text: str) -> Iterator[tuple[int, str]]:
    """Yields every cited rule, decision number and page of the plans, with its line."""
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            yield text.count("\n", 0, found.start()) + 1, found[1]
    for found in _NUMBERS.finditer(text):
        for number in re.findall(r"\d[\d.]*\d", found[1]):
            yield text.count("\n", 0, found.start()) + 1, number


def _texts(root: Path, sources: Sequence[Source]) -> Iterator[tuple[str, str]]:
    for source in sources:
        yield source.path, source.text
    for document in documents(root):
        yield document.relative_to(root).as_posix(), document.read_text()
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("**/*")):
            if path.suffix in SUFFIXES and not _PARTS_BUILT & set(path.parts):
                yield path.relative_to(root).as_posix(), _text(path)


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""
