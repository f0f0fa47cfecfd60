"""A mutant: one piece of source text, what replaces it, and the tests that must fail then."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
TABLES: Final = Path(__file__).resolve().parent / "tables"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One rule taken out.

    Attributes:
        id: the table's name and a word of its own, ``token/pkce-optional``.
        rule: the rule that is removed, in one sentence.
        file: path of the source below the repository's root.
        before: text that occurs in the file exactly once.
        after: what replaces it; the file stays importable.
        tests: pytest node ids; at least one of them must fail.
    """

    id: str
    rule: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]

    def applied_to(self, source: str) -> str:
        """The changed source.

        Raises:
            ValueError: when `before` does not occur in it exactly once, or nothing would change.
        """
        count = source.count(self.before)
        if count != 1 or self.before == self.after:
            raise ValueError(f"{self.id}: the text stands {count} times in {self.file}")
        return source.replace(self.before, self.after)


def read_mutants(tables: Path = TABLES) -> tuple[Mutant, ...]:
    """Every mutant of every table, in the order of file names."""
    return tuple(mutant for table in sorted(tables.glob("*.toml")) for mutant in _read(table))


def _read(table: Path) -> list[Mutant]:
    rows: dict[str, Any] = tomllib.loads(table.read_text())
    return [
        Mutant(f"{table.stem}/{name}", row["rule"], row["file"], row["before"], row["after"], tuple(row["tests"]))
        for name, row in rows.items()
    ]
