"""Messages as JSON Schema of the JSON mapping, with the limits of the .proto files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from portico_contracts.proto_options import is_required, json_aliases_of, json_size_of, rules_of

from generated_code.comments import comments

Schema = dict[str, Any]

REFERENCE: Final = "#/components/schemas/{}"
_BASE64: Final = "^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$"
_WELL_KNOWN: Final[dict[str, Schema]] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?s$"},
    "google.protobuf.Struct": {"type": "object"},
}
_BITS: Final = {
    FieldDescriptor.TYPE_UINT32: 2**32 - 1,
    FieldDescriptor.TYPE_UINT64: 2**64 - 1,
    FieldDescriptor.TYPE_INT32: 2**31 - 1,
    FieldDescriptor.TYPE_INT64: 2**63 - 1,
}


def schemas_of(kinds: Iterable[Descriptor]) -> dict[str, Schema]:
    """Returns the schemas, by full name, of the messages and of all messages they contain."""
    found: dict[str, Schema] = {}
    waiting = list(kinds)
    while waiting:
        kind = waiting.pop()
        if kind.full_name in found or kind.full_name in _WELL_KNOWN:
            continue
        found[kind.full_name] = _message(kind)
        fields: Any = kind.fields
        waiting += [field.message_type for field in fields if field.message_type]
    return dict(sorted(found.items()))


def _message(kind: Descriptor) -> Schema:
    """``required`` is a member of the object itself, because client generators ignore it in an ``allOf``."""
    fields: Any = kind.fields
    schema: Schema = {"type": "object", "properties": {field.json_name: _property(field) for field in fields}}
    required = [str(field.json_name) for field in fields if rules_of(field).required]
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    rules = [rule for oneof in kind.oneofs for rule in _about_oneof(oneof)]
    if rules:
        schema["allOf"] = rules
    return _described(schema, kind.full_name)


def _property(field: FieldDescriptor) -> Schema:
    """Describes the aliases of a field in words only, so that clients are generated with one name."""
    schema, aliases = field_schema(field), json_aliases_of(field)
    if not aliases:
        return schema
    text = f"Also accepted as {' or '.join(aliases)}."
    return {**schema, "description": f"{schema['description']} {text}" if "description" in schema else text}


def _about_oneof(oneof: Any) -> list[Schema]:
    if len(oneof.fields) == 1 and oneof.name.startswith("_"):
        return []
    rules: list[Schema] = [
        {"not": {"allOf": [_chosen(one), _chosen(other)]}} for one, other in combinations(oneof.fields, 2)
    ]
    if is_required(oneof):
        rules.append({"anyOf": [_chosen(field) for field in oneof.fields]})
    return rules


def _chosen(field: FieldDescriptor) -> Schema:
    """Schema of a oneof member that is set: not null and, for a choice, not false."""
    nothing = [None, False] if field.type == FieldDescriptor.TYPE_BOOL else [None]
    name = str(field.json_name)
    return {"required": [name], "properties": {name: {"not": {"enum": nothing}}}}


def field_schema(field: FieldDescriptor) -> Schema:
    """Returns the schema of a field; an optional field may be null, which means absent."""
    rules = rules_of(field)
    if field.is_repeated:
        schema: Schema = {"type": "array", "items": _one(field, rules.repeated.items)}
        if rules.repeated.HasField("min_items"):
            schema["minItems"] = rules.repeated.min_items
        if rules.repeated.HasField("max_items"):
            schema["maxItems"] = rules.repeated.max_items
    else:
        schema = _one(field, rules)
    if not rules.required:
        schema = _or_null(schema)
    return _described(schema, field.full_name)


def _or_null(schema: Schema) -> Schema:
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [*schema.get("anyOf", [schema]), {"type": "null"}]}


def _one(field: FieldDescriptor, rules: Any) -> Schema:
    match field.type:
        case FieldDescriptor.TYPE_STRING:
            return {"type": "string", **_lengths(rules.string)}
        case FieldDescriptor.TYPE_BYTES:
            return _bytes(rules.bytes)
        case FieldDescriptor.TYPE_BOOL:
            return {"type": "boolean"}
        case FieldDescriptor.TYPE_ENUM:
            return _enumeration(field, rules.enum)
        case FieldDescriptor.TYPE_MESSAGE:
            kind: Any = field.message_type
            return dict(_WELL_KNOWN.get(kind.full_name) or {"$ref": REFERENCE.format(kind.full_name)}) | _size(field)
        case _:
            return _integer(field, rules)


def _lengths(rules: Any) -> Schema:
    schema: Schema = {}
    if rules.HasField("min_len"):
        schema["minLength"] = rules.min_len
    if rules.HasField("max_len"):
        schema["maxLength"] = rules.max_len
    if rules.HasField("pattern"):
        schema["pattern"] = rules.pattern
    return schema


def _bytes(rules: Any) -> Schema:
    schema: Schema = {"type": "string", "format": "byte", "pattern": _BASE64}
    if rules.HasField("min_len"):
        schema["minLength"] = -(-rules.min_len * 4 // 3)
    if rules.HasField("max_len"):
        schema["maxLength"] = -(-rules.max_len // 3) * 4
    return schema


def _enumeration(field: FieldDescriptor, rules: Any) -> Schema:
    kind: Any = field.enum_type
    values = [value for value in kind.values if value.number not in rules.not_in]
    if rules_of(field).required:
        values = [value for value in values if value.number]
    names: Schema = {"type": "string", "enum": [value.name for value in values]}
    texts = {value.name: comments().get(f"{kind.full_name}.{value.name}", "") for value in values}
    names["x-enumDescriptions"] = {name: text for name, text in texts.items() if text}
    return {"anyOf": [names, {"type": "integer", "enum": [value.number for value in values]}]}


def _integer(field: FieldDescriptor, rules: Any) -> Schema:
    bounds = rules.uint32 if field.type == FieldDescriptor.TYPE_UINT32 else rules.uint64
    highest = bounds.lte if bounds.HasField("lte") else _BITS[field.type]
    lowest = bounds.gte if bounds.HasField("gte") else 0
    # 64-bit integers are strings in JSON; both are accepted for every integer.
    text = {"type": "string", "pattern": f"^(0|[1-9][0-9]{{0,{len(str(highest)) - 2}}})$"}
    return {"anyOf": [text, {"type": "integer", "minimum": lowest, "maximum": highest}]}


def _size(field: FieldDescriptor) -> Schema:
    size = json_size_of(field)
    return {"description": f"Between {size.min} and {size.max} characters of JSON."} if size.max else {}


def _described(schema: Schema, name: str) -> Schema:
    text = comments().get(name)
    return {**schema, "description": text} if text else schema
