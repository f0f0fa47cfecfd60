from __future__ import annotations

from typing import Any, cast

from google.api.annotations_pb2 import http
from google.api.http_pb2 import HttpRule
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor, OneofDescriptor
from google.protobuf.message import Message

from portico_contracts.generated.buf.validate import validate_pb2
from portico_contracts.generated.buf.validate.validate_pb2 import FieldRules
from portico_contracts.generated.portico.v1 import options_pb2
from portico_contracts.generated.portico.v1.options_pb2 import JsonSize, Permission


def rules_of(field: FieldDescriptor) -> FieldRules:
    rules: FieldRules = _option(field, validate_pb2.field)
    return rules


def is_required(oneof: OneofDescriptor) -> bool:
    required: bool = _option(oneof, validate_pb2.oneof).required
    return required


def json_aliases_of(field: FieldDescriptor) -> tuple[str, ...]:
    return tuple(_option(field, options_pb2.json_alias))


def is_map(field: FieldDescriptor) -> bool:
    return map_value_of(field) is not None


def map_value_of(field: FieldDescriptor) -> FieldDescriptor | None:
    """The field of the values of a map; None for other fields."""
    kind: Any = field.message_type
    value: FieldDescriptor | None = kind.fields_by_name["value"] if kind and kind.GetOptions().map_entry else None
    return value


def descriptor_of(message: Message | type[Message]) -> Descriptor:
    """The types of the library name two classes for it, which have the same members."""
    return cast("Descriptor", message.DESCRIPTOR)


def json_size_of(field: FieldDescriptor) -> JsonSize:
    """Limits of a field with arbitrary JSON; zero for none."""
    size: JsonSize = _option(field, options_pb2.json_size)
    return size


def http_rule_of(method: MethodDescriptor) -> HttpRule:
    rule: HttpRule = _option(method, http)
    return rule


def permission_of(method: MethodDescriptor) -> Permission:
    needed: Permission = _option(method, options_pb2.permission)
    return needed


def _option(described: FieldDescriptor | OneofDescriptor | MethodDescriptor, option: FieldDescriptor) -> Any:
    return cast("Any", described.GetOptions()).Extensions[option]
