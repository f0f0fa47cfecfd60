"""Responses that are written as JSON without a message in between: a struct for each kind of message.

Its fields have the names of the .proto file, and values as proto3 JSON writes them: 64-bit integers, times and the names
of enumerations are text. A struct costs a tenth of a message, so lists are worth it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, cast

import msgspec
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.proto_options import descriptor_of

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBERS: Final = frozenset({FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_UINT32})
_AS_IN_PYTHON: Final = _NUMBERS | {FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BOOL}


class JsonMessage(msgspec.Struct, omit_defaults=True, gc=False):
    """`kind` is the message that has the same JSON, and the same fields."""

    kind: ClassVar[type[Message]]

    if TYPE_CHECKING:

        def __init__(self, **values: object) -> None: ...

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: object) -> None: ...


Answer = Message | JsonMessage

_Read = Callable[[Any], object]


class Enumeration(Protocol):
    DESCRIPTOR: EnumDescriptor


@cache
def json_type(kind: type[Message]) -> type[JsonMessage]:
    """Returns the struct for a class of messages. Its fields are in the order in which a message is written."""
    fields = _fields(descriptor_of(kind))
    defined = msgspec.defstruct(
        str(kind.DESCRIPTOR.name),
        [(str(field.name), object, _default_of(field)) for field in fields],
        bases=(JsonMessage,),
        namespace={"kind": kind},
        rename={str(field.name): str(field.json_name) for field in fields},
    )
    return cast("type[JsonMessage]", defined)


def _fields(kind: Descriptor) -> list[FieldDescriptor]:
    return sorted(kind.fields, key=lambda field: field.number)


def _default_of(field: FieldDescriptor) -> object:
    """Defaults are omitted. Text is compared by identity, which Python ensures for empty text only."""
    if field.is_repeated:
        return msgspec.field(default_factory=list)
    if field.has_presence:
        return None
    if field.type == FieldDescriptor.TYPE_BOOL:
        return False
    return 0 if field.type in _NUMBERS else ""


def names_of(kind: Enumeration) -> dict[int, str]:
    """The text of each value of an enumeration by its number: its name, and empty for 0, which is the default."""
    names = {number: str(value.name) for number, value in kind.DESCRIPTOR.values_by_number.items()}
    return names | {0: ""}


def integer_text(value: int) -> str:
    """The text of a 64-bit integer, empty for 0."""
    return str(value) if value else ""


def as_message(answer: Answer) -> Message:
    """The message of an answer, for the protocols that are not JSON."""
    if not isinstance(answer, JsonMessage):
        return answer
    values = zip(_readers(descriptor_of(answer.kind)), msgspec.structs.astuple(answer), strict=True)
    return answer.kind(**{name: read(value) for (name, read), value in values if value is not None})


@cache
def _readers(kind: Descriptor) -> tuple[tuple[str, _Read], ...]:
    return tuple((str(field.name), _reader_of(field)) for field in _fields(kind))


def _reader_of(field: FieldDescriptor) -> _Read:
    read = _reader_of_one(field)
    return (lambda values: [read(value) for value in values]) if field.is_repeated else read


def _reader_of_one(field: FieldDescriptor) -> _Read:
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        return _time if field.message_type is Timestamp.DESCRIPTOR else as_message
    if field.type in _AS_IN_PYTHON:
        return lambda value: value
    if field.type == FieldDescriptor.TYPE_ENUM:
        return lambda name: name or 0
    if field.type in (FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_UINT64):
        return lambda text: int(text or 0)
    raise TypeError(f"{field.full_name} has a kind that no struct has had so far")


def _time(text: str) -> Timestamp:
    since = datetime.fromisoformat(text) - _EPOCH
    return Timestamp(seconds=since.days * 86_400 + since.seconds, nanos=since.microseconds * 1_000)
