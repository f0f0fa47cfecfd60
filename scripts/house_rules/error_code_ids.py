"""A fact has its id for itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from house_rules.rule import Finding
from house_rules.source import Source


class ErrorCodeIds:
    """Two services with one id look the same in a log, and a process imports only one of them.

    `ErrorCode` itself refuses a second one in the same process; this rule reads all of them.
    """

    name: ClassVar[str] = "fact-id"

    def check(self, _root: Path, sources: Sequence[Source]) -> Iterator[Finding]:
        """Every id that was declared before."""
        seen: dict[str, str] = {}
        for source in sources:
            if source.is_test:
                continue
            for id, line in _declared(source):
                if id in seen:
                    yield Finding(source.path, line, self.name, f"{id} is declared in {seen[id]} already")
                seen.setdefault(id, f"{source.path}:{line}")


def _declared(source: Source) -> Iterator[tuple[str, int]]:
    for node in ast.walk(source.tree):
        match node:
            case ast.Call(func=ast.Name(id="Fact"), args=[ast.Constant(value=str(id)), *_]):
                yield id, node.lineno
            case _:
                pass
