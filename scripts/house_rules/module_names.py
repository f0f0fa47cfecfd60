from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

FORBIDDEN: Final = frozenset(
    {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager", "managers", "core"}
)


class ModuleNames:
    """A module is named after what it provides; names like ``utils`` attract unrelated code.

    What two modules share has its own name.
    """

    name: ClassVar[str] = "module-name"

    def check(self, source: Source) -> Iterator[Finding]:
        path = PurePosixPath(source.path)
        for part in (*path.parts[:-1], path.stem):
            if part in FORBIDDEN:
                yield Finding(source.path, 1, self.name, f"{part!r} says nothing: name it after what it gives")
