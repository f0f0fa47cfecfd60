"""The texts of errors: plain sentences, without riddles."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

_LISTS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text())
CONSTRUCTIONS: Final[Mapping[str, str]] = _LISTS["constructions"]

_PATTERNS: Final = tuple(
    (re.compile(rf"\b(?:{pattern})", re.IGNORECASE), plain) for pattern, plain in CONSTRUCTIONS.items()
)


class ErrorTexts:
    """Who reads an error is in a hurry: the text names what is wrong, the fix what to do.

    The list of constructions that fail is in `scripts/house_rules/words.toml`, each with what to write instead.
    """

    name: ClassVar[str] = "error-text"

    def check(self, source: Source) -> Iterator[Finding]:
        """Constructions of the list in the text or the fix of an `ErrorCode`."""
        if source.is_test or "ErrorCode(" not in source.text:
            return
        for node in source.nodes():
            match node:
                case ast.Call(func=ast.Name(id="ErrorCode"), args=[_, *rest]):
                    for part in rest:
                        if isinstance(part, ast.Constant) and isinstance(part.value, str):
                            yield from self._found(source.path, part.lineno, part.value)
                case _:
                    pass

    def _found(self, path: str, line: int, text: str) -> Iterator[Finding]:
        for pattern, plain in _PATTERNS:
            if found := pattern.search(text):
                yield Finding(path, line, self.name, f"{found[0]}: write {plain}")
