"""What a check has found."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """What one check has found.

    Attributes:
        level: ok, warning (it works) or wrong.
        fix: what to do; empty where nothing is to be done, or the text has it.
    """

    name: str
    level: str
    text: str
    fix: str = ""
