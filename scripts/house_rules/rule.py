"""What a rule is: a name, a story (its docstring), and a check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from house_rules.source import Source


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Where a rule is broken, and what to do instead."""

    path: str
    line: int
    rule: str
    text: str

    def __str__(self) -> str:
        """As editors like to read it."""
        return f"{self.path}:{self.line}: {self.text} [{self.rule}]"


class FileRule(Protocol):
    """A rule that looks at one file of Python."""

    name: ClassVar[str]

    def check(self, source: Source) -> Iterator[Finding]:
        """The places where the file breaks the rule."""
        ...


class RepositoryRule(Protocol):
    """A rule that looks at the repository as a whole."""

    name: ClassVar[str]

    def check(self, root: Path, sources: Sequence[Source]) -> Iterator[Finding]:
        """The places where the repository breaks the rule."""
        ...
