"""Fields in the query of an address: ``query.limit=10&query.asc=true``."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import parse_qsl

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from portico_oauth.errors import INVALID_INPUT, Violation

from portico_users.kernel.json_text import GIVEN_TWICE, INVALID_FIELDS, UNKNOWN_NAME

_MOST: Final = 100
_BOOLEANS: Final = {"true": True, "false": False}


def read_query(query: bytes, kind: Descriptor) -> dict[str, Any]:
    """The fields as JSON would have them.

    Raises:
        ServiceError: PORT-005 for a query that cannot be read, USER-303 for an unknown or repeated field.
    """
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST, errors="strict")
    except ValueError:
        raise INVALID_INPUT.error() from None
    fields: dict[str, Any] = {}
    for name, text in pairs:
        _set(fields, kind, name, text)
    return fields


def _set(fields: dict[str, Any], kind: Descriptor, name: str, text: str) -> None:
    *outer, last = name.split(".")
    for part in outer:
        field = _field(kind, part, name)
        if field.message_type is None or field.is_repeated:
            raise _refused(name, UNKNOWN_NAME)
        kind = field.message_type
        fields = fields.setdefault(field.json_name, {})
    field = _field(kind, last, name)
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        raise _refused(name, UNKNOWN_NAME)
    value = _BOOLEANS.get(text, text) if field.type == FieldDescriptor.TYPE_BOOL else text
    if field.is_repeated:
        fields.setdefault(field.json_name, []).append(value)
    elif field.json_name in fields:
        raise _refused(name, GIVEN_TWICE)
    else:
        fields[field.json_name] = value


def _field(kind: Descriptor, part: str, name: str) -> FieldDescriptor:
    for field in kind.fields:
        if part in (field.json_name, field.name):
            return field
    raise _refused(name, UNKNOWN_NAME)


def _refused(name: str, text: str) -> Exception:
    return INVALID_FIELDS.error(violations=(Violation(name[:100], text),))
