"""BER as used by LDAP: single-octet tags, definite lengths (X.690, RFC 4511 section 5.1)."""

from __future__ import annotations

from typing import Final, NamedTuple

INTEGER: Final = 0x02
BOOLEAN: Final = 0x01
OCTETS: Final = 0x04
ENUMERATED: Final = 0x0A
SEQUENCE: Final = 0x30
SET: Final = 0x31

MAX_ELEMENTS: Final = 2_000
"""Limit of elements in a sequence and of values in an entry; each takes 1.5 µs to parse (RX-08)."""

MAX_GROUPS: Final = 5_000
"""Limit of values of the attribute with the groups."""

_LONG: Final = 0x80
_MAX_LENGTH_OCTETS: Final = 4
_HIGH_TAG: Final = 0x1F


class MalformedElement(ValueError):
    pass


class TooLarge(MalformedElement):
    """The message exceeds a limit of Portico; its octets may be valid."""


class Element(NamedTuple):
    """An element; the content of a constructed one is elements again."""

    tag: int
    content: bytes


def encode(tag: int, *contents: bytes) -> bytes:
    content = b"".join(contents)
    if len(content) < _LONG:
        return bytes((tag, len(content))) + content
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes((tag, _LONG | len(length))) + length + content


def encode_integer(value: int, tag: int = INTEGER) -> bytes:
    """Supports only non-negative numbers."""
    return encode(tag, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def length_octets(second: int) -> int:
    """Returns the number of octets after the first length octet: at most 4, no indefinite lengths."""
    if second < _LONG:
        return 0
    count = second & ~_LONG
    if not 0 < count <= _MAX_LENGTH_OCTETS:
        raise MalformedElement("length")
    return count


def decode(data: bytes, most: int = MAX_ELEMENTS) -> list[Element]:
    """Returns all elements in the octets. Raises `MalformedElement`; above the limit `TooLarge`, before they are built."""
    found: list[Element] = []
    at = 0
    while at < len(data):
        if len(found) >= most:
            raise TooLarge("too many elements")
        head = data[at : at + 2]
        if len(head) < 2 or head[0] & _HIGH_TAG == _HIGH_TAG:
            raise MalformedElement("tag")
        count = length_octets(head[1])
        begin = at + 2 + count
        length = int.from_bytes(data[at + 2 : begin], "big") if count else head[1]
        at = begin + length
        if at > len(data):
            raise MalformedElement("end")
        found.append(Element(head[0], data[begin:at]))
    return found


def decode_integer(element: Element, tag: int = INTEGER) -> int:
    """Supports up to 8 octets. Raises `MalformedElement`."""
    if element.tag != tag or not 0 < len(element.content) <= 8:
        raise MalformedElement("integer")
    return int.from_bytes(element.content, "big", signed=True)


def decode_octets(element: Element) -> bytes:
    if element.tag != OCTETS:
        raise MalformedElement("octets")
    return element.content
