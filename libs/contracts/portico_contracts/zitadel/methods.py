from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Final

from google.protobuf import duration_pb2, struct_pb2, timestamp_pb2
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
)
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from portico_contracts.generated.portico.v1.options_pb2 import Permission
from portico_contracts.management import Method

NAMES: Final[dict[str, Any]] = json.loads(files("portico_contracts.zitadel").joinpath("names.json").read_bytes())

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

_MESSAGES: Final[dict[str, dict[str, Any]]] = {**NAMES["messages"], **_NEWER_MESSAGES}
_WELL_KNOWN: Final = [file.DESCRIPTOR.name for file in (duration_pb2, struct_pb2, timestamp_pb2)]


def _package_of(name: str) -> str:
    """Package names are lower case, messages are not."""
    return ".".join(part for part in name.split(".") if part[0].islower())


def _package(name: str) -> FileDescriptorProto:
    file = FileDescriptorProto(name=f"{name.replace('.', '/')}.proto", package=name, syntax="proto3")
    nests: dict[str, Any] = {name: file}
    # Outer messages are before inner ones: a name is before those that it begins.
    for full_name in sorted(one for one in _MESSAGES | NAMES["enums"] if _package_of(one) == name):
        outer, _, own_name = full_name.rpartition(".")
        nest = nests[outer]
        if full_name in NAMES["enums"]:
            values = NAMES["enums"][full_name].items()
            enum = EnumDescriptorProto(name=own_name)
            for value, number in sorted(values, key=lambda one: int(one[1])):
                enum.value.add(name=value, number=number)
            nest.enum_type.append(enum)
            continue
        among = nest.message_type if nest is file else nest.nested_type
        nests[full_name] = among.add(name=own_name)
        _add_fields(nests[full_name], full_name, _MESSAGES[full_name])
    used = {_package_of(one) for one in _types_in(name)} - {name}
    file.dependency.extend([*_WELL_KNOWN, *sorted(f"{one.replace('.', '/')}.proto" for one in used)])
    return file


def _types_in(package: str) -> Iterator[str]:
    for name, fields in _MESSAGES.items():
        if _package_of(name) == package:
            yield from (one["type"] for one in fields.values() if one["type"].startswith("zitadel."))


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
    is_enum = kind in NAMES["enums"]
    field.type = FieldDescriptorProto.TYPE_ENUM if is_enum else FieldDescriptorProto.TYPE_MESSAGE
    field.type_name = f".{kind}"


def _build() -> None:
    packages = {name: _package(name) for name in {_package_of(one) for one in _MESSAGES | NAMES["enums"]}}
    done: set[str] = set()

    def add(file: FileDescriptorProto) -> None:
        if file.name in done:
            return
        done.add(file.name)
        for needed in file.dependency:
            if needed not in _WELL_KNOWN:
                add(packages[needed.removesuffix(".proto").replace("/", ".")])
        Default().AddSerializedFile(file.SerializeToString())

    for file in packages.values():
        add(file)


_build()


def message_class(name: str) -> type[Message]:
    found: Any = Default().FindMessageTypeByName(name)
    return GetMessageClass(found)


ZITADEL_METHODS: Final[dict[str, Method]] = {
    name: Method(
        name,
        message_class(request),
        message_class(response),
        "",
        "",
        has_body=True,
        deprecated=False,
        permission=Permission(),
    )
    for name, (request, response) in (NAMES["methods"] | _NEWER_METHODS).items()
}
