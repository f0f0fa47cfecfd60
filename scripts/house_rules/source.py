from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROOTS: Final = ("libs", "services", "tools", "apps", "testing", "scripts", "bench", "tests-e2e")
_NOT_OURS: Final = frozenset({"generated", "__pycache__", ".venv"})

_BLOCKS: Final = ("body", "orelse", "handlers", "finalbody", "cases")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Source:
    """One Python file.

    Args:
        path: relative to the repository root, with forward slashes.
    """

    path: str
    text: str
    tree: ast.Module

    @classmethod
    def read(cls, path: str, text: str) -> Source:
        return cls(path, text, ast.parse(text))

    @property
    def is_test(self) -> bool:
        """Reports whether the file is a test or supports tests."""
        parts = self.path.split("/")
        return "tests" in parts or parts[0] in {"testing", "tests-e2e"} or parts[:3] == ["services", "users", "rows"]

    @property
    def lines(self) -> list[str]:
        return _lines(self)

    def functions(self) -> Iterator[Function]:
        """Yields every function and method, nested ones included."""
        return (node for node in self.statements() if isinstance(node, Function))

    def statements(self) -> list[ast.AST]:
        """Returns every statement, including branches of ``try`` and ``match``; much smaller than `nodes`."""
        return _statements(self)

    def nodes(self) -> tuple[ast.AST, ...]:
        """Returns every node of the tree; computed once for all rules."""
        return _nodes(self)

    def allows(self, rule: str, line: int) -> bool:
        """Reports whether the line has an ``allow`` comment for the rule."""
        lines = self.lines
        return 0 < line <= len(lines) and f"# allow {rule}: " in lines[line - 1]


def statements_in(node: ast.AST) -> list[ast.AST]:
    """Returns the node and every statement below it, in breadth-first order."""
    found = [node]
    for one in found:
        for name in _BLOCKS:
            found.extend(getattr(one, name, ()))
    return found


@cache
def _lines(source: Source) -> list[str]:
    return source.text.splitlines()


@cache
def _statements(source: Source) -> list[ast.AST]:
    return statements_in(source.tree)


@cache
def _nodes(source: Source) -> tuple[ast.AST, ...]:
    """Like `ast.walk` in half the time, without the contexts of names."""
    found: list[ast.AST] = [source.tree]
    for node in found:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                found.extend(one for one in value if isinstance(one, ast.AST))
            elif isinstance(value, ast.AST) and name != "ctx":
                found.append(value)
    return tuple(found)


def read_sources(root: Path) -> list[Source]:
    paths = sorted(path for name in ROOTS for path in (root / name).glob("**/*.py"))
    return [
        Source.read(path.relative_to(root).as_posix(), path.read_text())
        for path in paths
        if not _NOT_OURS & set(path.relative_to(root).parts)
    ]
