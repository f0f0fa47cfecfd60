from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from house_rules.prose import documents, lines_of, prose_of
from house_rules.rule import Finding
from house_rules.source import Source

_LISTS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
HELD: Final[tuple[str, ...]] = tuple(_LISTS["held"])
WORDS: Final[Mapping[str, str]] = _LISTS["words"]
NAMES: Final[Mapping[str, str]] = _LISTS["names"]

_ANY_WORD: Final = re.compile("|".join(rf"\b(?:{pattern})\b" for pattern in WORDS), re.IGNORECASE)
_NAMES_AND_PLACES: Final = re.compile(r"``[^`]*``|`[^`]*`|https?://\S+|<[^>]*>|^ +[a-z_]+(, [a-z_]+)*:(?= )")
"""Names in backticks, URLs, and the names in argument lists of docstrings."""


class Words:
    """Docstrings, comments and documents use the words of the field.

    Refused words and their replacements are listed in `scripts/house_rules/words.toml`; names in backticks
    are exempt.
    """

    name: ClassVar[str] = "words"

    def check(self, root: Path, sources: Sequence[Source]) -> Iterator[Finding]:
        for source in sources:
            if is_held(source.path):
                yield from self._found(source.path, prose_of(source))
        for document in documents(root):
            path = document.relative_to(root).as_posix()
            if is_held(path):
                yield from self._found(path, lines_of(document))

    def _found(self, path: str, lines: Iterable[tuple[int, str]]) -> Iterator[Finding]:
        for number, line in lines:
            for found in _ANY_WORD.finditer(_NAMES_AND_PLACES.sub("", line)):
                yield Finding(path, number, self.name, f"{found[0]}: write {_preferred(found[0], WORDS)}")


class OldNames:
    """A class that was renamed does not return under its former name."""

    name: ClassVar[str] = "old-name"

    def check(self, source: Source) -> Iterator[Finding]:
        """Reports classes and modules with a listed name, in any spelling."""
        if not is_held(source.path):
            return
        named = [(Path(source.path).stem, 1)]
        named += [(node.name, node.lineno) for node in source.statements() if isinstance(node, ast.ClassDef)]
        for name, line in named:
            if standard := _OLD_NAMES.get(_folded(name)):
                yield Finding(source.path, line, self.name, f"{name}: the field calls it {standard}")


class TestSentenceLength:
    """The docstring of a test has more than five words, because its name has room for fewer."""

    __test__ = False  # pytest collects by name
    name: ClassVar[str] = "test-sentence-length"
    longest_too_short: ClassVar[int] = 5

    def check(self, source: Source) -> Iterator[Finding]:
        """Reports test docstrings of five words or fewer; a missing docstring is allowed."""
        if not is_held(source.path) or not source.is_test:
            return
        for function in source.functions():
            words = len((ast.get_docstring(function) or "").split())
            if function.name.startswith("test_") and 0 < words <= self.longest_too_short:
                yield Finding(source.path, function.lineno, self.name, f"{function.name}: state the rule in a sentence")


def is_held(path: str, held: Sequence[str] = HELD) -> bool:
    """Reports whether the rules of this file apply to the path."""
    return any(folder in (".", path) or path.startswith(f"{folder}/") for folder in held)


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _preferred(word: str, words: Mapping[str, str]) -> str:
    return next(text for pattern, text in words.items() if re.fullmatch(pattern, word, re.IGNORECASE))


_OLD_NAMES: Final = {_folded(name): standard for name, standard in NAMES.items()}
