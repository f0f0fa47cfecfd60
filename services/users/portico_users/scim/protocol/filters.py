"""Filters (RFC 7644 section 3.4.2.2), parsed within limits: a deep one must cost nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import msgspec

from portico_users.scim.protocol.errors import INVALID_FILTER

MAX_BYTES: Final = 2_048
MAX_DEPTH: Final = 8
MAX_COMPARISONS: Final = 50

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """``attribute operator value``; names in lower case, the operator ``pr`` without a value."""

    attribute: str
    operator: str
    value: Value = None


@dataclass(frozen=True, slots=True)
class Every:
    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Either:
    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Neither:
    part: Filter


@dataclass(frozen=True, slots=True)
class OfElement:
    """``attribute[filter]``: one element meets the whole filter."""

    attribute: str
    part: Filter


Filter = Comparison | Every | Either | Neither | OfElement

OPERATORS: Final = frozenset({"eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"})

_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<mark>[()\[\]])|(?P<text>"(?:[^"\\]|\\.)*")|(?P<word>[A-Za-z0-9_$.:+-]+))""", re.DOTALL
)
_WORDS: Final[dict[str, Value]] = {"true": True, "false": False, "null": None}
_NUMBER: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?\Z")


def parse_filter(text: str) -> Filter:
    """Raises USER-209 for a filter that is too long, too deep or not valid."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise INVALID_FILTER.error(cause="length")
    parser = _Parser(_tokens(text))
    found = parser.either(0)
    parser.end()
    return found


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            raise INVALID_FILTER.error(cause="token")
        tokens.append((match.lastgroup, match[match.lastgroup]))
        place = match.end()
    return tokens


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self._place = 0
        self._comparisons = 0

    def end(self) -> None:
        if self._place != len(self._tokens):
            raise INVALID_FILTER.error(cause="rest")

    def either(self, depth: int) -> Filter:
        parts = [self._every(depth)]
        while self._takes("or"):
            parts.append(self._every(depth))
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def _every(self, depth: int) -> Filter:
        parts = [self._one(depth)]
        while self._takes("and"):
            parts.append(self._one(depth))
        return parts[0] if len(parts) == 1 else Every(tuple(parts))

    def _one(self, depth: int) -> Filter:
        if depth > MAX_DEPTH:
            raise INVALID_FILTER.error(cause="depth")
        if self._takes("not"):
            return Neither(self._enclosed("(", ")", depth + 1))
        if self._peek() == ("mark", "("):
            return self._enclosed("(", ")", depth + 1)
        attribute = self._next("word").lower()
        if self._peek() != ("mark", "["):
            return self._comparison(attribute)
        of_element = OfElement(attribute, self._enclosed("[", "]", depth + 1))
        kind, text = self._peek()
        if kind != "word" or not text.startswith("."):
            return of_element
        self._place += 1
        # Entra ID writes emails[type eq "work"].value eq "…".
        return Every((of_element, self._comparison(f"{attribute}{text.lower()}")))

    def _enclosed(self, begin: str, end: str, depth: int) -> Filter:
        self._mark(begin)
        found = self.either(depth)
        self._mark(end)
        return found

    def _comparison(self, attribute: str) -> Comparison:
        self._comparisons += 1
        if self._comparisons > MAX_COMPARISONS:
            raise INVALID_FILTER.error(cause="comparisons")
        operator = self._next("word").lower()
        if operator == "pr":
            return Comparison(attribute, operator)
        if operator not in OPERATORS:
            raise INVALID_FILTER.error(cause="operator")
        return Comparison(attribute, operator, self._value())

    def _value(self) -> Value:
        kind, text = self._peek()
        self._place += 1
        if kind == "text":
            return _text_in(text)
        if kind == "word" and text.lower() in _WORDS:
            return _WORDS[text.lower()]
        if kind == "word" and _NUMBER.match(text):
            return float(text) if "." in text else int(text)
        raise INVALID_FILTER.error(cause="value")

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._place] if self._place < len(self._tokens) else ("", "")

    def _takes(self, word: str) -> bool:
        kind, text = self._peek()
        found = kind == "word" and text.lower() == word
        self._place += found
        return found

    def _next(self, kind: str) -> str:
        found, text = self._peek()
        if found != kind:
            raise INVALID_FILTER.error(cause="order")
        self._place += 1
        return text

    def _mark(self, mark: str) -> None:
        if self._next("mark") != mark:
            raise INVALID_FILTER.error(cause="brackets")


def _text_in(quoted: str) -> str:
    """NUL is refused: no text here has it, and the store refuses patterns with it."""
    try:
        text = msgspec.json.decode(quoted, type=str)
    except (msgspec.DecodeError, UnicodeError):
        raise INVALID_FILTER.error(cause="text") from None
    if "\0" in text:
        raise INVALID_FILTER.error(cause="text")
    return text
