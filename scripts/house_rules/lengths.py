"""Files and functions that can be read at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

MAX_FUNCTION: Final = 50
MAX_FILE: Final = 350


class FunctionLength:
    """A function that does not fit on a screen is understood in parts and changed as a whole.

    Shared checks get lost in the middle of long functions: that is how an endpoint forgets one.
    """

    name: ClassVar[str] = "function-length"

    def check(self, source: Source) -> Iterator[Finding]:
        """Functions over the limit, docstring included."""
        for function in source.functions():
            lines = (function.end_lineno or function.lineno) - function.lineno + 1
            if lines > MAX_FUNCTION:
                text = f"{function.name} has {lines} lines, more than {MAX_FUNCTION}: name its parts"
                yield Finding(source.path, function.lineno, self.name, text)


class FileLength:
    """A file over a few hundred lines holds two things, and only one of them is in its name."""

    name: ClassVar[str] = "file-length"

    def check(self, source: Source) -> Iterator[Finding]:
        """The file itself, when it is over the limit; an exception is allowed on its first line."""
        lines = len(source.lines)
        if lines > MAX_FILE:
            yield Finding(source.path, 1, self.name, f"{lines} lines, more than {MAX_FILE}: split it by what it gives")
