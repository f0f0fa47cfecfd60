"""Which peers are proxies of the operator: only what they add to a request counts (HH-03, HH-04)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from starlette.types import Scope

Network = IPv4Network | IPv6Network
_KNOWN: Final = 4096
"""Addresses whose answer is remembered: few in front of a service, any number where it is reached directly."""


class TrustedProxies:
    """The networks of the proxies in front of a service: of its gateway, and of what is in front of that.

    Args:
        networks: of what connects to the service. They may be wide, as nothing else can reach it; clients may be in them.
        before: of proxies in front of the gateway, in which no client is.
    """

    def __init__(self, networks: Iterable[Network], before: Iterable[Network] = ()) -> None:
        self.include = lru_cache(maxsize=_KNOWN)(partial(_is_in, tuple(networks)))
        """Whether an address, in any spelling, is of a proxy that connects to the service; an invalid one is not."""

        self.forward = lru_cache(maxsize=_KNOWN)(partial(_is_in, tuple(before)))
        """Whether an address that a proxy saw is one of those in front of it."""

    def sent(self, scope: Scope) -> bool:
        """Whether the peer of a request is one of them."""
        peer = scope.get("client")
        return peer is not None and self.include(peer[0])


def _is_in(networks: tuple[Network, ...], text: str) -> bool:
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return any(address in network for network in networks)
