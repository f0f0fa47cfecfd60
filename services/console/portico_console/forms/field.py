"""A field of a form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum


class Widget(Enum):
    """How a field is typed."""

    TEXT = "text"
    SECRET = "secret"
    FILE = "file"
    LONG = "long"
    LINES = "lines"
    NUMBER = "number"
    SECONDS = "seconds"
    TIME = "time"
    CHECK = "check"
    CHOICE = "choice"
    SEVERAL = "several"
    GROUP = "group"
    ROWS = "rows"
    ONE_OF = "one of"
    JSON = "json"


PREFIX = "f."
"""Begins the name of every input, so that no field of the API is taken for one of the page's own."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field.

    Args:
        path: in the request, as JSON names it: ``profile.firstName``. A row of a list has its number in it.
        name: its last part; the field of the message.
        label: what it is, made of its name.
        help: what it is for, in English; empty where nothing is written.
        limit: the most characters, or the largest number; 0 for none.
        kind: how its values are written in JSON, where the widget leaves it open: ``bytes`` or ``text``.
        choices: values and words, of a choice.
        children: the fields of a group, of each row, or the alternatives of which one is given.
        optional: absent means something else than empty.
        value: what it begins with: a text, a truth value, or values.
        problem: why it was refused.
    """

    path: str
    name: str
    label: str
    widget: Widget
    help: str = ""
    required: bool = False
    limit: int = 0
    kind: str = "text"
    choices: tuple[tuple[str, str], ...] = ()
    children: tuple[Field, ...] = ()
    optional: bool = False
    value: str | bool | tuple[str, ...] = ""
    problem: str = ""

    @property
    def input(self) -> str:
        """Its name in the form."""
        return f"{PREFIX}{self.path}"

    @property
    def id(self) -> str:
        """Of its element."""
        return f"f-{self.path.replace('.', '-')}"


def below(field: Field, path: str) -> Field:
    """The field with its path below another one."""
    joined = f"{path}.{field.path}" if path else field.path
    return replace(field, path=joined, children=tuple(below(child, path) for child in field.children))


def all_of(fields: tuple[Field, ...]) -> Iterator[Field]:
    """The fields with everything that is in them."""
    for field in fields:
        yield field
        yield from all_of(field.children)


def has_file(fields: tuple[Field, ...]) -> bool:
    """The form is multipart, as the macro ``encoding`` of the templates has it: a file is a separate field, never part of another."""
    return any(field.widget is Widget.FILE for field in fields)
