"""Which peers are proxies of the operator: only what they add to a request counts (HH-03, HH-04)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from starlette.types import Scope

Network = IPv4Network | IPv6Network
_KNOWN: Final = 4096
"""Addresses whose answer is remembered: few in front of a service, any number where it is reached directly."""


class TrustedProxies:
    """The networks of the proxies in front of a service: of its gateway, and of what is in front of that."""

    def __init__(self, networks: Iterable[Network]) -> None:
        self._networks = tuple(networks)
        self.include = lru_cache(maxsize=_KNOWN)(self._include)
        """Whether an address, in any spelling, is one of them; what is no address is not."""

    def sent(self, scope: Scope) -> bool:
        """Whether the peer of a request is one of them."""
        peer = scope.get("client")
        return peer is not None and self.include(peer[0])

    def _include(self, text: str) -> bool:
        try:
            address = ip_address(text)
        except ValueError:
            return False
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        return any(address in network for network in self._networks)
