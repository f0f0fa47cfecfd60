"""Ignores protocol upgrades, as a server may (RFC 9110, 7.8): both parsers would lose the body of such a request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_OFFER: Final = (b"upgrade", b"http2-settings")

Header = tuple[bytes, bytes]


def without_upgrade(headers: Iterable[Header]) -> list[Header]:
    left: list[Header] = []
    for name, value in headers:
        if name == b"connection":
            members = [member.strip() for member in value.split(b",")]
            kept = b", ".join(member for member in members if member and member.lower() not in _OFFER)
            left += [(name, kept)] if kept else []
        elif name not in _OFFER:
            left.append((name, value))
    return left


def head_without_upgrade(method: bytes, target: bytes, version: str, headers: Iterable[Header]) -> bytes:
    """Serializes the head for another parse; a parser accepted `headers`, so no value contains a line end."""
    lines = [b"%s %s HTTP/%s" % (method, target, version.encode())]
    lines += [b"%s: %s" % header for header in without_upgrade(headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n"
