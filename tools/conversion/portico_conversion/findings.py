from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from portico_conversion.placeholders import Environment

_LONGEST: Final = 100


class Place(NamedTuple):
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class SourceError(Exception):
    """A file is not an export of the source, or unreadable; the message contains no secret."""

    def __init__(self, place: Place | str, sentence: str) -> None:
        super().__init__(f"{place}: {sentence}")


class Findings:
    def __init__(self, print_line: Callable[[str], None], environment: Environment | None = None) -> None:
        self.environment = environment or Environment()
        self._print = print_line
        self._converted = 0
        self._left_out: Counter[str] = Counter()
        self._not_moved: Counter[str] = Counter()
        self._changed: Counter[str] = Counter()
        self._counted: Counter[str] = Counter()
        self._names: defaultdict[str, dict[str, None]] = defaultdict(dict)

    def silent(self) -> Findings:
        """Returns one that prints nothing, for what is reported elsewhere."""
        return Findings(lambda _line: None, self.environment)

    def converted(self) -> None:
        self._converted += 1

    def left_out(self, place: Place, user: str, reason: str) -> None:
        self._left_out[reason] += 1
        self._print(f"{place}: {shown(user)}: skipped: {reason}")

    def not_moved(self, place: Place | str, user: str, what: str, detail: str = "") -> None:
        """`what` is the same for all users, so that it can be counted; `user` may be empty."""
        self._not_moved[what] += 1
        named = f"{shown(user)}: " if user else ""
        self._print(f"{place}: {named}not converted: {what}{f' ({shown(detail)})' if detail else ''}")

    def changed(self, place: Place | str, name: str, what: str, detail: str = "") -> None:
        """Reports something that is converted with a difference."""
        self._changed[what] += 1
        self._print(f"{place}: {shown(name)}: changed: {what}{f' ({shown(detail)})' if detail else ''}")

    def counted(self, what: str, name: str = "") -> None:
        """Counts data of nearly every user or realm, which is only in the summary, with all its names."""
        self._counted[what] += 1
        if name:
            self._names[what][shown(name)] = None

    def summary(self) -> Iterator[str]:
        yield f"{self._converted} converted, {sum(self._left_out.values())} skipped."
        for title, counts in (
            ("skipped", self._left_out),
            ("not converted", self._not_moved),
            ("changed", self._changed),
            ("note", self._counted),
        ):
            for what, number in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
                names = ", ".join(sorted(self._names.get(what, ()))) if title == "note" else ""
                yield f"  {number} x {title}: {what}{f': {names}' if names else ''}"
        for name in sorted(self.environment.unused):
            yield f"  --env {name}: no placeholder has this name"


class Reports:
    """Reports about one object of the source."""

    def __init__(self, findings: Findings, place: Place, name: str) -> None:
        self._findings = findings
        self._about = place, name

    def __call__(self, what: str, detail: str = "") -> None:
        self._findings.not_moved(*self._about, what, detail)

    def changed(self, what: str, detail: str = "") -> None:
        self._findings.changed(*self._about, what, detail)


def shown(text: str) -> str:
    """Escapes a text for a terminal: without control characters, and shortened."""
    clean = "".join(one if one.isprintable() else "?" for one in text[: _LONGEST + 1])
    return clean if len(clean) <= _LONGEST else f"{clean[:_LONGEST]}..."
