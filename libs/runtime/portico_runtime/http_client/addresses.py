"""Egress rules: public addresses, and hosts that the operator allows by name (IP-03)."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

MAX_URL: Final = 2_000
_FORBIDDEN: Final = re.compile(r'[\x00- "<>\\\x7f]')
"""Spaces and control characters, and those that no URL contains (RFC 3986 appendix A) and parsers read differently."""

_PORTS: Final = {"https": 443, "http": 80}
_SPECIAL: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",
            "192.175.48.0/24",
            "2001::/23",
            "2620:4f:8000::/48",
            "3fff::/20",
        ),
    )
)
"""Networks of the IANA registries of special-purpose addresses that `is_global` accepts, some or all of their addresses.

Their addresses are for protocols, relays and documentation (RFC 6890, 9637); no host with documents has one.
"""

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
"""How a network without IPv4 reaches IPv4 (RFC 6052 section 2.1)."""


class OutboundError(Exception):
    pass


class AddressNotAllowed(OutboundError):
    pass


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a request; `host` is in lower case without brackets, `path` includes the query."""

    scheme: str
    host: str
    port: int
    path: str


def read_target(url: str, allowed: frozenset[tuple[str, int]]) -> Target:
    """Parses a URL: https or an allowed host, without user information or a non-public literal address."""
    target = read_web_address(url, allowed)
    literal = _literal(target.host)
    if literal is not None and (target.host, target.port) not in allowed:
        refuse_private(literal)
    return target


def may_be_requested(url: str, allowed: frozenset[tuple[str, int]]) -> bool:
    try:
        read_target(url, allowed)
    except AddressNotAllowed:
        return False
    return True


def read_web_address(url: str, allowed: frozenset[tuple[str, int]]) -> Target:
    """Parses a URL that a browser is redirected to: https or an allowed host, without user information."""
    if len(url) > MAX_URL or not url.isascii() or _FORBIDDEN.search(url):
        raise AddressNotAllowed("the URL contains invalid characters")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError as error:
        raise AddressNotAllowed("the URL is invalid") from error
    if parts.scheme not in _PORTS or not host or "@" in parts.netloc or "%" in host or port == 0:
        raise AddressNotAllowed("the URL does not use https")
    number = port or _PORTS[parts.scheme]
    if parts.scheme != "https" and (host, number) not in allowed:
        raise AddressNotAllowed("the URL does not use https")
    path = parts.path or "/"
    return Target(parts.scheme, host, number, f"{path}?{parts.query}" if parts.query else path)


def refuse_private(address: Address) -> None:
    """Checks what the address reaches, and any address embedded in it (mapped, 6to4, …)."""
    for one in _judged(address):
        is_local = isinstance(one, ipaddress.IPv6Address) and one.is_site_local
        if any(one in network for network in _SPECIAL):
            raise AddressNotAllowed("the address is for a special use")
        if not one.is_global or one.is_multicast or one.is_reserved or one.is_unspecified or is_local:
            raise AddressNotAllowed("the address is not public")


def _judged(address: Address) -> list[Address]:
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address in _NAT64:  # to ipaddress all of them are reserved
        return [ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)]
    embedded = address.ipv4_mapped, address.sixtofour, *(address.teredo or ())
    return [address, *(one for one in embedded if one is not None)]


def _literal(host: str) -> Address | None:
    """Returns the IP address in any spelling that the resolver accepts: decimal, octal, hexadecimal, shortened."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host.rstrip(".")))
    except (OSError, ValueError):
        return None
