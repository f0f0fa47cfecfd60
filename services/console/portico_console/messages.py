"""English messages written in Python, for the catalogues of translations."""

from __future__ import annotations

from typing import Final

MESSAGES: Final[set[str]] = set()


def message(text: str) -> str:
    """Declares a message where it is written; values are named, as in ``%(name)s was locked.``"""
    MESSAGES.add(text)
    return text
