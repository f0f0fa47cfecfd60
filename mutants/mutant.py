from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
TABLES: Final = Path(__file__).resolve().parent / "tables"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One removed rule.

    Attributes:
        id: name of the table and a word, ``token/pkce-optional``.
        rule: the removed rule, in one sentence.
        file: path relative to the root of the repository.
        before: text that occurs exactly once in the file.
        after: its replacement; the file stays importable.
        tests: pytest node ids; at least one must fail.
    """

    id: str
    rule: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]

    def applied_to(self, source: str) -> str:
        """Returns the changed source.

        Raises:
            ValueError: `before` does not occur exactly once, or nothing changes.
        """
        count = source.count(self.before)
        if count != 1 or self.before == self.after:
            raise ValueError(f"{self.id}: the text stands {count} times in {self.file}")
        return source.replace(self.before, self.after)


def read_mutants(tables: Path = TABLES) -> tuple[Mutant, ...]:
    return tuple(mutant for table in sorted(tables.glob("*.toml")) for mutant in _read(table))


def _read(table: Path) -> list[Mutant]:
    rows: dict[str, Any] = tomllib.loads(table.read_text())
    return [
        Mutant(f"{table.stem}/{name}", row["rule"], row["file"], row["before"], row["after"], tuple(row["tests"]))
        for name, row in rows.items()
    ]
