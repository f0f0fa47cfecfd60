from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from portico_console.forms.words import label_of, word

_MOST: Final = 200
"""Maximum lines; the JSON has the rest."""


class Line(NamedTuple):
    """A value of a response; `label` names the fields that it is in, and the numbers of rows."""

    label: str
    value: str


def lines_of(answer: str) -> list[Line]:
    """Returns the values of a response in JSON, in its order."""
    found = _lines(json.loads(answer), ()) if answer else iter(())
    return [line for _number, line in zip(range(_MOST), found, strict=False)]


def _lines(value: Any, labels: tuple[str, ...]) -> Iterator[Line]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _lines(inner, (*labels, label_of(name)))
    elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        for number, inner in enumerate(value, 1):
            yield from _lines(inner, (*labels[:-1], f"{labels[-1]} {number}" if labels else str(number)))
    else:
        yield Line(" · ".join(labels), _text(value))


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_text(one) for one in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return word(str(value))
