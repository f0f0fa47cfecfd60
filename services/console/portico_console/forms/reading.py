from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from portico_oauth.errors import ErrorCode, Kind, Violation
from portico_oauth.surrogates import find_lone_surrogate
from portico_oauth.typed_text import trimmed

from portico_console.forms.field import LANGUAGE, Field, Widget
from portico_console.forms.filling import filled_with, rows_of
from portico_console.forms.row_buttons import numbers_of_rows, with_rows

NOT_A_NUMBER: Final = "This is not a number."
NOT_A_TIME: Final = "Invalid date and time."
NOT_JSON: Final = "This is not JSON."

NOT_READ = ErrorCode("CONS-263", Kind.INVALID_REQUEST, "Some fields have invalid values.", "Correct the marked fields.")

_NUMBER: Final = re.compile(r"-?\d{1,20}")
_SECONDS: Final = re.compile(r"\d{1,12}(\.\d{1,9})?")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?")
_MINUTES: Final = len("2026-11-23T13:40")
MOST_ROWS: Final = 100

_WRITTEN: Final = {
    Widget.NUMBER: (_NUMBER, NOT_A_NUMBER, ""),
    Widget.SECONDS: (_SECONDS, NOT_A_NUMBER, "s"),
    Widget.TIME: (_TIME, NOT_A_TIME, "Z"),
}
"""Format, error and JSON suffix of a value."""


@dataclass(frozen=True, slots=True)
class Typed:
    """`fields` have the input, secrets empty; `violations` have the paths of the fields."""

    fields: tuple[Field, ...]
    message: dict[str, Any]
    violations: tuple[Violation, ...]


def read(fields: Sequence[Field], posted: Mapping[str, str], *, change: bool) -> Typed:
    """With `change`, an empty text is sent as empty; otherwise empty inputs are absent.

    Empty rows of lists are left out, so that the API numbers the rows as the form does.
    """
    return _read(fields, without_empty_rows(fields, posted), change=change)


def read_draft(fields: Sequence[Field], posted: Mapping[str, str]) -> Typed:
    """Reads a form that is shown again and not sent: with the rows that are empty so far."""
    return _read(fields, posted, change=False)


def without_empty_rows(fields: Sequence[Field], posted: Mapping[str, str]) -> Mapping[str, str]:
    reader = _Reader(posted, change=False)
    reader.message(fields)
    return with_rows(posted, reader.kept)


def _read(fields: Sequence[Field], posted: Mapping[str, str], *, change: bool) -> Typed:
    reader = _Reader(posted, change)
    message = reader.message(fields)
    return Typed(reader.typed(fields), message, tuple(reader.violations))


class _Reader:
    def __init__(self, posted: Mapping[str, str], change: bool) -> None:
        self._posted = posted
        self._numbers = numbers_of_rows(posted)
        self.kept: dict[str, list[int]] = {}
        """Of lists with empty rows or gaps, the numbers of the other rows."""
        self._change = change
        self.violations: list[Violation] = []

    def message(self, fields: Sequence[Field]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for field in fields:
            if field.widget is Widget.ONE_OF:
                found |= self._one_of(field)
            elif (value := self._value(field)) is not None:
                found[field.name] = value
        return found

    def typed(self, fields: Sequence[Field]) -> tuple[Field, ...]:
        return tuple(self._typed(field) for field in fields)

    def _one_of(self, field: Field) -> dict[str, Any]:
        chosen = next((one for one in field.children if one.name == self._posted.get(field.input)), None)
        if chosen is None:
            return {}
        value = self._value(chosen)
        if value is None:
            value = {} if chosen.widget is Widget.GROUP else True if chosen.widget is Widget.CHECK else ""
        return {chosen.name: value}

    def _value(self, field: Field) -> Any:
        match field.widget:
            case Widget.GROUP:
                return self.message(field.children) or ({} if field.required else None)
            case Widget.ROWS:
                rows = {int(row.name): self.message(row.children) for row in self._rows(field).children}
                kept = [number for number, row in rows.items() if any(row.values())]
                if kept != [*range(len(rows))]:
                    self.kept[field.input] = kept
                return [rows[number] for number in kept] or None
            case Widget.CHECK:
                return True if field.input in self._posted else False if field.explicit else None
            case Widget.SEVERAL:
                return [name for name, _word in field.choices if f"{field.input}.{name}" in self._posted]
            case Widget.LINES:
                lines = [trimmed(line) for line in self._posted.get(field.input, "").splitlines()]
                return [line for line in lines if line]
            case _:
                return self._text(field, self._posted.get(field.input, ""))

    def _text(self, field: Field, text: str) -> Any:
        if field.widget not in (Widget.LONG, Widget.SECRET):
            text = trimmed(text)
        if not text:
            keeps = field.optional and self._change and (field.widget is Widget.TEXT or field.kind == LANGUAGE)
            return "" if keeps else None
        if field.widget is Widget.FILE:
            return text  # the content, which `portico_web.uploads` writes in base64
        if field.widget is Widget.JSON:
            return self._json(field, text)
        if field.widget is Widget.CHOICE and not field.choices:
            return text == "true"
        if field.widget in _WRITTEN:
            return self._written(field, text)
        return base64.b64encode(text.encode()).decode() if field.kind == "bytes" else text

    def _written(self, field: Field, text: str) -> str | None:
        pattern, problem, end = _WRITTEN[field.widget]
        if not pattern.fullmatch(text):
            self.violations.append(Violation(field.path, problem))
            return None
        seconds = ":00" if field.widget is Widget.TIME and len(text) == _MINUTES else ""
        return f"{text}{seconds}{end}"

    def _json(self, field: Field, text: str) -> Any:
        try:
            value = json.loads(text)
            if find_lone_surrogate(text, value) is not None:
                raise ValueError("an unpaired surrogate")
            return value
        except (ValueError, RecursionError):
            self.violations.append(Violation(field.path, NOT_JSON))
            return None

    def _rows(self, field: Field) -> Field:
        return rows_of(field, self._numbers.get(field.input, ())[:MOST_ROWS])

    def _typed(self, field: Field) -> Field:
        if field.widget is Widget.ROWS:
            rows = self._rows(field)
            rows = rows if rows.children else rows_of(field, range(1))
            return replace(rows, children=self.typed(rows.children))
        return replace(filled_with(field, self._shown(field)), children=self.typed(field.children))

    def _shown(self, field: Field) -> str | bool | tuple[str, ...]:
        if field.is_hidden:
            return ""
        match field.widget:
            case Widget.CHECK:
                return field.input in self._posted
            case Widget.SEVERAL:
                return tuple(self._value(field))
            case _:
                return self._posted.get(field.input, "")
