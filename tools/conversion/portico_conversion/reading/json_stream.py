from __future__ import annotations

import json
from collections.abc import Iterator
from json.decoder import JSONDecodeError
from typing import Any, Final, TextIO

from portico_oauth.surrogates import find_lone_surrogate

from portico_conversion.findings import Place, SourceError
from portico_conversion.placeholders import marked
from portico_conversion.reading.text_files import READ_ERRORS, describe

_CHUNK: Final = 64 * 1024
LONGEST: Final = 16 * 1024 * 1024
"""Maximum characters of one value that is read as a whole."""

_NEAR_THE_END: Final = 16
"""An error this close to the end of the buffer may be an incomplete literal."""


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


class JsonStream:
    """Members and items are visited in order, and each value must be read or skipped once."""

    def __init__(self, file: TextIO, name: str) -> None:
        self._file = file
        self._name = name
        self._text = ""
        self._at = 0
        self._line = 1
        self._ended = False
        self._decoder = json.JSONDecoder(parse_constant=_refuse_constant)

    @property
    def place(self) -> Place:
        self.peek()
        return self._place_of(self._at)

    def peek(self) -> str:
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._text) or not self._more(_CHUNK):
                return self._text[self._at : self._at + 1]

    def value(self) -> Any:
        """Reads a whole value; raises `SourceError` for invalid JSON, or beyond `LONGEST`.

        Texts with placeholders are `Placeholder` objects.
        """
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
                # A number this close to the end of the buffer may continue: "1", ".5e", "+3".
                if end < len(self._text) - _NEAR_THE_END or not self._more(size):
                    if find_lone_surrogate(self._text[self._at : end], value) is not None:
                        raise SourceError(
                            self.place, "This value contains an unpaired surrogate, which is not valid text."
                        )
                    place, text = self.place, self._text[self._at : end]
                    self._at = end
                    return marked(value, text, place.line)
            size *= 2
            if len(self._text) - self._at > LONGEST:
                raise SourceError(self.place, "This value is too long.")

    def members(self) -> Iterator[str]:
        """Yields the names of an object's members; after each name its value must be read or skipped."""
        self._take("{")
        if self.peek() == "}":
            self._at += 1
            return
        while True:
            if self.peek() != '"':
                raise SourceError(self.place, "Expected a name in quotes.")
            name = str(self.value())
            self._take(":")
            yield name
            if self._is_last("}"):
                return

    def items(self) -> Iterator[None]:
        """Yields once per item of an array; the item must be read or skipped."""
        self._take("[")
        if self.peek() == "]":
            self._at += 1
            return
        while True:
            yield None
            if self._is_last("]"):
                return

    def skip(self) -> int:
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
        """False for an unterminated string or literal, which more of the file may complete."""
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
