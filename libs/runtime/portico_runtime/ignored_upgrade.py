"""Requests that offer another protocol: a server may ignore the offer (RFC 9110, 7.8), and ours do.

The parsers below our two servers take whatever follows such a head for bytes of the other protocol, so that the body
of the request is lost. HTTP/2 with prior knowledge is no offer and is not concerned.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_OFFER: Final = (b"upgrade", b"http2-settings")

Header = tuple[bytes, bytes]


def without_upgrade(headers: Iterable[Header]) -> list[Header]:
    """The headers without the offer of another protocol, and without the members of ``Connection`` that name it.

    Args:
        headers: pairs of a name in lower case and a value.
    """
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
    """The same request line and headers as bytes, to be parsed once more.

    Args:
        version: of HTTP, for example ``1.1``.
        headers: as a parser has accepted them, so that no value can end its line.
    """
    lines = [b"%s %s HTTP/%s" % (method, target, version.encode())]
    lines += [b"%s: %s" % header for header in without_upgrade(headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n"
