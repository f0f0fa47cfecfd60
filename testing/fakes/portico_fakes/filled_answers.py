"""Answers of the management API with a value in every field, for tests that walk all pages of the console."""

from __future__ import annotations

import json
from typing import Any

import httpx
from google.protobuf.descriptor import FieldDescriptor
from portico_contracts.management import METHODS

from portico_fakes.console_service import PERMISSIONS, Answer, ConsoleService

_DEPTH = 5
_KNOWN = {"google.protobuf.Timestamp": "2026-11-23T10:00:00Z", "google.protobuf.Duration": "60s"}
_PLAIN: dict[int, Any] = {
    FieldDescriptor.TYPE_BOOL: True,
    FieldDescriptor.TYPE_BYTES: "PGI+",
    FieldDescriptor.TYPE_INT32: 1,
    FieldDescriptor.TYPE_UINT32: 1,
}
"""The values of other types; JSON has 64-bit numbers as text, and 32-bit ones as numbers."""


def filled_message(descriptor: Any, text: str, depth: int = _DEPTH, *, sparse: bool = False) -> dict[str, Any]:
    """Builds a message with the text in every text field and one element in every list.

    A sparse one lacks what JSON omits where it is false, 0 or the first of an enum.
    """
    found: dict[str, Any] = {}
    for field in descriptor.fields:
        value = _value(field, text, depth, sparse=sparse)
        if value is not None:
            found[field.json_name] = [value] if field.is_repeated else value
    return found


def _value(field: Any, text: str, depth: int, *, sparse: bool) -> Any:
    if field.message_type is not None:
        name = field.message_type.full_name
        if name.startswith("google."):
            return _KNOWN.get(name)
        return filled_message(field.message_type, text, depth - 1, sparse=sparse) if depth else None
    if field.type == FieldDescriptor.TYPE_STRING:
        return text
    if sparse and not field.is_repeated:
        return None
    if field.enum_type is not None:
        return field.enum_type.values[-1].name
    return _PLAIN.get(field.type, "1")


def answering_all(console: ConsoleService, text: str, *, sparse: bool = False) -> None:
    """Answers every read with the text and grants every permission."""
    needed = {method.permission.name for method in METHODS.values()} - {""}
    held = [{"permission": one, "roles": [text], "everywhere": True} for one in sorted(needed)]
    for method in METHODS.values():
        if method.name.rpartition(".")[2].startswith(("Get", "List", "Count")):
            console.provider.answers[method.path.removeprefix("/")] = filled_answer(
                method.response.DESCRIPTOR, text, sparse=sparse
            )
    mine = {"org": {"id": "o1", "name": text}, "permissions": held, "instance": True}
    console.provider.answers[PERMISSIONS] = lambda _fields, _request: httpx.Response(200, json=mine)


def filled_answer(descriptor: Any, text: str, *, sparse: bool = False) -> Answer:
    body = json.dumps(filled_message(descriptor, text, sparse=sparse)).encode()
    return lambda _fields, _request: httpx.Response(200, content=body)
