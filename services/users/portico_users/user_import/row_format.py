from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta, inspect
from portico_contracts.apply import Attributes, HashedPassword, Password, Profile, SecretText
from portico_contracts.apply.parts import DeclaredObject, Id, Name
from portico_oauth.errors import Violation

from portico_users.values import json_text
from portico_users.values.json_text import (
    INVALID_FIELDS,
    MAX_VALUES,
    MOST_VIOLATIONS,
    count_values,
    read_base64,
    read_json,
)

Value = Annotated[bytes, Meta(min_length=1, max_length=375_000)]


class Organisation(DeclaredObject, frozen=True):
    org_id: Id | None = None
    org_domain: Id | None = None


class SendEmailCode(DeclaredObject, frozen=True):
    url_template: Name | None = None


class Nothing(DeclaredObject, frozen=True):
    pass


class RowEmail(DeclaredObject, frozen=True):
    email: Name
    send_code: SendEmailCode | None = None
    return_code: Nothing | None = None
    is_verified: bool = False


class RowPhone(DeclaredObject, frozen=True):
    phone: Name
    send_code: Nothing | None = None
    return_code: Nothing | None = None
    is_verified: bool = False


class RowMetadata(DeclaredObject, frozen=True):
    """The value is base64."""

    key: Name
    value: Value


class RowLink(DeclaredObject, frozen=True):
    idp_id: Name
    user_id: Name
    user_name: Name


class RowBody(DeclaredObject, frozen=True):
    profile: Profile
    email: RowEmail
    user_id: Id | None = None
    username: Name | None = None
    organisation: Organisation | None = None
    metadata: Annotated[tuple[RowMetadata, ...], Meta(max_length=1000)] = ()
    password: Password | None = None
    hashed_password: HashedPassword | None = None
    idp_links: Annotated[tuple[RowLink, ...], Meta(max_length=100)] = ()
    phone: RowPhone | None = None
    attributes: Attributes | None = None
    groups: Annotated[tuple[Name, ...], Meta(max_length=500)] = ()
    """Only in rows: ids or names of groups of the organization."""
    totp_secret: SecretText | None = None
    """Only in rows: an authenticator app enrolled at another system."""


_ALIASES: Final[dict[type, dict[str, str]]] = {
    RowBody: {"organization": "organisation"},
    Profile: {"givenName": "first_name", "familyName": "last_name", "nickname": "nick_name"},
}
_ONE_OF: Final[dict[type, frozenset[str]]] = {
    RowBody: frozenset({"password", "hashed_password"}),
    RowEmail: frozenset({"send_code", "return_code", "is_verified"}),
    RowPhone: frozenset({"send_code", "return_code", "is_verified"}),
}


class _Found(NamedTuple):
    shapes: list[Violation]
    limits: list[Violation]


def read_row_body(text: str) -> RowBody:
    """Raises USER-300 to USER-303, like the operation of the management API."""
    data = text.encode()
    return _read_usual(data) or _read_any(data)


_DECODER: Final = msgspec.json.Decoder(RowBody)
_UNUSUAL: Final = (b'\\"', b"\\u0000", b"\\u0022", b"\\ud", b"\\uD")
"""Quotation marks in texts, NUL and surrogates."""


def _read_usual(data: bytes) -> RowBody | None:
    """Reads a valid row of the common form; None for any other, valid or not."""
    if count_values(data) > MAX_VALUES or any(mark in data for mark in _UNUSUAL):
        return None
    try:
        body = _DECODER.decode(data)
        # A name given twice is lost, with its quotation marks.
        if msgspec.json.encode(msgspec.json.decode(data)).count(b'"') != data.count(b'"'):
            return None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return None if _has_two_of_several(body) else body


def _has_two_of_several(body: RowBody) -> bool:
    if body.password and body.hashed_password:
        return True
    proofs = [(one.send_code, one.return_code, one.is_verified or None) for one in (body.email, body.phone) if one]
    return any(proof.count(None) < len(proof) - 1 for proof in proofs)


def _read_any(data: bytes) -> RowBody:
    found = _Found([], [])
    values = _read_struct(RowBody, read_json(data), "", found)
    if violations := found.shapes or found.limits:
        raise INVALID_FIELDS.error(violations=tuple(violations[:MOST_VIOLATIONS]))
    return msgspec.convert(values, RowBody)


@cache
def _fields(kind: type[msgspec.Struct]) -> dict[str, inspect.Field]:
    info = inspect.type_info(kind)
    fields = {one.name: one for one in info.fields}  # type: ignore[attr-defined] # a struct's
    return (
        fields
        | {one.encode_name: one for one in fields.values()}
        | {alias: fields[name] for alias, name in _ALIASES.get(kind, {}).items()}
    )


def _read_struct(kind: type[msgspec.Struct], members: object, path: str, found: _Found) -> dict[str, object]:
    if not isinstance(members, dict):
        found.shapes.append(Violation(path, json_text.WRONG_TYPE))
        return {}
    fields, given, values, chosen = _fields(kind), dict[str, object](), dict[str, object](), ""
    for name, value in members.items():
        field = fields.get(name)
        place = _join(path, field.encode_name if field else name)
        one_of = field is not None and field.name in _ONE_OF.get(kind, ())
        if field is None:
            found.shapes.append(Violation(place, json_text.UNKNOWN_NAME))
        elif value is None or (one_of and value is False):
            continue
        elif field.name in given:
            if given[field.name] != value:
                found.shapes.append(Violation(place, json_text.GIVEN_TWICE))
        elif one_of and chosen:
            found.shapes.append(Violation(place, json_text.ONE_OF_SEVERAL))
        else:
            given[field.name], chosen = value, name if one_of else chosen
            values[field.encode_name] = _read(field.type, value, place, found)
    missing = {one.encode_name for one in fields.values() if one.required and one.name not in given}
    found.limits.extend(Violation(_join(path, name), json_text.REQUIRED) for name in sorted(missing))
    return values


def _read(kind: inspect.Type, value: object, path: str, found: _Found) -> object:
    match kind:
        case inspect.Metadata(type=inner):
            return _read(inner, value, path, found)
        case inspect.UnionType(types=types):
            return _read(next(one for one in types if not isinstance(one, inspect.NoneType)), value, path, found)
        case inspect.StructType(cls=cls):
            return _read_struct(cls, value, path, found)
        case inspect.VarTupleType(item_type=item, max_length=longest) if isinstance(value, list):
            if longest is not None and len(value) > longest:
                found.limits.append(Violation(path, json_text.TOO_MANY, longest))
                return []
            return [_read(item, one, f"{path}[{number}]", found) for number, one in enumerate(value)]
        case _:
            return _read_scalar(kind, value, path, found)


def _read_scalar(kind: inspect.Type, value: object, path: str, found: _Found) -> object:
    match kind, value:
        case inspect.BoolType(), bool():
            return value
        case inspect.EnumType(cls=names), str() | int() if not isinstance(value, bool):
            return _read_name(names, value, path, found)
        case inspect.StrType(), str():
            return _read_text(kind, value, path, found)
        case inspect.BytesType(), str():
            return _read_bytes(kind, value, path, found)
    found.shapes.append(Violation(path, json_text.WRONG_TYPE))
    return None


def _read_name(names: type[Enum], value: str | int, path: str, found: _Found) -> str:
    known = [str(one.value) for one in names]
    if isinstance(value, int):  # the number of a name in the .proto file
        value = known[value] if 0 <= value < len(known) else ""
    if value not in known:
        found.shapes.append(Violation(path, json_text.NOT_A_NAME))
    return value


def _read_text(kind: inspect.StrType, value: str, path: str, found: _Found) -> str:
    if "\x00" in value:
        found.limits.append(Violation(path, json_text.NUL))
    if kind.min_length is not None and len(value) < kind.min_length:
        found.limits.append(Violation(path, json_text.TOO_SHORT, kind.min_length))
    if kind.max_length is not None and len(value) > kind.max_length:
        found.limits.append(Violation(path, json_text.TOO_LONG, kind.max_length))
    return value


def _read_bytes(kind: inspect.BytesType, value: str, path: str, found: _Found) -> bytes | None:
    decoded = read_base64(value)
    if decoded is None:
        found.shapes.append(Violation(path, json_text.NOT_BASE64))
    elif not decoded:
        found.limits.append(Violation(path, json_text.REQUIRED))
    elif kind.max_length is not None and len(decoded) > kind.max_length:
        found.limits.append(Violation(path, json_text.TOO_MANY_BYTES, kind.max_length))
    return decoded


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
