from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

MAX_FUNCTION: Final = 50
MAX_FILE: Final = 350


class FunctionLength:
    """A function must fit on a screen.

    In a long function a missing check is easily overlooked.
    """

    name: ClassVar[str] = "function-length"

    def check(self, source: Source) -> Iterator[Finding]:
        for function in source.functions():
            lines = (function.end_lineno or function.lineno) - function.lineno + 1
            if lines > MAX_FUNCTION:
                text = f"{function.name} has {lines} lines, more than {MAX_FUNCTION}: name its parts"
                yield Finding(source.path, function.lineno, self.name, text)


class FileLength:
    """A file over a few hundred lines usually has two purposes, and its name states only one."""

    name: ClassVar[str] = "file-length"

    def check(self, source: Source) -> Iterator[Finding]:
        """Reports files over the limit; an exception is allowed on the first line."""
        lines = len(source.lines)
        if lines > MAX_FILE:
            yield Finding(source.path, 1, self.name, f"{lines} lines, more than {MAX_FILE}: split it by what it gives")
