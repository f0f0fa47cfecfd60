"""Reads and writes messages by tables of fields."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar, cast

import msgspec
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from portico_contracts.proto_options import descriptor_of

from portico_users.values.fields import MISSING, Fields, is_word

Kind = TypeVar("Kind", bound=Message)
Stored = TypeVar("Stored", bound=msgspec.Struct)
Declared = TypeVar("Declared", bound=msgspec.Struct)


Names = Mapping[str, "str | Names"]
"""What a message calls fields, by their public names, where it differs; the fields of an object for one that it has flat."""


class MessageValues:
    """A message as a source: an optional field that is not set is missing, and so is an object; a duration is then 0s."""

    def __init__(self, message: Message, names: Names = MappingProxyType({})) -> None:
        self._message = message
        self._names = names

    def find(self, name: str) -> object:
        """The value of a field; MISSING for one that the message does not set or does not have."""
        name_here = self._names.get(name, name)
        if not isinstance(name_here, str):
            return MessageValues(self._message, name_here)
        field = _described(type(self._message)).get(name_here)
        if field is None:
            return MISSING
        value = getattr(self._message, name_here)
        if isinstance(value, Duration):
            return f"{value.seconds}.{abs(value.nanos):09}s" if value.nanos else f"{value.seconds}s"
        if field.has_presence and not self._message.HasField(name_here):
            return MISSING
        return tuple(_read(field, one) for one in value) if field.is_repeated else _read(field, value)


def message_of(
    kind: type[Kind],
    fields: Fields[Stored, Declared],
    record: Stored,
    names: Names = MappingProxyType({}),
    /,
    **others: object,
) -> Kind:
    """The message that shows a record; ``others`` adds or replaces values of the table."""
    described = _described(kind)
    public = {*described, *names} - others.keys()
    values = fields.public_values(record, public)
    values = _renamed(values, names) if names else values
    shown = {name: _write(described[name], value) for name, value in values.items() if name in described}
    return kind(**(shown | others))


def _renamed(values: Mapping[str, object], names: Names) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in values.items():
        name_here = names.get(name, name)
        if isinstance(name_here, str):
            found[name_here] = value
        else:
            found |= _renamed(msgspec.structs.asdict(cast("msgspec.Struct", value)), name_here)
    return found


def _described(kind: type[Message]) -> Mapping[str, FieldDescriptor]:
    return descriptor_of(kind).fields_by_name


def _read(field: FieldDescriptor, value: object) -> object:
    if field.enum_type is not None and isinstance(value, int):
        return field.enum_type.values_by_number[value].name
    if isinstance(value, bytes):
        # What is not text is refused like other text that is not valid.
        return value.decode("ascii", errors="replace")
    return MessageValues(value) if isinstance(value, Message) else value


def _write(field: FieldDescriptor, value: object) -> object:
    if isinstance(value, tuple):
        return [_write(field, one) for one in value]
    if isinstance(value, msgspec.Struct):
        described = cast("Descriptor", field.message_type).fields_by_name
        members = msgspec.structs.asdict(value).items()
        return {name: _write(described[name], member) for name, member in members if member is not None}
    if not isinstance(value, str) or field.type == FieldDescriptor.TYPE_STRING:
        return value
    if field.enum_type is not None:
        return next(name for name in field.enum_type.values_by_name if is_word(name, value))
    return Duration(seconds=int(value.removesuffix("s"))) if field.message_type is not None else value.encode()
