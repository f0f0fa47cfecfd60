"""Checks the rules of this repository; ``--list`` prints them with their reasons.

python scripts/rules.py [--list]
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from inspect import getdoc
from pathlib import Path
from textwrap import indent
from typing import Final

from house_rules import FILE_RULES, REPOSITORY_RULES
from house_rules.rule import FileRule, Finding, RepositoryRule
from house_rules.source import Source, read_sources

ROOT: Final = Path(__file__).resolve().parent.parent


def findings(root: Path) -> Iterator[Finding]:
    """Yields every violation without an ``allow`` comment."""
    sources = read_sources(root)
    by_path = {source.path: source for source in sources}
    for source in sources:
        for file_rule in FILE_RULES:
            yield from _not_allowed(by_path, file_rule.check(source))
    for repository_rule in REPOSITORY_RULES:
        yield from _not_allowed(by_path, repository_rule.check(root, sources))


def _not_allowed(by_path: dict[str, Source], found: Iterator[Finding]) -> Iterator[Finding]:
    for finding in found:
        source = by_path.get(finding.path)
        if source is None or not source.allows(finding.rule, finding.line):
            yield finding


def main(arguments: list[str]) -> int:
    """Returns 1 if a rule is broken."""
    if arguments == ["--list"]:
        rules: tuple[FileRule | RepositoryRule, ...] = (*FILE_RULES, *REPOSITORY_RULES)
        for rule in rules:
            print(f"{rule.name}\n{indent(getdoc(type(rule)) or '', '    ')}\n")
        return 0
    gc.disable()  # a million nodes live until the end: looking through them for garbage takes as long as parsing
    broken = sorted(findings(ROOT))
    for finding in broken:
        print(finding)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
