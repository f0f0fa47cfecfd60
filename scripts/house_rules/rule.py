"""The interface of a rule: a name, a reason (the docstring) and a check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from house_rules.source import Source


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    path: str
    line: int
    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text} [{self.rule}]"


class FileRule(Protocol):
    """A rule that checks one Python file."""

    name: ClassVar[str]

    def check(self, source: Source) -> Iterator[Finding]: ...


class RepositoryRule(Protocol):
    """A rule that checks the repository as a whole."""

    name: ClassVar[str]

    def check(self, root: Path, sources: Sequence[Source]) -> Iterator[Finding]: ...
