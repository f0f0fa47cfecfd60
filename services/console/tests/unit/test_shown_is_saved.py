"""What a form shows is what it sends: a form that is opened and sent unchanged stores what it showed."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict
from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.table import SCREENS
from portico_console.forms.building import fields_of
from portico_console.forms.field import Field, Widget, all_of
from portico_console.forms.filling import begun
from portico_console.forms.reading import read
from portico_contracts.management import METHODS
from portico_harness.rows import row

CHANGES = [(screen, one) for screen in SCREENS for one in screen.actions if one.filled_from]
CREATIONS = [(screen, one) for screen in SCREENS for one in (*screen.create, *screen.actions) if one.only]
METHOD_NAMES = sorted(method.path.removeprefix("/") for method in METHODS.values())


def sent(fields: tuple[Field, ...]) -> dict[str, str]:
    """Returns what a browser sends for unchanged fields."""
    found: dict[str, str] = {}
    for field in all_of(fields):
        match field.widget:
            case Widget.CHECK:
                found |= {field.input: "on"} if field.value else {}
            case Widget.SEVERAL if isinstance(field.value, tuple):
                found |= {f"{field.input}.{name}": "on" for name in field.value}
            case Widget.CHOICE if not field.value and not field.blank and field.choices:
                found[field.input] = field.choices[0][0]
            case _ if isinstance(field.value, str) and field.widget not in (Widget.GROUP, Widget.ROWS):
                found[field.input] = field.value
    return found


def request_of(method: str, body: dict[str, Any]) -> Any:
    return ParseDict(body, METHODS[method.replace("/", ".")].request())


@pytest.mark.slow
def test_unchanged_form_sends_what_it_showed() -> None:
    """Of every operation, with all values and with none, but secrets."""
    for method, full in product(METHOD_NAMES, (True, False)):
        with row(method, full):
            form = fields_of(method, change=True)
            stored = sample(METHODS[method.replace("/", ".")].request.DESCRIPTOR) if full else {}
            before = request_of(method, {name: value for name, value in stored.items() if name in named_by(form)})
            fields = begun(form, MessageToDict(before))
            result = read(form, sent(fields), change=True)
            after = request_of(method, result.message)
            again = begun(form, MessageToDict(after))

            assert result.violations == ()
            assert [(field.path, field.value) for field in all_of(again)] == [
                (field.path, field.value) for field in all_of(fields)
            ]
            assert _values(after, hidden_in(fields)) == _values(before, hidden_in(fields))


def test_checkbox_of_a_group_is_sent() -> None:
    """A group of checkboxes is sent even if no box is ticked, because the API would store its defaults otherwise."""
    for screen, action in CREATIONS:
        with row(screen.key, action.word):
            fields = begun(fields_of(action.method, action.only, change=bool(action.filled_from)), {})
            groups = [one.name for one in fields if one.widget is Widget.GROUP and _is_settings(one)]
            message = read(fields, {}, change=bool(action.filled_from)).message

            assert [name for name in groups if True in message.get(name, {"": True}).values()] == []


def test_form_of_a_change_starts_with_stored_values() -> None:
    """Every field but a secret is read from the object: one that starts empty would be emptied."""
    for screen, action in CHANGES:
        with row(screen.key, action.word):
            known: set[str] = set()
            for part in action.filled_from.split("|"):
                name, _, path = part.rpartition("=")
                found = followed(screen, path)
                assert found is not None, path
                known |= {name} if name else {field.json_name for field in found.message_type.fields}
            shown = fields_of(action.method, action.only, change=True)

            assert {
                field.name for field in shown if not field.is_hidden and field.widget is not Widget.ONE_OF
            } - known == set()


def followed(screen: Screen, path: str) -> Any:
    """Returns the field at a path of the object of a screen."""
    reading = screen.getting or screen.listing
    assert reading is not None
    response: Any = METHODS[reading.method.replace("/", ".")].response.DESCRIPTOR
    place = screen.getting.object if screen.getting else "result"
    parts = [part for part in (*place.split("."), *path.split(".")) if part]
    found: Any = None
    for part in parts:
        found = next((one for one in response.fields if one.json_name == part), None)
        if found is None:
            return None
        response = found.message_type
    return found or type("Response", (), {"message_type": response})


def _is_settings(field: Field) -> bool:
    return all(one.widget in (Widget.CHECK, Widget.CHOICE) for one in field.children)


def named_by(fields: tuple[Field, ...]) -> set[str]:
    """Returns the fields of a form, and the alternatives of its choices between fields."""
    return {one.name for field in fields for one in (field, *(field.children if field.widget is Widget.ONE_OF else ()))}


def hidden_in(fields: tuple[Field, ...]) -> set[str]:
    return {field.path for field in all_of(fields) if field.is_hidden}


def _values(message: Any, hidden: set[str]) -> dict[str, Any]:
    """Returns the leaves that are not secrets; absent and empty groups and lists are equal."""
    return {path: value for path, value in _leaves(message, "") if path not in hidden}


def _leaves(message: Any, path: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for field, value in message.ListFields():
        here = f"{path}.{field.json_name}" if path else field.json_name
        if field.message_type is None or field.message_type.full_name.startswith("google.protobuf."):
            found += [(here, list(value) if field.is_repeated else value)] if value or field.is_repeated else []
        elif field.is_repeated:
            found += [one for at, row in enumerate(value) for one in _leaves(row, f"{here}.{at}")]
        else:
            found += _leaves(value, here)
    return found


def sample(message: Any, depth: int = 5) -> dict[str, Any]:
    """Returns a message with a value in every field, in JSON; of alternatives the first."""
    found: dict[str, Any] = {}
    seen: set[str] = set()
    for field in message.fields:
        oneof = field.containing_oneof
        if oneof is not None and oneof.name in seen:
            continue
        seen |= {oneof.name} if oneof is not None else set()
        value = _sample_of(field, depth)
        if value is not None:
            found[field.json_name] = [value] if field.is_repeated else value
    return found


def _sample_of(field: Any, depth: int) -> Any:
    if field.message_type is not None:
        known = {
            "google.protobuf.Duration": "7s",
            "google.protobuf.Timestamp": "2026-11-26T07:30:00Z",
            "google.protobuf.Struct": {"a": "b"},
        }
        if field.message_type.full_name in known:
            return known[field.message_type.full_name]
        return sample(field.message_type, depth - 1) if depth else None
    if field.enum_type is not None:
        return field.enum_type.values[-1].name
    if field.type == FieldDescriptor.TYPE_BYTES:
        return "Ymx1ZQ=="
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return True
    return "text" if field.cpp_type == FieldDescriptor.CPPTYPE_STRING else 7
