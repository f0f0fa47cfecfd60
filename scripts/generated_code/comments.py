from __future__ import annotations

from functools import cache
from typing import Any, Final

from google.protobuf.descriptor_pb2 import FileDescriptorProto

from generated_code.protoc import descriptors

OURS: Final = "portico."
_OF_FILE: Final = {4: "message_type", 5: "enum_type", 6: "service"}
_OF_MESSAGE: Final = {2: "field", 3: "nested_type", 4: "enum_type"}
_PARTS: Final = {
    "message_type": _OF_MESSAGE,
    "nested_type": _OF_MESSAGE,
    "enum_type": {2: "value"},
    "service": {2: "method"},
}
"""Field numbers in descriptor.proto, by kind of declaration."""


@cache
def comments() -> dict[str, str]:
    """Returns the comment of each declaration in one line, by full name; generated code has no comments."""
    found: dict[str, str] = {}
    for file in descriptors().file:
        for location in file.source_code_info.location:
            text = " ".join(location.leading_comments.split())
            name = _name(file, tuple(location.path)) if text else ""
            if name:
                found[name] = text
    return found


@cache
def declared() -> tuple[str, ...]:
    """Returns the full name of every declaration that needs a description, in the order of the files."""
    files = [file for file in descriptors().file if file.package.startswith(OURS)]
    return tuple(name for file in files for name in _declared(file, file.package, _OF_FILE))


def _declared(holder: Any, prefix: str, parts: dict[int, str]) -> list[str]:
    names: list[str] = []
    for kind in parts.values():
        for one in getattr(holder, kind):
            name = f"{prefix}.{one.name}"
            names += [name, *_declared(one, name, _PARTS.get(kind, {}))]
    return names


def _name(file: FileDescriptorProto, path: tuple[int, ...]) -> str:
    """Returns the name for a descriptor path; empty for declarations that appear in no document."""
    holder: Any = file
    parts: dict[int, str] = _OF_FILE
    names = [file.package]
    for number, index in zip(path[::2], path[1::2], strict=False):
        kind = parts.get(number)
        if kind is None:
            return ""
        holder = getattr(holder, kind)[index]
        names.append(holder.name)
        parts = _PARTS.get(kind, {})
    return ".".join(names) if len(path) % 2 == 0 and len(names) > 1 else ""
