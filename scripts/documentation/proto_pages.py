"""The .proto files as pages: services with their methods, messages with their fields, enums with their values."""

from __future__ import annotations

import re
from typing import Any, Final

from generated_code.comments import OURS, comments
from generated_code.protoc import descriptors
from generated_pages.markdown import code, table
from google.api.annotations_pb2 import http
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
)
from portico_contracts.generated.portico.v1 import options_pb2

_TYPES: Final = {number: name.removeprefix("TYPE_").lower() for name, number in FieldDescriptorProto.Type.items()}
_PUNCTUATION: Final = re.compile(r"([<>*_\[\]{}])")


def proto_pages() -> dict[str, str]:
    """One page for each package, by its place on the site."""
    packages: dict[str, list[FileDescriptorProto]] = {}
    for file in descriptors().file:
        if file.package.startswith(OURS):
            packages.setdefault(file.package, []).append(file)
    return {page_of(package): _page(package, files) for package, files in packages.items()}


def page_of(package: str) -> str:
    """The place of a package."""
    return f"reference/{package}.md"


def _page(package: str, files: list[FileDescriptorProto]) -> str:
    parts = [f"# {package}", "From the .proto files: Connect, gRPC-web and gRPC use these names, JSON the paths."]
    for file in files:
        for service in file.service:
            name = f"{package}.{service.name}"
            parts += [_heading(2, name), _text(name), *(_method(name, method) for method in service.method)]
    for file in files:
        for message in file.message_type:
            parts += _message(package, message)
        for enum in file.enum_type:
            parts += _enum(package, enum)
    return "\n\n".join(part for part in parts if part) + "\n"


def _method(service: str, method: Any) -> str:
    name = f"{service}.{method.name}"
    rule = method.options.Extensions[http]
    verb = rule.WhichOneof("pattern")
    needed = method.options.Extensions[options_pb2.permission]
    facts = [
        f"- HTTP: {code(f'{verb.upper()} {getattr(rule, verb)}')}" if verb else "",
        f"- Permission: {code(needed.name)}" if needed.name else "",
        f"- Request: {_link(service, method.input_type)}",
        f"- Response: {_link(service, method.output_type)}",
    ]
    return "\n\n".join([_heading(3, name), _text(name), "\n".join(fact for fact in facts if fact)])


def _message(holder: str, message: DescriptorProto) -> list[str]:
    if message.options.map_entry:
        return []
    name = f"{holder}.{message.name}"
    entries = {f".{name}.{one.name}": one for one in message.nested_type if one.options.map_entry}
    rows = [
        [code(one.name), str(one.number), _kind(name, one, entries), _text(f"{name}.{one.name}")]
        for one in message.field
    ]
    parts = [_heading(2, name), _text(name)]
    parts += [table(["Field", "Number", "Type", "Meaning"], rows)] if rows else ["No fields."]
    for inner in message.nested_type:
        parts += _message(name, inner)
    for enum in message.enum_type:
        parts += _enum(name, enum)
    return parts


def _enum(holder: str, enum: EnumDescriptorProto) -> list[str]:
    name = f"{holder}.{enum.name}"
    rows = [[code(one.name), str(one.number), _text(f"{name}.{one.name}")] for one in enum.value]
    return [_heading(2, name), _text(name), table(["Value", "Number", "Meaning"], rows)]


def _kind(holder: str, field: FieldDescriptorProto, entries: dict[str, DescriptorProto]) -> str:
    if entry := entries.get(field.type_name):
        key, value = (_kind(holder, one, {}) for one in entry.field)
        return f"map of {key} to {value}"
    kind = _link(holder, field.type_name) if field.type_name else _TYPES[field.type]
    return f"list of {kind}" if field.label == FieldDescriptorProto.LABEL_REPEATED else kind


def _link(holder: str, full_name: str) -> str:
    """The type, with a link where it is one of ours; all packages end in a version."""
    name = full_name.removeprefix(".")
    if not name.startswith(OURS):
        return code(name)
    package = next(one for one in sorted(_packages(), key=len, reverse=True) if name.startswith(f"{one}."))
    place = "" if holder.startswith(f"{package}.") else f"{package}.md"
    return f"[{name.removeprefix(f'{package}.')}]({place}#{name.lower()})"


def _packages() -> set[str]:
    return {file.package for file in descriptors().file if file.package.startswith(OURS)}


def _heading(level: int, name: str) -> str:
    return f"{'#' * level} {name.rpartition('.')[2]} {{ #{name.lower()} }}"


def _text(name: str) -> str:
    return _PUNCTUATION.sub(r"\\\1", comments().get(name, ""))
