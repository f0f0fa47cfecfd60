"""What differs from the input of a form that another change has overtaken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from portico_contracts.error_ids import VERSION_OVERTAKEN
from portico_oauth.errors import ServiceError

from portico_console.forms.field import Field, Widget, all_of
from portico_console.forms.words import word

_AROUND = (Widget.GROUP, Widget.ROWS, Widget.ONE_OF)


class Difference(NamedTuple):
    """`stored` is the value that is stored now: a text, several, or yes or no."""

    label: str
    stored: str | bool | tuple[str, ...]


def is_overtaken(error: ServiceError | None) -> bool:
    """Reports whether the object has another version than the form: then the form gets the new one."""
    return error is not None and error.id == VERSION_OVERTAKEN


def differences(typed: Sequence[Field], stored: Sequence[Field]) -> list[Difference]:
    before = {field.path: field for field in all_of(tuple(typed))}
    found = []
    for field in all_of(tuple(stored)):
        own = before.get(field.path)
        is_shown = field.widget not in _AROUND and not field.is_hidden
        if is_shown and (own is None or _text(own) != _text(field)):
            found.append(Difference(field.label, _text(field)))
    return found


def differing(typed: Mapping[str, object], stored: Mapping[str, object], labels: Mapping[str, str]) -> list[Difference]:
    """The same of a form that is made by hand; those without a label are not shown."""
    names = (name for name in labels if typed.get(name) != stored.get(name))
    return [Difference(labels[name], _value(stored.get(name))) for name in names]


def _text(field: Field) -> str | bool | tuple[str, ...]:
    value = field.value
    if isinstance(value, bool):
        return value
    known = dict(field.choices)
    values = value if isinstance(value, tuple) else value.split("\n") if field.widget is Widget.LINES else (value,)
    texts = tuple(known.get(one) or word(one) for one in values if one)
    return texts[0] if len(texts) == 1 else texts


def _value(value: object) -> str | bool:
    if isinstance(value, bool):
        return value
    values = sorted(map(str, value)) if isinstance(value, (set, frozenset, list, tuple)) else [value or ""]
    return ", ".join(map(str, values))
