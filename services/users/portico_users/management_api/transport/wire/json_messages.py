"""Reads proto3 JSON; unlike protobuf, refuses unknown names and wrong types, each error with its path."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message
from portico_contracts.proto_options import descriptor_of, json_aliases_of, map_value_of
from portico_oauth.errors import Violation

from portico_users.values.json_text import (
    GIVEN_TWICE,
    NOT_A_NAME,
    NOT_BASE64,
    ONE_OF_SEVERAL,
    OUT_OF_RANGE,
    UNKNOWN_NAME,
    WRONG_TYPE,
    read_base64,
)

_INTEGER: Final = re.compile(r"-?(0|[1-9][0-9]{0,19})\Z")

_RANGES: Final[dict[int, tuple[int, int]]] = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.TYPE_ENUM: (-(2**31), 2**31 - 1),
}


class _WrongValue(Exception):
    pass


def read_message(members: object, message: Message, path: str = "") -> list[Violation]:
    if not isinstance(members, dict):
        return [Violation(path, WRONG_TYPE)]
    found: list[Violation] = []
    given: dict[str, object] = {}
    taken: dict[str, FieldDescriptor] = {}
    names = _names(descriptor_of(message))
    for name, value in members.items():
        field = names.get(name)
        if field is None:
            found.append(Violation(_join(path, name[:100]), UNKNOWN_NAME))
        elif value is not None and not _says_nothing(field, value):
            place = _join(path, str(field.json_name))
            if field.name in given:
                if given[field.name] != value:
                    found.append(Violation(place, GIVEN_TWICE))
                continue
            given[field.name] = value
            if _is_second_of_its_oneof(field, taken):
                found.append(Violation(place, ONE_OF_SEVERAL))
            else:
                found += _read_field(message, field, value, place)
    return found


def named_in(members: dict[str, object], message: Message) -> frozenset[str]:
    names = _names(descriptor_of(message))
    return frozenset(str(names[name].name) for name, value in members.items() if name in names and value is not None)


@cache
def _names(descriptor: Descriptor) -> dict[str, FieldDescriptor]:
    """Maps each JSON name, .proto name and alias to its field."""
    names = {}
    for field in descriptor.fields:
        for name in (field.json_name, field.name, *json_aliases_of(field)):
            names[name] = field
    return names


def _says_nothing(field: FieldDescriptor, value: object) -> bool:
    """In a oneof chosen by ``true``, ``false`` counts as unset."""
    is_choice = field.containing_oneof is not None and not _is_optional(field)
    return value is False and is_choice and field.type == FieldDescriptor.TYPE_BOOL


def _is_optional(field: FieldDescriptor) -> bool:
    """An ``optional`` field has a synthetic oneof."""
    oneof = field.containing_oneof
    return oneof is not None and len(oneof.fields) == 1 and str(oneof.name).startswith("_")


def _is_second_of_its_oneof(field: FieldDescriptor, taken: dict[str, FieldDescriptor]) -> bool:
    oneof = field.containing_oneof
    return oneof is not None and taken.setdefault(str(oneof.name), field) is not field


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _read_field(message: Message, field: FieldDescriptor, value: object, path: str) -> list[Violation]:
    if value_of_name := map_value_of(field):
        return _read_map(getattr(message, field.name), value_of_name, value, path)
    if field.is_repeated:
        return _read_list(getattr(message, field.name), field, value, path)
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        inner: Message = getattr(message, field.name)
        inner.SetInParent()
        return _read_inner(inner, value, path)
    try:
        setattr(message, field.name, _scalar(field, value))
    except _WrongValue as error:
        return [Violation(path, str(error))]
    return []


def _read_list(values: Any, field: FieldDescriptor, value: object, path: str) -> list[Violation]:
    if not isinstance(value, list):
        return [Violation(path, WRONG_TYPE)]
    found: list[Violation] = []
    for number, item in enumerate(value):
        place = f"{path}[{number}]"
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            found += _read_inner(values.add(), item, place)
            continue
        try:
            values.append(_scalar(field, item))
        except _WrongValue as error:
            found.append(Violation(place, str(error)))
    return found


def _read_map(values: Any, kind: FieldDescriptor, members: object, path: str) -> list[Violation]:
    """Names are text, as in every map of the .proto files."""
    if not isinstance(members, dict):
        return [Violation(path, WRONG_TYPE)]
    found: list[Violation] = []
    for name, value in members.items():
        place = _join(path, name[:100])
        if kind.message_type:
            found += _read_inner(values[name], value, place)
            continue
        try:
            values[name] = _scalar(kind, value)
        except _WrongValue as error:
            found.append(Violation(place, str(error)))
    return found


def _read_inner(message: Message, value: Any, path: str) -> list[Violation]:
    if not message.DESCRIPTOR.full_name.startswith("google.protobuf."):
        return read_message(value, message, path)
    try:
        ParseDict(value, message)
    except OverflowError:  # an integer that no double can hold
        return [Violation(path, OUT_OF_RANGE)]
    except (ParseError, ValueError, TypeError, AttributeError):
        return [Violation(path, WRONG_TYPE)]
    return []


def _scalar(field: FieldDescriptor, value: object) -> object:
    return _SCALARS[field.type](field, value)


def _text(_field: FieldDescriptor, value: object) -> str:
    if not isinstance(value, str):
        raise _WrongValue(WRONG_TYPE)
    return value


def _bytes(_field: FieldDescriptor, value: object) -> bytes:
    if not isinstance(value, str):
        raise _WrongValue(WRONG_TYPE)
    found = read_base64(value)
    if found is None:
        raise _WrongValue(NOT_BASE64)
    return found


def _boolean(_field: FieldDescriptor, value: object) -> bool:
    if not isinstance(value, bool):
        raise _WrongValue(WRONG_TYPE)
    return value


def _integer(field: FieldDescriptor, value: object) -> int:
    if isinstance(value, str) and _INTEGER.match(value):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _WrongValue(WRONG_TYPE)
    lowest, highest = _RANGES[field.type]
    if not lowest <= value <= highest:
        raise _WrongValue(OUT_OF_RANGE)
    return value


def _enumerated(field: FieldDescriptor, value: object) -> int:
    if not isinstance(value, str):
        return _integer(field, value)
    kind = field.enum_type
    found = kind.values_by_name.get(value) if kind else None
    if found is None:
        raise _WrongValue(NOT_A_NAME)
    return found.number


_SCALARS: Final[dict[int, Callable[[FieldDescriptor, object], object]]] = {
    FieldDescriptor.TYPE_STRING: _text,
    FieldDescriptor.TYPE_BYTES: _bytes,
    FieldDescriptor.TYPE_BOOL: _boolean,
    FieldDescriptor.TYPE_ENUM: _enumerated,
    FieldDescriptor.TYPE_INT32: _integer,
    FieldDescriptor.TYPE_UINT32: _integer,
    FieldDescriptor.TYPE_INT64: _integer,
    FieldDescriptor.TYPE_UINT64: _integer,
}
