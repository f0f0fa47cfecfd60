"""Reads a JSON document of any size, value by value, and knows the line it is at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.decoder import JSONDecodeError
from typing import Any, Final, TextIO

from portico_oauth.surrogates import find_lone_surrogate

from portico_cli.conversion.files import READ_ERRORS, describe
from portico_cli.conversion.findings import Place, SourceError

_CHUNK: Final = 64 * 1024
LONGEST: Final = 16 * 1024 * 1024
"""Characters of one value that is read as a whole."""

_NEAR_THE_END: Final = 16
"""An error so near to the end of what was read may be a literal that was cut."""


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


class JsonStream:
    """The document of a file. Members and items are visited in their order, and each value is read or skipped once."""

    def __init__(self, file: TextIO, name: str) -> None:
        """Reads nothing yet.

        Args:
            name: of the file, for errors.
        """
        self._file = file
        self._name = name
        self._text = ""
        self._at = 0
        self._line = 1
        self._ended = False
        self._decoder = json.JSONDecoder(parse_constant=_refuse_constant)

    @property
    def place(self) -> Place:
        """Where the next value begins."""
        self.peek()
        return self._place_of(self._at)

    def peek(self) -> str:
        """The first character of what comes next; empty at the end of the file."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._text) or not self._more(_CHUNK):
                return self._text[self._at : self._at + 1]

    def value(self) -> Any:
        """The next value as a whole; raises `SourceError` for what is no JSON, or longer than `LONGEST`."""
        self.peek()
        size = _CHUNK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except JSONDecodeError as error:
                if self._is_wrong(error) or not self._more(size):
                    raise SourceError(self._place_of(error.pos), f"Invalid JSON: {error.msg}.") from None
            except (ValueError, RecursionError):
                raise SourceError(
                    self.place, "This value is nested too deeply or contains an unsupported number."
                ) from None
            else:
                # A number so near to the end of what was read may continue: "1", ".5e", "+3".
                if end < len(self._text) - _NEAR_THE_END or not self._more(size):
                    if find_lone_surrogate(self._text[self._at : end], value) is not None:
                        raise SourceError(
                            self.place, "This value contains an unpaired surrogate, which is not valid text."
                        )
                    self._at = end
                    return value
            size *= 2
            if len(self._text) - self._at > LONGEST:
                raise SourceError(self.place, "This value is too long.")

    def members(self) -> Iterator[str]:
        """The names of the members of the next value, an object; after each name its value must be read or skipped."""
        self._take("{")
        if self.peek() == "}":
            self._at += 1
            return
        while True:
            if self.peek() != '"':
                raise SourceError(self.place, "Expected a name in quotes.")
            name: str = self.value()
            self._take(":")
            yield name
            if self._is_last("}"):
                return

    def items(self) -> Iterator[None]:
        """One turn for each item of the next value, an array; in each turn the item must be read or skipped."""
        self._take("[")
        if self.peek() == "]":
            self._at += 1
            return
        while True:
            yield None
            if self._is_last("]"):
                return

    def skip(self) -> int:
        """Passes over the next value; returns how many members or items it has."""
        number = 0
        match self.peek():
            case "{":
                for _ in self.members():
                    self.skip()
                    number += 1
            case "[":
                for _ in self.items():
                    self.skip()
                    number += 1
            case _:
                self.value()
        return number

    def end(self) -> None:
        """Raises `SourceError` when anything follows the document."""
        if self.peek():
            raise SourceError(self.place, "Unexpected end of the document.")

    def _take(self, character: str) -> None:
        if self.peek() != character:
            raise SourceError(self.place, f"Expected {character}.")
        self._at += 1

    def _is_last(self, closing: str) -> bool:
        found = self.peek()
        if found not in {",", closing} or not found:
            raise SourceError(self.place, f"Expected a comma or {closing}.")
        self._at += 1
        return found == closing

    def _is_wrong(self, error: JSONDecodeError) -> bool:
        """The error is one whatever follows: an unterminated text or a cut literal may be completed by more of the file."""
        return error.pos < len(self._text) - _NEAR_THE_END and not error.msg.startswith("Unterminated")

    def _more(self, size: int) -> bool:
        if self._ended:
            return False
        try:
            read = self._file.read(size)
        except READ_ERRORS as error:
            raise SourceError(self._place_of(self._at), f"After this line: {describe(error)}") from None
        if read:
            self._line += self._text.count("\n", 0, self._at)
            self._text, self._at = self._text[self._at :] + read, 0
        self._ended = not read
        return bool(read)

    def _place_of(self, at: int) -> Place:
        return Place(self._name, self._line + self._text.count("\n", 0, at))
