from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_EMPTY_WORDS: Final = frozenset(
    {"a", "an", "and", "are", "as", "be", "by", "for", "from", "has", "in", "is", "it", "its", "no", "of", "on", "one", "or",
     "s", "that", "the", "this", "to", "which", "with"}
)  # fmt: skip
"""Words that add nothing to a name."""


def repeats_name(name: str, text: str) -> bool:
    """Reports whether every word of the description occurs in the name.

    Args:
        name: full name; ``portico.v1.ListQuery.offset`` has the words list, query and offset.
    """
    return _words(text) <= _words(" ".join(name.split(".")[-2:]))


def _words(text: str) -> set[str]:
    """Returns the significant words, in lower case and singular."""
    words = {word.lower() for part in re.split(r"[^A-Za-z0-9]+", text) for word in _WORD.findall(part)}
    return {word.removesuffix("s") for word in words - _EMPTY_WORDS}
