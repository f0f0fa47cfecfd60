"""The fields of a request, from the address of a page and what the table fixes; and the values of an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from portico_contracts.languages import OWN_NAMES
from portico_contracts.management import METHODS

from portico_console.console_app.screens.screen import Column, Kind, Screen, Template
from portico_console.forms.filling import text_in
from portico_console.forms.words import sign_in_methods, word
from portico_console.request_context import RequestContext, segment

STATES: Final = {
    "ACTIVE": ("active", "good"),
    "INACTIVE": ("inactive", "off"),
    "LOCKED": ("locked", "bad"),
    "INVITED": ("invited", "warn"),
    "NONE": ("cannot sign in yet", "warn"),
    "EXPIRED": ("invitation expired", "bad"),
    "DELETED": ("deleted", "off"),
    "READY": ("ready", "good"),
    "NOT_READY": ("not ready", "warn"),
    "REMOVED": ("removed", "off"),
    "WAITING": ("pending", "warn"),
    "DELIVERED": ("delivered", "good"),
    "GIVEN_UP": ("given up", "bad"),
    "WITHDRAWN": ("withdrawn", "off"),
    "CREATED": ("created", "off"),
    "PUBLISHED": ("published", "warn"),
    "SIGNING": ("signing", "good"),
    "RETIRED": ("retired", "off"),
    "REVOKED": ("revoked", "bad"),
}
"""Label, in English and translated, and style by the suffix of a state."""


_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Control characters, except line breaks and tabs."""


_LISTS: Final[Mapping[Kind, Callable[[Sequence[Any]], list[str]]]] = {
    Kind.LIST: lambda items: [word(str(one)) for one in items],
    Kind.METHODS: sign_in_methods,
    Kind.NAMES: lambda names: [str(one) for one in names],
    Kind.LANGUAGES: lambda tags: [OWN_NAMES.get(tag, tag) for tag in tags],
}
"""Texts for the items of a list."""


class Cell(NamedTuple):
    title: str
    kind: str
    value: str | bool | list[str]
    look: str = ""


def find(thing: Any, path: str) -> Any:
    """Returns the value at a path, of the first alternative that is not empty; for a list, the value of each item.

    The texts of paths joined by ``+`` are joined by slashes.
    """
    if "+" in path:
        return "/".join(text(thing, one) for one in path.split("+"))
    for alternative in path.split("|"):
        if (found := _follow(thing, alternative.split("."))) not in ("", [], {}, None):
            return found
    return ""


def text(thing: Any, path: str) -> str:
    found = find(thing, path)
    return found if isinstance(found, str) else "" if isinstance(found, Mapping) else str(found)


def cell(thing: Any, column: Column) -> Cell:
    found = find(thing, column.path)
    kind = column.kind
    if kind is Kind.YES:
        return Cell(column.title, kind.value, bool(found))
    if kind in _LISTS:
        shown_as = kind if kind in (Kind.METHODS, Kind.NAMES) else Kind.LIST
        return Cell(column.title, shown_as.value, _LISTS[kind](_sequence(found)))
    if kind is Kind.STATE:
        end, look = _state(str(found))
        return Cell(column.title, kind.value, end, look)
    if kind is Kind.WORD:
        return Cell(column.title, kind.value, word(text(thing, column.path) or column.absent))
    shown = "" if isinstance(found, Mapping) else str(found)
    if kind is Kind.BYTES:
        read = text_in(shown)
        return Cell(column.title, Kind.CODE.value, shown if _CONTROL.search(read) else read or shown)
    return Cell(column.title, kind.value, _duration(shown) if kind is Kind.SECONDS else shown)


def _duration(written: str) -> str:
    """Formats ``43200s`` as ``12 h``: the largest unit that gives an integer; symbols are the same in all languages."""
    seconds = float(written.removesuffix("s") or 0)
    for size, symbol in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds and seconds % size == 0:
            return f"{seconds / size:g} {symbol}"
    return f"{seconds:g} s" if written else ""


def _state(constant: str) -> tuple[str, str]:
    for end in sorted(STATES, key=len, reverse=True):
        if constant.endswith(f"_STATE_{end}"):
            return STATES[end]
    return "", "off"


def _follow(thing: Any, parts: Sequence[str]) -> Any:
    for position, part in enumerate(parts):
        if isinstance(thing, list):
            return [_follow(one, parts[position:]) for one in thing]
        if not isinstance(thing, Mapping) or part not in thing:
            return thing if part == "" else ""
        thing = thing[part]
    return thing


def _sequence(found: Any) -> list[Any]:
    if isinstance(found, list):
        return found
    return [found] if found not in ("", {}) else []


def address(ctx: RequestContext, path: str, parts: Mapping[str, str] | None = None) -> str:
    """Builds the URL of a path of the table; `parts` are added to those of this page."""
    known = ctx.path | dict(parts or {})
    return ctx.party.path + path.format_map({name: segment(value) for name, value in known.items()})


def given(ctx: RequestContext, screen: Screen, method: str, more: Mapping[str, str] | None = None) -> dict[str, Any]:
    parts = ctx.path | dict(more or {})
    has = METHODS[method.replace("/", ".")].request.DESCRIPTOR.fields_by_name
    names = {field.json_name for field in has.values()}
    return {field: parts[part] for field, part in screen.parts.items() if field in names and part in parts}


def fields_stored(method: str, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the stored values that a method, which replaces all of them, has fields for."""
    known = METHODS[method.replace("/", ".")].request.DESCRIPTOR.fields
    return {one.json_name: stored[one.json_name] for one in known if one.json_name in stored}


def filled(template: Template, values: Mapping[str, Any], thing: Any = None) -> dict[str, Any]:
    """Fills a template: ``$name`` by values, and ``$.path`` by the object's field."""
    found: dict[str, Any] = _filled(template, values, thing)
    return found


def merged(*parts: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in parts:
        for name, value in one.items():
            there = found.get(name)
            found[name] = [*there, *value] if isinstance(there, list) and isinstance(value, list) else value
    return found


def _filled(template: Any, values: Mapping[str, Any], thing: Any) -> Any:
    if isinstance(template, Mapping):
        return {name: _filled(value, values, thing) for name, value in template.items()}
    if isinstance(template, (list, tuple)):
        return [_filled(value, values, thing) for value in template]
    if isinstance(template, str) and template.startswith("$."):
        return find(thing, template[2:])
    if isinstance(template, str) and template.startswith("$"):
        return values[template[1:]]
    return template
