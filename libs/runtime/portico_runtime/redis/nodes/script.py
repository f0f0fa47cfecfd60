from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

Value = str | int | float


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script with named arguments; the body starts on the line of the names, so error lines are its own."""

    source: str
    sha1: str
    arguments: tuple[str, ...]

    @classmethod
    def load(cls, body: str, arguments: tuple[str, ...]) -> Script:
        values = ", ".join(f"ARGV[{position}]" for position in range(1, len(arguments) + 1))
        source = f"local {', '.join(arguments)} = {values} {body}" if arguments else body
        return cls(source, hashlib.sha1(source.encode()).hexdigest(), arguments)  # noqa: S324 - how Redis names scripts

    def in_order(self, named: Mapping[str, Value]) -> list[Value]:
        if len(named) != len(self.arguments):
            raise TypeError(f"the script takes {self.arguments}, not {tuple(named)}")
        try:
            return [named[name] for name in self.arguments]
        except KeyError as missing:
            raise TypeError(f"the script takes {self.arguments}, not {tuple(named)}") from missing
