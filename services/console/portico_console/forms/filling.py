from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from portico_oauth.errors import Violation

from portico_console.forms.field import NUMBERED, Field, Widget, all_of, below
from portico_console.forms.words import label_of_path, word

_AROUND: Final = (Widget.GROUP, Widget.ROWS, Widget.ONE_OF)
"""Fields that only contain others."""

_INDEX: Final = re.compile(r"\[(\d+)\]")


def begun(fields: Sequence[Field], thing: Mapping[str, Any]) -> tuple[Field, ...]:
    """Fills the fields with a message in proto3 JSON; absent values and secrets are empty."""
    return tuple(_begun(field, thing) for field in fields)


def with_focus(fields: Sequence[Field], input: str) -> tuple[Field, ...]:
    """Marks the first input whose name begins so to be focused."""
    inputs = (one for one in all_of(tuple(fields)) if one.widget not in _AROUND)
    first = next((one.path for one in inputs if one.input.startswith(input)), "")
    return tuple(_focused(field, first) for field in fields)


class Problem(NamedTuple):
    """An entry of the list of errors above a form; `id` is that of the input, empty where the form has none."""

    id: str
    label: str
    text: str


def with_problems(fields: Sequence[Field], violations: Sequence[Violation]) -> tuple[Field, ...]:
    """Marks the fields with errors, and the first of them to be focused."""
    problems = {_path(one.field): one.text for one in violations}
    marked = tuple(_with_problem(field, problems) for field in fields)
    wrong = [one for one in all_of(marked) if one.problem]
    first = next((one.path for one in (*(one for one in wrong if one.widget not in _AROUND), *wrong)), "")
    return tuple(_focused(field, first) for field in marked) if first else marked


def problems_of(fields: Sequence[Field], violations: Sequence[Violation]) -> list[Problem]:
    """Returns all errors in the order of the form, then those of fields that it does not have."""
    marked = [one for one in all_of(tuple(fields)) if one.problem]
    paths = tuple(f"{one.path}." for one in marked)
    others = [one for one in violations if not f"{_path(one.field)}.".startswith(paths)]
    placed = (Problem(one.id, one.label, one.problem) for one in marked)
    return [*placed, *(Problem("", label_of_path(one.field), one.text) for one in others)]


def rows_of(field: Field, numbers: Iterable[int]) -> Field:
    rows = tuple(
        Field(
            f"{field.path}.{number}", str(number), "", Widget.GROUP,
            children=tuple(below(child, f"{field.path}.{number}") for child in field.children),
        )
        for number in numbers
    )  # fmt: skip
    return replace(field, children=rows, kind=NUMBERED)


def _begun(field: Field, thing: Mapping[str, Any]) -> Field:
    if field.widget is Widget.ONE_OF:
        names = [one.name for one in field.children]
        chosen = next((name for name in names if name in thing), "" if field.blank else names[0])
        return replace(field, value=chosen, children=begun(field.children, thing))
    there = thing.get(field.name)
    if field.widget is Widget.GROUP:
        return replace(field, children=begun(field.children, there if isinstance(there, Mapping) else {}))
    if field.widget is Widget.ROWS:
        messages: Sequence[Mapping[str, Any]] = there if isinstance(there, list) else []
        filled = messages or [{}]
        rows = rows_of(field, range(len(filled)))
        children = tuple(
            replace(row, children=begun(row.children, one)) for row, one in zip(rows.children, filled, strict=True)
        )
        return replace(rows, children=children)
    return filled_with(field, _value(field, there))


def filled_with(field: Field, value: str | bool | tuple[str, ...]) -> Field:
    """Sets the value; one that is no choice any more stays selectable."""
    is_other = field.widget is Widget.CHOICE and field.choices and value and value not in dict(field.choices)
    choices = (*field.choices, (str(value), word(str(value)))) if is_other else field.choices
    return replace(field, value=value, choices=choices)


def _value(field: Field, there: Any) -> str | bool | tuple[str, ...]:
    values = there if isinstance(there, list) else []
    match field.widget:
        case Widget.CHECK:
            return bool(there)
        case Widget.SEVERAL:
            return tuple(values)
        case Widget.LINES:
            return "\n".join(values)
        case Widget.CHOICE if not field.blank and there is None and field.choices:
            return field.choices[0][0]
        case Widget.JSON if there is not None:
            return json.dumps(there, indent=2, ensure_ascii=False)
        case _:
            return "" if there is None else _text(field, there)


def _text(field: Field, there: Any) -> str:
    if field.is_hidden:
        return ""
    if field.widget is Widget.SECONDS:
        return str(there).removesuffix("s")
    if field.widget is Widget.TIME:
        return str(there)[:16]
    if isinstance(there, bool):
        return str(there).lower()
    return text_in(str(there)) if field.kind == "bytes" else str(there)


def text_in(encoded: str) -> str:
    """Decodes base64 to text; empty where the bytes are not text."""
    try:
        return base64.b64decode(encoded, validate=True).decode()
    except (ValueError, binascii.Error):
        return ""


def _with_problem(field: Field, problems: Mapping[str, str]) -> Field:
    children = tuple(_with_problem(child, problems) for child in field.children)
    below_it = field.widget not in _AROUND
    found = problems.get(field.path, "")
    if not found and below_it:
        found = next((text for path, text in problems.items() if path.startswith(f"{field.path}.")), "")
    return replace(field, children=children, problem=found or field.problem)


def _focused(field: Field, path: str) -> Field:
    return replace(field, focus=field.path == path, children=tuple(_focused(child, path) for child in field.children))


def _path(field: str) -> str:
    parts = _INDEX.sub(r".\1", field).split(".")
    return ".".join(_camel(part) for part in parts)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(one[:1].upper() + one[1:] for one in others)
