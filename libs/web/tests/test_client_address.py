from __future__ import annotations

from ipaddress import ip_network

import pytest
from portico_web.client_address import UNKNOWN, client_address
from portico_web.trusted_proxies import TrustedProxies
from starlette.requests import Request

GATEWAY = ("192.0.2.1", 4000)
PROXIES = TrustedProxies([ip_network("192.0.2.0/24"), ip_network("10.0.0.0/8")], [ip_network("192.0.2.0/28")])
"""All private addresses may connect, as in containers; few of them are proxies in front of the gateway."""


def asked_from(*forwarded: str, peer: tuple[str, int] | None = GATEWAY) -> str:
    raw = [(b"x-forwarded-for", value.encode("latin-1")) for value in forwarded]
    return client_address(Request({"type": "http", "headers": raw, "client": peer}), PROXIES)


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("1.1.1.1, 203.0.113.7", "203.0.113.7"),
        ("garbage,,203.0.113.7 ", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("192.0.2.66, 203.0.113.7", "203.0.113.7"),
    ],
)
def test_last_forwarded_element_counts(forwarded: str, address: str) -> None:
    """The gateway appends the address it saw, and everything before it was written by the client (HH-03)."""
    assert asked_from(forwarded) == address


def test_last_of_several_headers_counts() -> None:
    assert asked_from("1.1.1.1", "203.0.113.7") == "203.0.113.7"


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("203.0.113.7, 192.0.2.9", "203.0.113.7"),
        ("1.1.1.1, 203.0.113.7, 192.0.2.8, 192.0.2.9", "203.0.113.7"),
        ("1.1.1.1, a, 192.0.2.9", "192.0.2.9"),
        ("192.0.2.9", "192.0.2.9"),
        ("1.1.1.1, 10.1.2.3", "10.1.2.3"),
        ("1.1.1.1, 10.1.2.3, 192.0.2.9", "10.1.2.3"),
        ("1.1.1.1, 192.0.2.66, 192.0.2.9", "192.0.2.66"),
    ],
)
def test_proxies_in_front_of_the_gateway_are_skipped(forwarded: str, address: str) -> None:
    """The client is the last address that does not belong to these proxies, even if it is private (HH-03)."""
    assert asked_from(forwarded) == address


@pytest.mark.parametrize("forwarded", ["1.1.1.1", "192.0.2.9", "1.1.1.1, 192.0.2.9", "a", ""])
def test_header_of_an_untrusted_peer_is_ignored(forwarded: str) -> None:
    """A client that bypasses the gateway is counted by its own address (HH-03)."""
    assert asked_from(forwarded, peer=("203.0.113.9", 4000)) == "203.0.113.9"


@pytest.mark.parametrize(
    "forwarded",
    ["", "a", ",", "fe80::1%eth0", "203.0.113.7:80", "[::1]", "a" * 100_000, "1," * 1_000, "０.0.0.0", "203.0.113.07"],
)
def test_unreadable_address_counts_as_the_peer(forwarded: str) -> None:
    """Garbage counts as one caller, so that it cannot reset a limit (HH-03)."""
    assert asked_from(forwarded.encode("utf-8").decode("latin-1")) == "192.0.2.1"


def test_without_addresses_all_callers_are_one() -> None:
    assert asked_from(peer=None) == UNKNOWN
    assert asked_from("203.0.113.7", peer=("unix", 0)) == UNKNOWN


def test_ipv6_addresses_are_grouped_by_64() -> None:
    """A /64 is the smallest network that one caller gets."""
    assert asked_from("2001:db8::1") == asked_from("2001:db8::ffff:1") != asked_from("2001:db8:0:1::1")
