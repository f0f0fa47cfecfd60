"""Which addresses may be asked from inside: public ones, and what the operator allows by name (IP-03)."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

MAX_URL: Final = 2_000
_HOST: Final = re.compile(r"[a-z0-9._:-]+\Z")
_PORTS: Final = {"https": 443, "http": 80}
_NAT64: Final = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
_COMPATIBLE: Final = ipaddress.IPv6Network("::/96")


class OutboundError(Exception):
    """A request to the outside that was refused, or got no answer."""


class AddressNotAllowed(OutboundError):
    """The address is none that may be asked from here."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes.

    Attributes:
        host: in lower case, without brackets.
        path: with the query.
    """

    scheme: str
    host: str
    port: int
    path: str


def read_allow_list(text: str) -> frozenset[tuple[str, int]]:
    """The hosts and ports of ``host:port,…``.

    Raises:
        ValueError: for an entry that is not one.
    """
    return frozenset(_read_entry(entry.strip()) for entry in text.split(",") if entry.strip())


def read_networks(text: str) -> tuple[Network, ...]:
    """The networks of ``10.1.0.0/16,fd00::/8,192.0.2.7,…``, or with spaces between; an address counts as a network.

    Raises:
        ValueError: for an entry that is none, or has bits behind its prefix.
    """
    return tuple(ipaddress.ip_network(entry) for entry in text.replace(",", " ").split())


def read_target(url: str, allowed: frozenset[tuple[str, int]]) -> Target:
    """Reads an address: https, or what is allowed; no user information, and no literal address that is not public.

    This is what can be decided without resolving names; `refuse_private` decides the rest once they are resolved.

    Raises:
        AddressNotAllowed: for everything else.
    """
    target = read_web_address(url, allowed)
    literal = _literal(target.host)
    if literal is not None and (target.host, target.port) not in allowed:
        refuse_private(literal)
    return target


def read_web_address(url: str, allowed: frozenset[tuple[str, int]]) -> Target:
    """Reads an address a browser is sent to: https, or what is allowed; no user information.

    Raises:
        AddressNotAllowed: for everything else.
    """
    if (
        len(url) > MAX_URL
        or not url.isascii()
        or any(character <= " " or character in '\\"<>\x7f' for character in url)
    ):
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
    """Raises AddressNotAllowed unless an address is public, also for the one inside of it (mapped, 6to4, NAT64, …)."""
    for one in (address, *_embedded(address)):
        is_local = isinstance(one, ipaddress.IPv6Address) and one.is_site_local
        if not one.is_global or one.is_multicast or one.is_reserved or one.is_unspecified or is_local:
            raise AddressNotAllowed("the address is not public")


def _embedded(address: Address) -> list[Address]:
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found: list[Address] = [inner for inner in (address.ipv4_mapped, address.sixtofour) if inner is not None]
    found += address.teredo or ()
    if any(address in network for network in (*_NAT64, _COMPATIBLE)):
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return found


def _literal(host: str) -> Address | None:
    """The address a host is, in any spelling the resolver would take for one: decimal, octal, hex, shortened."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host.rstrip(".")))
    except (OSError, ValueError):
        return None


def _read_entry(entry: str) -> tuple[str, int]:
    host, colon, port = entry.rpartition(":")
    host = host.removeprefix("[").removesuffix("]").lower()
    if not colon or not _HOST.match(host) or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise ValueError(f"{entry} is not host:port")
    return host, int(port)
