from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Final

from house_rules.document_paths import DOCUMENTS
from house_rules.rule import Finding
from house_rules.source import Source

TABLES: Final = ("docs/conformance.md",)
"""Documents whose every table row names a test."""

CLAIMS: Final = ("docs/security/threat-model.md",)
"""Documents in which every item of a list that begins in bold names a test, in any of its lines."""

_NAMED: Final = re.compile(r"`([\w./-]+\.py)::(\w+)`")
_NO_ROW: Final = re.compile(r"\|[\s|:-]+\Z|\| *Requirement *\|")


class NamedTests:
    """A requirement is covered as long as its test is there: tests are renamed, split and deleted.

    `` `path::name` `` in a document is checked; every row of a table of requirements must have one, and every claim.
    """

    name: ClassVar[str] = "named-test"

    def check(self, root: Path, sources: Sequence[Source]) -> Iterator[Finding]:
        tests = {(source.path, function.name) for source in sources for function in source.functions()}
        for document in sorted({path for pattern in DOCUMENTS for path in root.glob(pattern)}):
            place = document.relative_to(root).as_posix()
            for number, line in enumerate(document.read_text().splitlines(), 1):
                named = _NAMED.findall(line)
                for path, test in named:
                    if (path, test) not in tests:
                        yield Finding(place, number, self.name, f"{path}::{test} does not exist")
                if place in TABLES and line.startswith("|") and not named and not _NO_ROW.match(line):
                    yield Finding(place, number, self.name, "this requirement names no test")
            if place in CLAIMS:
                for number, claim in _claims(document.read_text()):
                    if not _NAMED.search(claim):
                        yield Finding(place, number, self.name, "this claim names no test")


def _claims(text: str) -> Iterator[tuple[int, str]]:
    """Items that begin in bold, with the number of their first line."""
    for found in re.finditer(r"^- \*\*(?:.+\n)(?:  .+\n)*", text, re.MULTILINE):
        yield text.count("\n", 0, found.start()) + 1, found[0]
