"""Checks the protovalidate rules of the .proto files, alike for all protocols (MG-14, MG-15).

String lengths count Unicode code points. Strings must not contain NUL.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.buf.validate import validate_pb2 as rules
from portico_contracts.generated.portico.v1.options_pb2 import JsonSize
from portico_contracts.proto_options import descriptor_of, is_required, json_size_of, map_value_of, rules_of
from portico_oauth.errors import Violation

from portico_users.management_api.transport.wire.struct_json import struct_members
from portico_users.values.json_text import NUL, OUT_OF_RANGE, REQUIRED, TOO_LONG, TOO_MANY, TOO_MANY_BYTES, TOO_SHORT

TOO_FEW_BYTES: Final = "Use at least {limit} bytes."
TOO_FEW: Final = "Use at least {limit} entries."
NONE_CHOSEN: Final = "Choose at least one."
TOO_HIGH: Final = "The maximum is {limit}."
TOO_LOW: Final = "The minimum is {limit}."
TOO_MANY_SECONDS: Final = "The maximum is {limit} seconds."
NOT_A_VALUE: Final = "Unknown value."
NOT_ALLOWED: Final = "This contains characters that are not allowed."

_YEARS_1_TO_9999: Final = range(-62_135_596_800, 253_402_300_800)
"""The seconds that a `Timestamp` may have. JSON has no others, the binary format has."""

Violations = Iterator[Violation]
_Check = Callable[..., Violations]


def violations_of(message: Message, path: str = "") -> Violations:
    descriptor = descriptor_of(message)
    for field, check in _checks(descriptor):
        place = f"{path}.{field.json_name}" if path else str(field.json_name)
        yield from check(message, place)
    for oneof in descriptor.oneofs:
        if is_required(oneof) and message.WhichOneof(oneof.name) is None:
            yield Violation(path, REQUIRED)


@cache
def _checks(descriptor: Descriptor) -> list[tuple[FieldDescriptor, _Check]]:
    return [(field, _check_of(field)) for field in descriptor.fields]


def _check_of(field: FieldDescriptor) -> _Check:
    rule = rules_of(field)
    if value := map_value_of(field):
        value_of_name = _value_check(value, rules.FieldRules(), JsonSize())
        return lambda message, path: _of_map(getattr(message, field.name), value_of_name, path)
    one = _value_check(field, rule, json_size_of(field))
    if field.is_repeated:
        items = _value_check(field, rule.repeated.items, JsonSize())
        return lambda message, path: _of_list(getattr(message, field.name), rule.repeated, items, path)

    def check(message: Message, path: str) -> Violations:
        value = getattr(message, field.name)
        there = message.HasField(field.name) if field.has_presence else bool(value)
        if rule.required and not there:
            yield Violation(path, REQUIRED)
        elif there or not field.has_presence:
            yield from one(value, path)

    return check


def _of_map(values: Mapping[str, object], one: _Check, path: str) -> Violations:
    for name, value in values.items():
        place = f"{path}.{name[:100]}"
        yield from _of_text(name, rules.StringRules(), place)
        yield from one(value, place)


def _of_list(values: Sequence[object], rule: rules.RepeatedRules, item: _Check, path: str) -> Violations:
    if rule.HasField("min_items") and len(values) < rule.min_items:
        yield Violation(path, TOO_FEW if rule.min_items > 1 else NONE_CHOSEN, rule.min_items)
    if rule.HasField("max_items") and len(values) > rule.max_items:
        yield Violation(path, TOO_MANY, rule.max_items)
        return
    for number, value in enumerate(values):
        yield from item(value, f"{path}[{number}]")


def _value_check(field: FieldDescriptor, rule: rules.FieldRules, size: JsonSize) -> _Check:
    match field.type:
        case FieldDescriptor.TYPE_STRING:
            return lambda value, path: _of_text(value, rule.string, path)
        case FieldDescriptor.TYPE_BYTES:
            return lambda value, path: _of_bytes(value, rule.bytes, path)
        case FieldDescriptor.TYPE_ENUM:
            known = frozenset(value.number for value in field.enum_type.values) if field.enum_type else frozenset()
            return lambda value, path: _of_enum(value, rule.enum, known, path)
        case FieldDescriptor.TYPE_UINT32 | FieldDescriptor.TYPE_UINT64:
            numbers = rule.uint32 if field.type == FieldDescriptor.TYPE_UINT32 else rule.uint64
            return lambda value, path: _of_number(value, numbers, path)
        case FieldDescriptor.TYPE_MESSAGE:
            return _message_check(field, rule, size)
        case _:
            return _anything


def _message_check(field: FieldDescriptor, rule: rules.FieldRules, size: JsonSize) -> _Check:
    if size.max:
        return lambda value, path: _of_json(value, size, path)
    kind = field.message_type
    if kind is Duration.DESCRIPTOR:
        return lambda value, path: _of_duration(value, rule.duration, path)
    if kind is Timestamp.DESCRIPTOR:
        return _of_timestamp
    return violations_of if kind and not kind.full_name.startswith("google.protobuf.") else _anything


def _anything(_value: object, _path: str) -> Violations:
    return iter(())


def _of_text(text: str, rule: rules.StringRules, path: str) -> Violations:
    if "\x00" in text:
        yield Violation(path, NUL)
    if rule.HasField("min_len") and len(text) < rule.min_len:
        yield Violation(path, TOO_SHORT, rule.min_len)
    elif rule.HasField("max_len") and len(text) > rule.max_len:
        yield Violation(path, TOO_LONG, rule.max_len)
    elif rule.HasField("pattern") and not re.search(rule.pattern, text):
        yield Violation(path, NOT_ALLOWED)


def _of_bytes(value: bytes, rule: rules.BytesRules, path: str) -> Violations:
    if rule.HasField("min_len") and len(value) < rule.min_len:
        yield Violation(path, TOO_FEW_BYTES, rule.min_len)
    elif rule.HasField("max_len") and len(value) > rule.max_len:
        yield Violation(path, TOO_MANY_BYTES, rule.max_len)


def _of_enum(value: int, rule: rules.EnumRules, known: frozenset[int], path: str) -> Violations:
    if (rule.defined_only and value not in known) or value in rule.not_in:
        yield Violation(path, NOT_A_VALUE)


def _of_number(value: int, rule: rules.UInt32Rules | rules.UInt64Rules, path: str) -> Violations:
    if rule.HasField("lte") and value > rule.lte:
        yield Violation(path, TOO_HIGH, rule.lte)
    if rule.HasField("gte") and value < rule.gte:
        yield Violation(path, TOO_LOW, rule.gte)


def _of_duration(value: Duration, rule: rules.DurationRules, path: str) -> Violations:
    if rule.HasField("lte") and value.ToNanoseconds() > rule.lte.ToNanoseconds():
        yield Violation(path, TOO_MANY_SECONDS, rule.lte.seconds)
    if rule.HasField("gte") and value.ToNanoseconds() < rule.gte.ToNanoseconds():
        yield Violation(path, TOO_LOW, rule.gte.seconds)


def _of_timestamp(value: Timestamp, path: str) -> Violations:
    if value.seconds not in _YEARS_1_TO_9999 or not 0 <= value.nanos < 1_000_000_000:
        yield Violation(path, OUT_OF_RANGE)


def _of_json(value: Message, size: JsonSize, path: str) -> Violations:
    """Measures the value as compact JSON."""
    try:
        members = struct_members(value)
    except ValueError:  # NaN and infinity; JSON text with a number such as 1e999 becomes infinity
        yield Violation(path, OUT_OF_RANGE)
        return
    length = len(json.dumps(members, separators=(",", ":"), ensure_ascii=False))
    if length < size.min:
        yield Violation(path, TOO_SHORT, size.min)
    elif length > size.max:
        yield Violation(path, TOO_LONG, size.max)
