"""What a conversion reports: where in which file, which user, and what is not moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

_LONGEST: Final = 100
"""Characters of a name that are shown."""


class Place(NamedTuple):
    """A line of a file, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        """As compilers write it."""
        return f"{self.file}:{self.line}"


class SourceError(Exception):
    """A file that is no export of the source, or cannot be read; its text is for the operator and repeats no secret."""

    def __init__(self, place: Place | str, sentence: str) -> None:
        super().__init__(f"{place}: {sentence}")


class Findings:
    """Prints a line for everything that is not moved, and counts it."""

    def __init__(self, print_line: Callable[[str], None]) -> None:
        """Nothing is found yet.

        Args:
            print_line: shows a line to the operator at once.
        """
        self._print = print_line
        self._converted = 0
        self._left_out: Counter[str] = Counter()
        self._not_moved: Counter[str] = Counter()
        self._counted: Counter[str] = Counter()

    def converted(self) -> None:
        """A user became a row."""
        self._converted += 1

    def left_out(self, place: Place, user: str, reason: str) -> None:
        """A user who becomes no row."""
        self._left_out[reason] += 1
        self._print(f"{place}: {shown(user)}: skipped: {reason}")

    def not_moved(self, place: Place | str, user: str, what: str, detail: str = "") -> None:
        """Something of a user, or of a file, that the rows do not have.

        Args:
            user: empty for what belongs to no user.
            what: the same for all users, so that it can be counted.
            detail: of this one.
        """
        self._not_moved[what] += 1
        named = f"{shown(user)}: " if user else ""
        self._print(f"{place}: {named}not converted: {what}{f' ({shown(detail)})' if detail else ''}")

    def counted(self, what: str) -> None:
        """What nearly every user has, and what is therefore only in the summary."""
        self._counted[what] += 1

    def summary(self) -> Iterator[str]:
        """How many of each."""
        yield f"{self._converted} converted, {sum(self._left_out.values())} skipped."
        for title, counts in (("skipped", self._left_out), ("not converted", self._not_moved), ("note", self._counted)):
            for what, number in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
                yield f"  {number} x {title}: {what}"


def shown(text: str) -> str:
    """A text of a file on a terminal: without control characters, and not too long."""
    clean = "".join(one if one.isprintable() else "?" for one in text[: _LONGEST + 1])
    return clean if len(clean) <= _LONGEST else f"{clean[:_LONGEST]}..."
