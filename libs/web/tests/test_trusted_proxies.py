"""Whose headers count."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest
from portico_web.trusted_proxies import TrustedProxies

PROXIES = TrustedProxies([ip_network("10.1.0.0/16"), ip_network("fd00::/8"), ip_network("192.0.2.7")])


@pytest.mark.parametrize("address", ["10.1.0.1", "10.1.255.255", "fd00::1", "192.0.2.7", "::ffff:10.1.2.3"])
def test_an_address_of_a_network_is_a_proxy(address: str) -> None:
    """Every address of a named network, in its IPv6 spelling too, is a trusted proxy (HH-03)."""
    assert PROXIES.include(address)


@pytest.mark.parametrize(
    "address", ["10.2.0.1", "192.0.2.8", "127.0.0.1", "::1", "fe80::1%eth0", "", "gateway", "10.1.0.1:80", "10.1"]
)
def test_all_else_is_not(address: str) -> None:
    """Other addresses, and what is no address, are never a trusted proxy (HH-03)."""
    assert not PROXIES.include(address)


@pytest.mark.parametrize(
    ("scope", "trusted"),
    [
        ({"client": ("10.1.0.1", 1)}, True),
        ({"client": ("127.0.0.1", 1)}, False),
        ({"client": None}, False),
        ({}, False),
    ],
)
def test_the_peer_decides(scope: dict[str, Any], trusted: bool) -> None:
    """A request is the proxy's when its peer is; one without an address is not (HH-03)."""
    assert PROXIES.sent(scope) is trusted


def test_without_networks_no_peer_is_trusted() -> None:
    """An empty list trusts nothing, not even this machine."""
    assert not TrustedProxies(()).include("127.0.0.1")
