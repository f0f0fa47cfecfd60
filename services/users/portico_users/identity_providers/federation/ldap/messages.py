"""LDAP messages (RFC 4511 section 4). Filters are structures, so login names need no escaping (RFC 4515)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_users.identity_providers.federation.ldap.ber import (
    BOOLEAN,
    ENUMERATED,
    MAX_ELEMENTS,
    MAX_GROUPS,
    OCTETS,
    SEQUENCE,
    SET,
    Element,
    MalformedElement,
    decode,
    decode_integer,
    decode_octets,
    encode,
    encode_integer,
)

BIND_RESPONSE: Final = 0x61
SEARCH_ENTRY: Final = 0x64
SEARCH_DONE: Final = 0x65
SEARCH_REFERENCE: Final = 0x73
EXTENDED_RESPONSE: Final = 0x78

SUCCESS: Final = 0
SIZE_LIMIT_EXCEEDED: Final = 4
NO_SUCH_OBJECT: Final = 32

NOT_NOW: Final = frozenset({51, 52})
"""busy and unavailable: another server may have time, or not be shutting down."""

UNSOLICITED: Final = 0
"""The message id of a notice of disconnection (RFC 4511 section 4.4.1)."""

INVALID_CREDENTIALS: Final = 49
WRONG_PASSWORD: Final = frozenset({19, NO_SUCH_OBJECT, 48, INVALID_CREDENTIALS, 53})
"""constraintViolation and unwillingToPerform for locked entries, inappropriateAuthentication, invalidCredentials."""

_MOST_PARTS: Final = 10
"""Parts of a message or result: at most five, plus extensions."""

_VERSION: Final = 3
_BIND: Final = 0x60
_SIMPLE: Final = 0x80
_UNBIND: Final = 0x42
_SEARCH: Final = 0x63
_EXTENDED: Final = 0x77
_EXTENDED_NAME: Final = 0x80
_CONTROLS: Final = 0xA0
_PASSWORD_POLICY: Final = b"1.3.6.1.4.1.42.2.27.8.5.1"
ASK_PASSWORD_STATE: Final = encode(_CONTROLS, encode(SEQUENCE, encode(OCTETS, _PASSWORD_POLICY)))
"""The controls of a bind; servers that do not know the password policy ignore it."""

_POLICY_ERROR: Final = 0x81
_NEW_PASSWORD_ERRORS: Final = frozenset({0, 2})
"""passwordExpired and changeAfterReset (draft-behera-ldap-password-policy-10 section 6.2)."""

_NEW_PASSWORD_DATA: Final = re.compile(rb"AcceptSecurityContext error, data (?:532|773)\b")
"""Active Directory, for an expired password and one that must be changed at the next logon."""

_START_TLS: Final = b"1.3.6.1.4.1.1466.20037"
_AND, _OR, _EQUALS = 0xA0, 0xA1, 0xA3
_PRESENT: Final = 0x87
_ENTRY_ALONE: Final = 0
_WHOLE_SUBTREE: Final = 2
_RANGE: Final = ";range="
_NEVER_DEREFERENCE: Final = 0


class Response(NamedTuple):
    """A message of the server; ``id`` is the request's, or 0 for an unsolicited notification."""

    id: int
    kind: int
    content: bytes
    controls: bytes = b""

    @property
    def result(self) -> int:
        """Returns the result code of a final response (RFC 4511 section 4.1.9). Raises `MalformedElement`."""
        elements = decode(self.content, _MOST_PARTS)
        if len(elements) < 3:
            raise MalformedElement("result")
        return decode_integer(elements[0], ENUMERATED)

    @property
    def wants_new_password(self) -> bool:
        """Reports whether a bind's password is right but must be changed first. Raises `MalformedElement`.

        Directories verify the password before they report this, unlike a locked entry.
        """
        if self.result not in (SUCCESS, INVALID_CREDENTIALS):
            return False
        said = any(error in _NEW_PASSWORD_ERRORS for error in _policy_errors(self.controls))
        return said or bool(_NEW_PASSWORD_DATA.search(decode(self.content, _MOST_PARTS)[2].content))


@dataclass(frozen=True, slots=True)
class Entry:
    """An LDAP entry: ``dn`` as the server sent it, values by lower-case attribute name without options.

    ``more_from`` is the number of the first group that has to be requested, 0 if the entry has them all.
    """

    dn: bytes
    attributes: dict[str, tuple[bytes, ...]]
    more_from: int = 0


@dataclass(frozen=True, slots=True)
class Search:
    """A search: one attribute of ``names`` must equal ``value``; an entry must have all ``classes``.

    ``groups`` is the attribute that may have more values than the others, in lower case; empty for none.
    """

    base_dn: str
    names: Sequence[str]
    value: str
    classes: Sequence[str]
    wanted: Sequence[str]
    size_limit: int
    seconds: int
    groups: str = ""


def message(id: int, operation: bytes, controls: bytes = b"") -> bytes:
    return encode(SEQUENCE, encode_integer(id), operation, controls)


def bind_request(dn: bytes, password: str) -> bytes:
    """Raises `ValueError` without a password, which servers treat as an anonymous bind (RFC 4513 section 5.1.2)."""
    if not dn or not password:
        raise ValueError("a bind without a name or password proves nothing")
    return encode(_BIND, encode_integer(_VERSION), encode(OCTETS, dn), encode(_SIMPLE, _octets(password)))


def start_tls_request() -> bytes:
    """RFC 4511 section 4.14."""
    return encode(_EXTENDED, encode(_EXTENDED_NAME, _START_TLS))


def unbind_request() -> bytes:
    return encode(_UNBIND)


def search_request(search: Search) -> bytes:
    """Searches the whole subtree without dereferencing aliases."""
    scope = _scope(_WHOLE_SUBTREE, search.size_limit, search.seconds)
    return _search(search.base_dn.encode(), scope, _filter(search), search.wanted)


def more_groups_request(entry: Entry, search: Search) -> bytes:
    """Requests groups that Active Directory left out (MS-ADTS section 3.1.1.3.1.3.3)."""
    every = encode(_PRESENT, b"objectClass")
    wanted = f"{search.groups}{_RANGE}{entry.more_from}-*"
    return _search(entry.dn, _scope(_ENTRY_ALONE, 1, search.seconds), every, (wanted,))


def _search(dn: bytes, scope: bytes, filter: bytes, wanted: Iterable[str]) -> bytes:
    names = encode(SEQUENCE, *(encode(OCTETS, name.encode()) for name in wanted))
    return encode(_SEARCH, encode(OCTETS, dn), scope, encode(BOOLEAN, b"\x00"), filter, names)


def _scope(scope: int, size_limit: int, seconds: int) -> bytes:
    kinds = encode_integer(scope, ENUMERATED) + encode_integer(_NEVER_DEREFERENCE, ENUMERATED)
    return kinds + encode_integer(size_limit) + encode_integer(seconds)


def read_message(content: bytes) -> Response:
    """Raises `MalformedElement`."""
    elements = decode(content, _MOST_PARTS)
    if len(elements) < 2:
        raise MalformedElement("message")
    controls = b"".join(one.content for one in elements[2:] if one.tag == _CONTROLS)
    return Response(decode_integer(elements[0]), elements[1].tag, elements[1].content, controls)


def _policy_errors(controls: bytes) -> Iterable[int]:
    for control in decode(controls, _MOST_PARTS):
        parts = decode(control.content, _MOST_PARTS)
        if len(parts) > 1 and parts[0].content == _PASSWORD_POLICY:
            for value in decode(decode_octets(parts[-1]), _MOST_PARTS):
                found = decode(value.content, _MOST_PARTS)
                yield from (decode_integer(one, _POLICY_ERROR) for one in found if one.tag == _POLICY_ERROR)


def read_entry(content: bytes, groups: str = "", first: int = 0) -> Entry:
    """Parses a SearchResultEntry (RFC 4511 section 4.5.2). Raises `MalformedElement`, or `TooLarge`.

    Args:
        groups: see `Search`.
        first: the number of the first group to be in it; over 0 it has to be a part.
    """
    elements = decode(content, 2)
    if len(elements) != 2 or elements[1].tag != SEQUENCE:
        raise MalformedElement("entry")
    dn, found = decode_octets(elements[0]), dict(_attributes(decode(elements[1].content), groups))
    part = next((name for name in found if groups and name.startswith(groups + _RANGE)), None)
    if part is None:
        if first:
            raise MalformedElement("no further groups")
        return Entry(dn, found)
    values = found.pop(part)
    return Entry(dn, found | {groups: values}, _end_of_part(part.rpartition("=")[2], first, len(values)))


def _end_of_part(part: str, first: int, count: int) -> int:
    """Returns the number of the first value after a part such as ``0-1499``, 0 after the last part."""
    if part == f"{first}-*":
        return 0
    if not count or part != f"{first}-{first + count - 1}":
        raise MalformedElement("part of the groups")
    return first + count


def _attributes(elements: Iterable[Element], groups: str) -> Iterable[tuple[str, tuple[bytes, ...]]]:
    left, left_groups = MAX_ELEMENTS, MAX_GROUPS
    for element in elements:
        parts = decode(element.content, 2)
        if element.tag != SEQUENCE or len(parts) != 2 or parts[1].tag != SET:
            raise MalformedElement("attribute")
        name = decode_octets(parts[0]).decode("ascii", "replace").lower()
        has_groups = bool(groups) and (name == groups or name.startswith(groups + _RANGE))
        most = left_groups if has_groups else left
        values = tuple(decode_octets(value) for value in decode(parts[1].content, most))
        if has_groups:
            left_groups -= len(values)
        else:
            left -= len(values)
        yield name, values


def _filter(search: Search) -> bytes:
    found = encode(_OR, *(_equals(name, search.value) for name in search.names))
    classes = (_equals("objectClass", name) for name in search.classes)
    return encode(_AND, *classes, found)


def _equals(name: str, value: str) -> bytes:
    return encode(_EQUALS, encode(OCTETS, name.encode()), encode(OCTETS, _octets(value)))


def _octets(text: str) -> bytes:
    # A lone surrogate becomes a question mark, an ordinary character in an equality match.
    return text.encode("utf-8", "replace")
