"""Writes proto3 JSON like the protobuf library, several times faster for the common field types."""

from __future__ import annotations

import base64
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import Final

import msgspec
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.proto_options import map_value_of

from portico_users.management_api.transport.wire.json_types import Answer, JsonMessage
from portico_users.management_api.transport.wire.struct_json import struct_members

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_Write = Callable[..., object]


def write_json(answer: Answer) -> bytes:
    return msgspec.json.encode(answer if isinstance(answer, JsonMessage) else write_message(answer))


def write_message(message: Message) -> dict[str, object]:
    """Returns the message as JSON: lowerCamelCase, 64-bit integers as strings, unset fields omitted."""
    written: dict[str, object] = {}
    for field, value in message.ListFields():
        name, write = _member(field)
        written[name] = write(value) if write else value
    return written


@cache
def _member(field: FieldDescriptor) -> tuple[str, _Write | None]:
    """Its name and writer. Reading the number of a field takes longer than finding the field."""
    return str(field.json_name), _writer_of(field)


def _writer_of(field: FieldDescriptor) -> _Write | None:
    if value_of_name := map_value_of(field):
        write_value = _writer_of_one(value_of_name) or _as_it_is
        return lambda values: {name: write_value(value) for name, value in values.items()}
    write = _writer_of_one(field)
    if not field.is_repeated:
        return write
    return (lambda values: [write(value) for value in values]) if write else list


def _as_it_is(value: object) -> object:
    return value


def _writer_of_one(field: FieldDescriptor) -> _Write | None:
    """None for values that are written as they are."""
    match field.type:
        case FieldDescriptor.TYPE_STRING | FieldDescriptor.TYPE_BOOL:
            return None
        case FieldDescriptor.TYPE_INT32 | FieldDescriptor.TYPE_UINT32:
            return None
        case FieldDescriptor.TYPE_INT64 | FieldDescriptor.TYPE_UINT64:
            return str
        case FieldDescriptor.TYPE_BYTES:
            return lambda value: base64.b64encode(value).decode()
        case FieldDescriptor.TYPE_ENUM if field.enum_type is not None:
            return _names_of(field.enum_type)
        case FieldDescriptor.TYPE_MESSAGE if field.message_type is not None:
            return _message_writer(field.message_type)
        case kind:
            raise TypeError(f"{field.full_name} has a kind that no .proto file used so far: {kind}")


def _message_writer(kind: Descriptor) -> _Write:
    if kind is Timestamp.DESCRIPTOR:
        return _timestamp
    if kind is Struct.DESCRIPTOR:
        return struct_members
    # The library handles the other well-known types, which have special JSON mappings.
    return MessageToDict if kind.full_name.startswith("google.protobuf.") else write_message


def _names_of(kind: EnumDescriptor) -> _Write:
    names = {number: str(value.name) for number, value in kind.values_by_number.items()}
    return lambda number: names.get(number, number)


@lru_cache(maxsize=1024)
def _second(seconds: int) -> str:
    """Cached, because objects stored together share few distinct seconds."""
    return (_EPOCH + timedelta(seconds=seconds)).isoformat()[:19]


def _timestamp(value: Timestamp) -> str:
    """Formats RFC 3339 with 0, 3, 6 or 9 fractional digits, as few as are exact."""
    whole = _second(value.seconds)
    nanos = value.nanos
    if not nanos:
        return f"{whole}Z"
    digits = f"{nanos:09d}"
    return f"{whole}.{digits[:3] if digits.endswith('000000') else digits[:6] if digits.endswith('000') else digits}Z"


def time_text(seconds: float) -> str:
    """Formats unix seconds like a `Timestamp`, with microsecond precision."""
    whole, part = divmod(round(seconds * 1_000_000), 1_000_000)
    if not part:
        return f"{_second(whole)}Z"
    digits = f"{part:06d}"
    return f"{_second(whole)}.{digits[:3] if digits.endswith('000') else digits}Z"
