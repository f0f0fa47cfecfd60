from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

DOCUMENTS: Final = (
    "*.md",
    "docs/**/*.md",
    "services/*/README.md",
    "libs/*/README.md",
    "tools/*/README.md",
    "apps/*/README.md",
    "testing/*/README.md",
    "tests-e2e/*.md",
    "deploy/**/*.md",
    "examples/**/*.md",
)
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
_CODE: Final = re.compile(r"`([\w.-]+(?:/[\w.-]+)+/?|[\w-]+\.md)`")
_ELSEWHERE: Final = re.compile(r"[a-z]+:|#")


class DocumentPaths:
    """Links and paths in documents must exist.

    Links are checked as written, paths in backticks if they begin with a folder of this repository, or of the packages
    beside the document.
    """

    name: ClassVar[str] = "document-path"

    def check(self, root: Path, _sources: Sequence[Source]) -> Iterator[Finding]:
        for document in sorted({path for pattern in DOCUMENTS for path in root.glob(pattern)}):
            for number, line in enumerate(document.read_text().splitlines(), 1):
                for target in _dead(root, document.parent, line):
                    place = document.relative_to(root).as_posix()
                    yield Finding(place, number, self.name, f"{target} does not exist")


def _dead(root: Path, folder: Path, line: str) -> Iterator[str]:
    for target in _LINK.findall(line):
        path = target.partition("#")[0]
        if not _ELSEWHERE.match(target) and not (folder / path).exists():
            yield target
    for target in _CODE.findall(line):
        bases = [base for base in (root, folder, *folder.glob("portico_*")) if (base / target.split("/")[0]).exists()]
        if target.startswith(".portico/"):  # written by `make up`
            continue
        if bases and not any((base / target).exists() for base in bases):
            yield target
