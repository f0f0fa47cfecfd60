"""The .proto files of ZITADEL's SDKs as descriptors, from the names and numbers of their messages (decision 0105)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from google.protobuf import duration_pb2, struct_pb2, timestamp_pb2
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

_ROOT: Final = Path(__file__).resolve().parents[2]
_NAMES: Final[dict[str, Any]] = json.loads((_ROOT / "libs" / "contracts" / "zitadel" / "names.json").read_text())

_NEWER_METHODS: Final = {
    "zitadel.user.v2.UserService.GenerateRecoveryCodes": [
        "zitadel.user.v2.GenerateRecoveryCodesRequest",
        "zitadel.user.v2.GenerateRecoveryCodesResponse",
    ],
    "zitadel.user.v2.UserService.RemoveRecoveryCodes": [
        "zitadel.user.v2.RemoveRecoveryCodesRequest",
        "zitadel.user.v2.RemoveRecoveryCodesResponse",
    ],
}
_DETAILS: Final = {"number": 1, "type": "zitadel.object.v2.Details"}
_NEWER_MESSAGES: Final[dict[str, dict[str, Any]]] = {
    "zitadel.user.v2.GenerateRecoveryCodesRequest": {
        "user_id": {"number": 1, "type": "string"},
        "count": {"number": 2, "type": "uint32"},
    },
    "zitadel.user.v2.GenerateRecoveryCodesResponse": {
        "details": _DETAILS,
        "recovery_codes": {"number": 2, "type": "string", "repeated": True},
    },
    "zitadel.user.v2.RemoveRecoveryCodesRequest": {"user_id": {"number": 1, "type": "string"}},
    "zitadel.user.v2.RemoveRecoveryCodesResponse": {"details": _DETAILS},
}
"""Methods of newer SDKs (zitadel-client 4.1.9 for Python, Apache-2.0), which send JSON only."""

_METHODS: Final[dict[str, list[str]]] = {**_NAMES["methods"], **_NEWER_METHODS}
_MESSAGES: Final[dict[str, dict[str, Any]]] = {**_NAMES["messages"], **_NEWER_MESSAGES}
_WELL_KNOWN: Final = (duration_pb2.DESCRIPTOR, struct_pb2.DESCRIPTOR, timestamp_pb2.DESCRIPTOR)


def zitadel_files() -> FileDescriptorSet:
    """Returns a file for each package, and the well-known types."""
    found = FileDescriptorSet()
    for known in _WELL_KNOWN:
        known.CopyToProto(found.file.add())
    packages = {_package_of(name) for name in _MESSAGES | _NAMES["enums"]}
    found.file.extend(_file(name) for name in sorted(packages))
    return found


def _package_of(name: str) -> str:
    """Package names are lower case, messages are not."""
    return ".".join(part for part in name.split(".") if part[0].islower())


def _file_of(name: str) -> str:
    """Well-known types have a file each, packages of ZITADEL one."""
    package, _, own_name = name.rpartition(".")
    if package == "google.protobuf":
        return next(one.name for one in _WELL_KNOWN if own_name in one.message_types_by_name)
    return f"{_package_of(name).replace('.', '/')}.proto"


def _file(name: str) -> FileDescriptorProto:
    file = FileDescriptorProto(name=_file_of(name), package=name, syntax="proto3")
    nests: dict[str, Any] = {name: file}
    # Outer messages are before inner ones: a name is before those that it begins.
    for full_name in sorted(one for one in _MESSAGES | _NAMES["enums"] if _package_of(one) == name):
        outer, _, own_name = full_name.rpartition(".")
        nest = nests[outer]
        if full_name in _NAMES["enums"]:
            values = _NAMES["enums"][full_name].items()
            enum = EnumDescriptorProto(name=own_name)
            for value, number in sorted(values, key=lambda one: int(one[1])):
                enum.value.add(name=value, number=number)
            nest.enum_type.append(enum)
            continue
        among = nest.message_type if nest is file else nest.nested_type
        nests[full_name] = among.add(name=own_name)
        _add_fields(nests[full_name], full_name, _MESSAGES[full_name])
    _add_methods(file)
    file.dependency.extend(sorted({_file_of(one) for one in _types_in(name)} - {file.name}))
    return file


def _add_methods(file: FileDescriptorProto) -> None:
    for full_name, (request, response) in _METHODS.items():
        service, _, method = full_name.removeprefix(f"{file.package}.").partition(".")
        if not full_name.startswith(f"{file.package}."):
            continue
        into = next((one for one in file.service if one.name == service), None) or file.service.add(name=service)
        into.method.add(name=method, input_type=f".{request}", output_type=f".{response}")


def _types_in(package: str) -> Iterator[str]:
    for name, fields in _MESSAGES.items():
        if _package_of(name) == package:
            yield from (one["type"] for one in fields.values() if "." in one["type"])


def _add_fields(message: DescriptorProto, full_name: str, fields: dict[str, dict[str, Any]]) -> None:
    oneofs: dict[str, int] = {}
    for one in (facts["oneof"] for facts in fields.values() if "oneof" in facts):
        oneofs.setdefault(one, len(oneofs))
    synthetic = [f"_{name}" for name, facts in fields.items() if "optional" in facts]
    oneofs |= {name: len(oneofs) + index for index, name in enumerate(synthetic)}
    for name in oneofs:
        message.oneof_decl.add(name=name)
    for name, facts in fields.items():
        field = message.field.add(name=name, number=facts["number"], label=FieldDescriptorProto.LABEL_OPTIONAL)
        if "repeated" in facts or "key" in facts:
            field.label = FieldDescriptorProto.LABEL_REPEATED
        if "key" in facts:
            entry = message.nested_type.add(name=f"{name.title().replace('_', '')}Entry")
            entry.options.map_entry = True
            _set_type(entry.field.add(name="key", number=1, label=1), facts["key"])
            _set_type(entry.field.add(name="value", number=2, label=1), facts["type"])
            field.type, field.type_name = FieldDescriptorProto.TYPE_MESSAGE, f".{full_name}.{entry.name}"
        else:
            _set_type(field, facts["type"])
        if "optional" in facts:
            field.proto3_optional, field.oneof_index = True, oneofs[f"_{name}"]
        elif "oneof" in facts:
            field.oneof_index = oneofs[facts["oneof"]]


def _set_type(field: FieldDescriptorProto, kind: str) -> None:
    if "." not in kind:
        field.type = FieldDescriptorProto.Type.Value(f"TYPE_{kind.upper()}")
        return
    is_enum = kind in _NAMES["enums"]
    field.type = FieldDescriptorProto.TYPE_ENUM if is_enum else FieldDescriptorProto.TYPE_MESSAGE
    field.type_name = f".{kind}"
