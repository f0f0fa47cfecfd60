"""Values that another program fills in (``${NAME}``, ``##NAME##``, ``?NAME?``, ``!Env``): they are never values here.

Files with them are often public, and so are their defaults (decision 0113).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

PLACEHOLDER: Final = "a placeholder instead of a value: set it with --env, or replace it in the file"

_NAME: Final = r"[A-Za-z_][\w.-]*"
_FORMS: Final = re.compile(
    rf"\$\{{(?:env\.)?(?P<brace>{_NAME})?(?::[^}}]*)?\}}?"
    rf"|\$\((?:env:)?(?P<parenthesis>{_NAME})(?::[^)]*)?\)"
    rf"|##(?P<hash>{_NAME})##"
    rf"|@@(?P<at>{_NAME})@@"
    rf"|\A\?(?P<question>{_NAME})\?\Z"
)
_HINT: Final = re.compile(r'\$\{|\$\(|##|@@|"\?|\\u')


class Placeholder(str):
    """A text with a placeholder, and the line of it."""

    line: int

    def __new__(cls, text: str, line: int) -> Placeholder:
        made = super().__new__(cls, text)
        made.line = line
        return made

    @property
    def names(self) -> str:
        """Returns the placeholders without their defaults and the text around them, which may be a secret."""
        return ", ".join(_shown(found) for found in _FORMS.finditer(self))


class Tagged(NamedTuple):
    """A value with a tag of another program, such as ``!Env``."""

    tag: str
    value: Any
    line: int = 0

    @property
    def names(self) -> str:
        first = self.value[0] if isinstance(self.value, list) and self.value else self.value
        return f"{self.tag} {first}" if self.tag == "!Env" and isinstance(first, str) else self.tag


class Environment:
    """The variables of `--env`; `unused` are those that no placeholder has named."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = values or {}
        self.unused = {*self._values}

    def filled(self, value: Placeholder | Tagged) -> str | None:
        """Returns the text with all its placeholders replaced; None if one of them has no variable."""
        if isinstance(value, Tagged):
            found = value.names.removeprefix("!Env ")
            return self._take(found) if value.tag == "!Env" and found in self._values else None
        if not all(_name(found) in self._values for found in _FORMS.finditer(value)):
            return None
        return _FORMS.sub(lambda found: self._take(_name(found)), value)

    def _take(self, name: str) -> str:
        self.unused.discard(name)
        return self._values[name]


def is_placeholder(text: str) -> bool:
    return _FORMS.search(text) is not None


def marked(value: Any, text: str, line: int) -> Any:
    """Returns a decoded JSON value with `Placeholder` objects; `text` is the JSON, which begins in `line`."""
    return _marked(value, _Lines(text, line)) if _HINT.search(text) else value


class _Lines:
    """The lines of placeholders, found in the order of the text."""

    def __init__(self, text: str, line: int) -> None:
        self._text, self._at, self._line = text, 0, line

    def line_of(self, text: str) -> int:
        found = _FORMS.search(text)
        at = self._text.find(found[0], self._at) if found else -1
        if at >= 0:
            self._line += self._text.count("\n", self._at, at)
            self._at = at
        return self._line


def _marked(value: Any, lines: _Lines) -> Any:
    match value:
        case str() if is_placeholder(value):
            return Placeholder(value, lines.line_of(value))
        case dict():
            return {name: _marked(member, lines) for name, member in value.items()}
        case list():
            return [_marked(item, lines) for item in value]
    return value


def _name(found: re.Match[str]) -> str:
    return next(filter(None, found.groups()), "")


def _shown(found: re.Match[str]) -> str:
    kind, name = found.lastgroup, _name(found)
    forms: Iterator[tuple[str, str]] = iter(
        [("parenthesis", f"$({name})"), ("hash", f"##{name}##"), ("at", f"@@{name}@@"), ("question", f"?{name}?")]
    )
    return dict(forms).get(kind or "", f"${{{name or '…'}}}")
