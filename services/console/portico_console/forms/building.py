from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor, OneofDescriptor
from portico_contracts.field_texts import field_text
from portico_contracts.languages import OWN_NAMES
from portico_contracts.management import METHODS
from portico_contracts.proto_options import is_required, rules_of

from portico_console.forms.field import LANGUAGE, SECRET, Field, Widget
from portico_console.forms.hints import HINTS
from portico_console.forms.words import label_of, word

_SECRETS: Final = re.compile(r"([pP]assword|[sS]ecret)$")
_FILES: Final = frozenset({"portico.management.v1.SetLabelPolicyLogoRequest.logo"})
"""Bytes fields that are a file; other bytes are typed as text."""

_UNUSED: Final = re.compile(r"Ignored|Read-only|Not supported")
_SENT: Final = frozenset({"sendCode", "sendLink"})
"""Alternatives that the API uses when none is chosen."""

_AS_BEFORE: Final = "The same."

_LANGUAGES: Final = frozenset({"language", "preferredLanguage"})

_LONG: Final = 500
_DEPTH: Final = 5
"""Maximum nesting of messages; deeper ones are typed as JSON."""

_SIMPLE: Final = {FieldDescriptor.CPPTYPE_BOOL: Widget.CHECK, FieldDescriptor.CPPTYPE_STRING: Widget.TEXT}
_KNOWN: Final = {
    "google.protobuf.Duration": Widget.SECONDS,
    "google.protobuf.Timestamp": Widget.TIME,
    "google.protobuf.Struct": Widget.JSON,
}


def fields_of(
    method: str, only: Sequence[str] = (), leave_out: Sequence[str] = (), *, change: bool = False
) -> tuple[Field, ...]:
    """`method` is ``portico.management.v1.ProjectService/AddProject``; `only` and `leave_out` are JSON names.

    With `change` the form starts with stored values, so that no boolean is open.
    """
    request: Any = METHODS[method.replace("/", ".")].request.DESCRIPTOR
    fields = _of_message(request, "", only, leave_out, _DEPTH)
    return tuple(_settled(field) for field in fields) if change else fields


def form_of(method: str, only: Sequence[str] = (), *, change: bool = False) -> tuple[Field, ...]:
    """Like `fields_of`, for a form: with hints that are written for it, in place of the descriptions of the API."""
    return tuple(map(_hinted, fields_of(method, only, change=change)))


def _hinted(field: Field) -> Field:
    is_of_child = any(child.name == field.name for child in field.children)
    by_name = "" if is_of_child else HINTS.get(field.name, "")
    return replace(field, help=HINTS.get(field.source, by_name), children=tuple(map(_hinted, field.children)))


def _settled(field: Field) -> Field:
    is_boolean = field.widget is Widget.CHOICE and not field.choices
    return replace(field, widget=Widget.CHECK, explicit=True) if is_boolean else field


def _of_message(
    message: Any, path: str, only: Sequence[str], leave_out: Sequence[str], depth: int
) -> tuple[Field, ...]:
    ignored = _ignored(message)
    by_name = {one.json_name: one for one in message.fields if one.json_name not in (*leave_out, *ignored)}
    wanted = [by_name[name] for name in only] if only else list(by_name.values())
    found: list[Field] = []
    seen: set[str] = set()
    for described in wanted:
        oneof = _oneof(described)
        if oneof is None or sum(one in wanted for one in oneof.fields) == 1:
            found.append(_field(described, path, depth))
        elif oneof.name not in seen:
            seen.add(oneof.name)
            found.append(_one_of(oneof, wanted, path, depth))
    return tuple(found)


def _ignored(message: Any) -> set[str]:
    """Returns the fields that only responses use, or that nothing supports, as their descriptions state."""
    found: set[str] = set()
    before = False
    for field in message.fields:
        text = field_text(field.full_name)
        before = bool(_UNUSED.match(text)) or (before and text == _AS_BEFORE)
        found |= {field.json_name} if before else set()
    return found


def _oneof(described: FieldDescriptor) -> OneofDescriptor | None:
    """Returns the oneof of a field, except the synthetic one of an optional field."""
    oneof: Any = described.containing_oneof
    return oneof if oneof is not None and not oneof.name.startswith("_") else None


def _one_of(oneof: OneofDescriptor, wanted: Sequence[FieldDescriptor], path: str, depth: int) -> Field:
    found = [_not_required(_field(one, path, depth)) for one in oneof.fields if one in wanted]
    children = tuple(sorted(found, key=lambda one: one.name not in _SENT))
    return Field(
        _joined(path, oneof.name), oneof.name, label_of(oneof.name), Widget.ONE_OF,
        required=is_required(oneof), children=children, blank=not _SENT & {one.name for one in children},
    )  # fmt: skip


def _field(described: FieldDescriptor, path: str, depth: int) -> Field:
    name = described.json_name
    here, source = _joined(path, name), source_of(described)
    widget = _widget(described, depth)
    choices = _choices(described.enum_type) if described.enum_type is not None else ()
    if widget is Widget.TEXT and name in _LANGUAGES:
        return _language(described, here)
    kind = SECRET if name == "privateKey" else "bytes" if described.type == FieldDescriptor.TYPE_BYTES else "text"
    children: tuple[Field, ...] = ()
    required = _required(described)
    blank = depth < _DEPTH or _is_open(described)
    if widget in (Widget.GROUP, Widget.ROWS):
        # Rows of a list get their numbers when the form is filled.
        children = _of_message(described.message_type, here if widget is Widget.GROUP else "", (), (), depth - 1)
        children = children if required and widget is Widget.GROUP else tuple(map(_not_required, children))
        children = tuple(map(_in_row, children)) if widget is Widget.ROWS else _settings(children)
    return Field(
        here,
        name,
        label_of(name, source),
        widget,
        source=source,
        help=field_text(described.full_name),
        required=required,
        limit=_limit(described),
        kind=kind,
        choices=choices,
        children=children,
        optional=described.has_presence and described.message_type is None,
        blank=blank,
    )


def source_of(described: FieldDescriptor) -> str:
    """``portico.management.v1.SetUpOrgRequest.Org.domain`` is ``SetUpOrgRequest.Org.domain``."""
    message: Any = described.containing_type
    return f"{message.full_name.removeprefix(f'{message.file.package}.')}.{described.json_name}"


def _not_required(field: Field) -> Field:
    blank = field.blank or field.widget is Widget.ONE_OF
    return replace(field, required=False, blank=blank, children=tuple(map(_not_required, field.children)))


def _language(described: FieldDescriptor, path: str) -> Field:
    name = described.json_name
    return Field(
        path, name, label_of(name), Widget.CHOICE, source=source_of(described), help=field_text(described.full_name),
        required=_required(described), choices=tuple(OWN_NAMES.items()), kind=LANGUAGE,
        optional=described.has_presence,
    )  # fmt: skip


def _is_open(described: FieldDescriptor) -> bool:
    """Reports whether the first value of an enum means that nothing is chosen."""
    enum: Any = described.enum_type
    return enum is None or described.has_presence or enum.values_by_number[0].name.upper().endswith("_UNSPECIFIED")


def _settings(children: tuple[Field, ...]) -> tuple[Field, ...]:
    """A group of checkboxes and choices is always sent: without it, the defaults of the API would be stored."""
    if not all(one.widget in (Widget.CHECK, Widget.CHOICE) for one in children):
        return children
    return tuple(replace(one, explicit=one.widget is Widget.CHECK) for one in children)


def _in_row(field: Field) -> Field:
    """In a row nothing is sent by itself, so that empty rows stay empty."""
    return replace(field, explicit=False, blank=True, children=tuple(map(_in_row, field.children)))


def _widget(described: FieldDescriptor, depth: int) -> Widget:
    if described.enum_type is not None:
        return Widget.SEVERAL if described.is_repeated else Widget.CHOICE
    if described.message_type is not None:
        return _of_messages(described, depth)
    if described.is_repeated:
        return Widget.LINES
    # An absent boolean is neither yes nor no.
    is_open = (
        described.cpp_type == FieldDescriptor.CPPTYPE_BOOL and described.has_presence and _oneof(described) is None
    )
    return Widget.CHOICE if is_open else _of_text(described)


def _of_messages(described: Any, depth: int) -> Widget:
    if known := _KNOWN.get(described.message_type.full_name):
        return known
    if depth == 0:
        return Widget.JSON
    return Widget.ROWS if described.is_repeated else Widget.GROUP


def _of_text(described: FieldDescriptor) -> Widget:
    simple = _SIMPLE.get(described.cpp_type, Widget.NUMBER)
    if simple is not Widget.TEXT:
        return simple
    if _SECRETS.search(described.json_name):
        return Widget.SECRET
    if described.full_name in _FILES:
        return Widget.FILE
    is_long = (
        described.json_name == "privateKey"
        or described.type == FieldDescriptor.TYPE_BYTES
        or _limit(described) > _LONG * 4
    )
    return Widget.LONG if is_long else Widget.TEXT


def _required(described: FieldDescriptor) -> bool:
    rules = rules_of(described)
    if rules.required:
        return True
    if described.is_repeated:
        return rules.repeated.min_items > 0
    return not described.has_presence and rules.string.min_len > 0


def _limit(described: FieldDescriptor) -> int:
    rules = rules_of(described)
    if described.is_repeated:
        rules = rules.repeated.items
    for limit in (rules.string.max_len, rules.bytes.max_len, rules.uint32.lte, rules.uint64.lte):
        if limit:
            return int(limit)
    return 0


def _choices(enum: EnumDescriptor) -> tuple[tuple[str, str], ...]:
    return tuple((one.name, word(one.name)) for one in enum.values if not one.name.upper().endswith("_UNSPECIFIED"))


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
