"""Writes the permission of each method into the .proto files, from the operations of the users service."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.management_api.all_operations import OPERATIONS
from portico_users.management_api.transport.operation import Operation

from generated_code.protoc import PROTO

_IMPORT: Final = 'import "portico/v1/options.proto";'
_LINE: Final = re.compile(r"^ *option \(portico\.v1\.permission\) = \{.*\};\n", re.MULTILINE)
_METHOD: Final = re.compile(r"^(  rpc (\w+)\(.*\) returns \(.*\) \{\n)", re.MULTILINE)
_SERVICE: Final = re.compile(r"^service (\w+) \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_PACKAGE: Final = re.compile(r"^package ([\w.]+);$", re.MULTILINE)
_IMPORTS: Final = re.compile(r"^(import .*;\n)+", re.MULTILINE)


def proto_texts() -> dict[str, str]:
    known = {operation.name: _option(operation) for operation in OPERATIONS}
    found = {path: path.read_text() for path in sorted(PROTO.glob("portico/**/*.proto"))}
    return {
        f"libs/contracts/proto/{path.relative_to(PROTO).as_posix()}": with_permissions(text, known)
        for path, text in found.items()
        if _SERVICE.search(text)
    }


def with_permissions(text: str, known: Mapping[str, str]) -> str:
    """Sets the permission option of each method.

    Args:
        known: options by full method name; a method without an operation has none.
    """
    package = _PACKAGE.search(text)
    if package is None:
        raise ValueError("a .proto file without a package")
    written = _SERVICE.sub(lambda found: _service(found, f"{package[1]}.{found[1]}", known), _LINE.sub("", text))
    return _with_import(written) if _LINE.search(written) else written


def _service(found: re.Match[str], name: str, known: Mapping[str, str]) -> str:
    return _METHOD.sub(lambda method: method[1] + known.get(f"{name}.{method[2]}", ""), found[0])


def _with_import(text: str) -> str:
    imports = _IMPORTS.search(text)
    if imports is None or _IMPORT in imports[0]:
        return text
    lines = sorted([*imports[0].splitlines(), _IMPORT])
    return text[: imports.start()] + "\n".join(lines) + "\n" + text[imports.end() :]


def _option(operation: Operation) -> str:
    """Returns the option in one line, without empty members."""
    own = operation.own
    values = {
        "name": operation.permission and f'"{operation.permission}"',
        "own": "true" if own else "",
        "own_needs": f'"{own}"' if isinstance(own, Permission) else "",
        "rights_of_user": "true" if operation.needs_rights_of_user else "",
        "recent_sign_in": "true" if operation.recent else "",
    }
    members = ", ".join(f"{name}: {value}" for name, value in values.items() if value)
    return f"    option (portico.v1.permission) = {{{members}}};\n"
