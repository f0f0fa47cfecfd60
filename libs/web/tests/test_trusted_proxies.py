from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest
from portico_web.trusted_proxies import TrustedProxies

PROXIES = TrustedProxies([ip_network("10.1.0.0/16"), ip_network("fd00::/8"), ip_network("192.0.2.7")])


@pytest.mark.parametrize("address", ["10.1.0.1", "10.1.255.255", "fd00::1", "192.0.2.7", "::ffff:10.1.2.3"])
def test_address_in_a_trusted_network_is_a_proxy(address: str) -> None:
    """Every address of a trusted network is a trusted proxy, in its IPv6 spelling too (HH-03)."""
    assert PROXIES.include(address)


@pytest.mark.parametrize(
    "address", ["10.2.0.1", "192.0.2.8", "127.0.0.1", "::1", "fe80::1%eth0", "", "gateway", "10.1.0.1:80", "10.1"]
)
def test_other_addresses_are_not_trusted(address: str) -> None:
    """Other addresses and invalid addresses are never a trusted proxy (HH-03)."""
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
def test_peer_address_decides(scope: dict[str, Any], trusted: bool) -> None:
    """A request comes from a trusted proxy if its peer address does; a request without an address does not (HH-03)."""
    assert PROXIES.sent(scope) is trusted


def test_empty_list_trusts_no_peer() -> None:
    assert not TrustedProxies(()).include("127.0.0.1")
