"""The comments of the .proto files, which the generated code does not carry."""

from __future__ import annotations

from functools import cache
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorProto

from generated_code.protoc import descriptors

_MESSAGE, _ENUM, _SERVICE = 4, 5, 6
_NESTED = {(_MESSAGE, 2): "field", (_ENUM, 2): "value", (_SERVICE, 2): "method"}


@cache
def comments() -> dict[str, str]:
    """By full name of a message, field, enum, service or method: what is written above it, in one line."""
    found: dict[str, str] = {}
    for file in descriptors().file:
        for location in file.source_code_info.location:
            text = " ".join(location.leading_comments.split())
            name = _name(file, tuple(location.path)) if text else ""
            if name:
                found[name] = text
    return found


def _name(file: FileDescriptorProto, path: tuple[int, ...]) -> str:
    tops: dict[int, Any] = {_MESSAGE: file.message_type, _ENUM: file.enum_type, _SERVICE: file.service}
    if len(path) not in (2, 4) or path[0] not in tops:
        return ""
    top = tops[path[0]][path[1]]
    name = f"{file.package}.{top.name}"
    inner = _NESTED.get((path[0], path[2])) if len(path) == 4 else None
    if inner:
        return f"{name}.{getattr(top, inner)[path[3]].name}"
    return name if len(path) == 2 else ""
