"""What a check has found, and how that is printed."""

from __future__ import annotations

from typing import Final, NamedTuple

_INDENT: Final = " " * 15


class Finding(NamedTuple):
    """What one check has found.

    Attributes:
        level: ok, warning (it works) or wrong.
        fix: what to do; empty where nothing is to be done, or the text has it.
        why: what happens if it stays as it is; empty where the text has it.
    """

    name: str
    level: str
    text: str
    fix: str = ""
    why: str = ""


def as_lines(finding: Finding) -> str:
    """A finding for people: a line, and below it why it matters and what to do."""
    mark = "" if finding.level == "ok" else f"{finding.level}: "
    line = f"  {finding.name:<12} {mark}{finding.text}"
    more = (f"Why: {finding.why}" if finding.why else "", f"Fix: {finding.fix}" if finding.fix else "")
    return "\n".join((line, *(f"{_INDENT}{one}" for one in more if one)))
