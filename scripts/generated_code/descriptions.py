"""What a description of the .proto files must be: there, and more than the name once again."""

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
    """The description has no word that the name, with that of what declares it, does not have already.

    Args:
        name: the full name; ``portico.v1.ListQuery.offset`` has the words list, query and offset.
    """
    return _words(text) <= _words(" ".join(name.split(".")[-2:]))


def _words(text: str) -> set[str]:
    """The words that state something, in lower case and without the plural."""
    words = {word.lower() for part in re.split(r"[^A-Za-z0-9]+", text) for word in _WORD.findall(part)}
    return {word.removesuffix("s") for word in words - _EMPTY_WORDS}
