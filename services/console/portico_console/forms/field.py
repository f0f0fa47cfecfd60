from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as default
from enum import Enum
from typing import Final


class Widget(Enum):
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
    PERSON = "person"
    GROUP = "group"
    ROWS = "rows"
    ONE_OF = "one of"
    JSON = "json"


SECRET = "secret"
LANGUAGE = "language"
_SHORT = frozenset({Widget.TEXT, Widget.NUMBER, Widget.CHECK, Widget.CHOICE})
PREFIX = "f."
"""Prefix of all input names, which avoids collisions with the page's own inputs."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field.

    Args:
        path: in the request, in JSON names: ``profile.firstName``. Rows of a list contain their number.
        source: message and JSON name, ``SetAPIScopesRequest.scopes``; empty for a hand-made field.
        help: description in the API, in English, or the hint of a form, which is translated.
        hint: sentence of a hand-made form, which is translated.
        ltr: a value such as an address, which is left to right in every language.
        limit: maximum characters, or the largest number; 0 for none.
        kind: JSON encoding, where the widget leaves it open: ``bytes`` or ``text``; ``secret`` for a long secret; ``language`` for a tag.
        children: the fields of a group or of each row, or the alternatives of a oneof.
        folded: below "More settings".
        search: what was typed to find the choices of a person.
        meanings: a line below choices.
        headings: titles above choices that begin a group.
        focus: the first field with a problem.
        optional: absent differs from empty.
        explicit: an unticked checkbox is sent as false, because absent means something else.
        blank: a choice may be left open.
    """

    path: str
    name: str
    label: str
    widget: Widget
    source: str = ""
    help: str = ""
    hint: str = ""
    placeholder: str = ""
    ltr: bool = False
    required: bool = False
    limit: int = 0
    kind: str = "text"
    choices: tuple[tuple[str, str], ...] = ()
    children: tuple[Field, ...] = ()
    optional: bool = False
    explicit: bool = False
    blank: bool = True
    value: str | bool | tuple[str, ...] = ""
    problem: str = ""
    focus: bool = False
    folded: bool = False
    search: str = ""
    meanings: Mapping[str, str] = default(default_factory=dict)
    headings: Mapping[str, str] = default(default_factory=dict)

    @property
    def is_hidden(self) -> bool:
        """Reports whether its value is never shown again."""
        return self.widget in (Widget.SECRET, Widget.FILE) or self.kind == SECRET

    @property
    def is_across(self) -> bool:
        """Reports whether each row of the list is a line of short inputs."""
        inputs = [one for row in self.children for one in row.children]
        return self.widget is Widget.ROWS and all(one.widget in _SHORT for one in inputs)

    @property
    def input(self) -> str:
        return f"{PREFIX}{self.path}"

    @property
    def id(self) -> str:
        return f"f-{self.path.replace('.', '-')}"


NUMBERED: Final = "numbered"
"""Kind of a list whose rows are in the form."""


def below(field: Field, path: str) -> Field:
    joined = f"{path}.{field.path}" if path else field.path
    if field.widget is Widget.ROWS and field.kind != NUMBERED:
        return replace(field, path=joined)  # its children are placed when the rows get their numbers
    return replace(field, path=joined, children=tuple(below(child, path) for child in field.children))


def all_of(fields: tuple[Field, ...]) -> Iterator[Field]:
    for field in fields:
        yield field
        yield from all_of(field.children)


def secrets_of(fields: tuple[Field, ...]) -> frozenset[str]:
    """Inputs that are never shown again."""
    return frozenset(field.input for field in all_of(fields) if field.is_hidden)


def is_filled(field: Field) -> bool:
    """Reports whether it, or one below it, has a value or a problem."""
    first = field.choices[0][0] if field.choices and not field.blank else ""
    return bool(field.problem) or field.value not in ("", False, (), first) or any(map(is_filled, field.children))


def has_file(fields: tuple[Field, ...]) -> bool:
    """Reports whether the form is multipart; a file is always a top-level field."""
    return any(field.widget is Widget.FILE for field in fields)
