"""The fields of a request, from the address of a page and what the table fixes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from portico_contracts.management import METHODS

from portico_console.console_app.screens.screen import Screen, Template
from portico_console.console_app.screens.values import find
from portico_console.visit import Visit


def parts_of(visit: Visit) -> dict[str, str]:
    """The parts of the address, as they were before `segment`."""
    return {name: unquote(value) for name, value in visit.path.items()}


def segment(value: str) -> str:
    """A value as one part of an address: encoded twice, since a slash that is encoded once is one again when it arrives."""
    return quote(quote(value, safe=""), safe="")


def address(visit: Visit, path: str, parts: Mapping[str, str] | None = None) -> str:
    """The address of a path of the table.

    Args:
        parts: beside those of this page.
    """
    known = parts_of(visit) | dict(parts or {})
    return visit.party.path + path.format_map({name: segment(value) for name, value in known.items()})


def given(visit: Visit, screen: Screen, method: str, more: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The fields of a request that are in the address, as far as the method has them.

    Args:
        more: parts beside those of the address.
    """
    parts = parts_of(visit) | dict(more or {})
    has = METHODS[method.replace("/", ".")].request.DESCRIPTOR.fields_by_name
    names = {field.json_name for field in has.values()}
    return {field: parts[part] for field, part in screen.parts.items() if field in names and part in parts}


def filled(template: Template, values: Mapping[str, str], thing: Any = None) -> dict[str, Any]:
    """A template with its ``$name`` replaced, and ``$.path`` by what the object has there."""
    found: dict[str, Any] = _filled(template, values, thing)
    return found


def merged(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """All fields; lists of the same name are one list."""
    found: dict[str, Any] = {}
    for one in parts:
        for name, value in one.items():
            there = found.get(name)
            found[name] = [*there, *value] if isinstance(there, list) and isinstance(value, list) else value
    return found


def _filled(template: Any, values: Mapping[str, str], thing: Any) -> Any:
    if isinstance(template, Mapping):
        return {name: _filled(value, values, thing) for name, value in template.items()}
    if isinstance(template, (list, tuple)):
        return [_filled(value, values, thing) for value in template]
    if isinstance(template, str) and template.startswith("$."):
        return find(thing, template[2:])
    if isinstance(template, str) and template.startswith("$"):
        return values[template[1:]]
    return template
