"""Proxies of the operator: only headers that they add are trusted (HH-03, HH-04)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from starlette.types import Scope

Network = IPv4Network | IPv6Network
_KNOWN: Final = 4096
"""Cache size: few peers behind a gateway, any number where the service is reached directly."""


class TrustedProxies:
    """The networks of the gateway and of proxies in front of it.

    `networks` contain the direct peers. They may be wide, as nothing else can connect; clients may be in
    them. `before` are proxies in front of the gateway and contain no clients.
    """

    def __init__(self, networks: Iterable[Network], before: Iterable[Network] = ()) -> None:
        self.include = lru_cache(maxsize=_KNOWN)(partial(_is_in, tuple(networks)))
        """Whether an address, in any spelling, belongs to a proxy that connects to the service; False for an
        invalid one.
        """

        self.forward = lru_cache(maxsize=_KNOWN)(partial(_is_in, tuple(before)))
        """Whether an address seen by a proxy belongs to one in front of it."""

    def sent(self, scope: Scope) -> bool:
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
