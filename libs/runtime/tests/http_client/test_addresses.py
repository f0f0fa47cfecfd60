"""Tests of the rules for outbound addresses (IP-03)."""

from __future__ import annotations

import ipaddress

import pytest
from portico_runtime.http_client.addresses import AddressNotAllowed, read_target, refuse_private
from portico_runtime.settings.networks import read_allow_list
from portico_runtime.settings.sections.outbound import OutboundSection
from pydantic import ValidationError

NOBODY: frozenset[tuple[str, int]] = frozenset()

NOT_HTTPS = [
    "http://rp.example.test/x", "ftp://rp.example.test/x", "file:///etc/passwd", "gopher://rp.example.test/x",
    "data:text/plain,x", "javascript:alert(1)", "ldap://rp.example.test", "dict://127.0.0.1:11211/stat",
    "unix:/run/x.sock", "//rp.example.test/x", "/x", "", "https://", "https:///x", "https://:443/x", "HTTP://a.test/",
]  # fmt: skip
MALFORMED = [
    "https://user@rp.example.test/x", "https://user:pass@rp.example.test/x", "https://rp.example.test@127.0.0.1/x",
    "https://127.0.0.1\\@rp.example.test/", "https://rp.example.test:99999/x", "https://rp.example.test:x/",
    "https://rp.example.test:0/", "https://rp.example.test/\r\nHost: evil", "https://rp.example.test/ x",
    "https://rp.example.test/\tx", "https://[::1", "https://rp%2eexample.test/", "https://[fe80::1%25eth0]/",
    "https://r\u00fc.example.test/", "https://\u2460\u2461\u2466.0.0.1/", "https://rp.example.test/" + "a" * 2_000,
]  # fmt: skip
LITERALS = [
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0177.0.0.1", "017700000001", "0x7f.0.0.1", "0x7f000001",
    "127.0.0.1.", "127.255.255.254", "0.0.0.0", "0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",  # noqa: S104
    "169.254.169.254", "0xa9fea9fe", "2852039166", "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::127.0.0.1]",
    "[::8.8.8.8]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::808:808]",
    "[0:0:0:0:0:0:0:1]", "[fe80::1]", "[fec0::1]", "[fc00::1]", "[fd12:3456::1]", "[ff02::1]", "[2001:db8::1]",
    "[64:ff9b::7f00:1]", "[64:ff9b::a00:1]", "[2002:7f00:1::]", "[2002:a00:1::]", "[100::1]",
    "[2001:0:7f00:1::]", "[fd00:ec2::254]", "192.0.0.8", "192.0.0.9", "192.0.0.10", "192.0.0.170", "192.31.196.1",
    "192.52.193.1", "192.88.99.1", "192.175.48.1", "[::ffff:192.88.99.1]", "[2002:c058:6301::]", "[2001:1::1]",
    "[2001:2::1]", "[2001:3::1]", "[2001:4:112::1]", "[2001:20::1]", "[2001:30::1]", "[2620:4f:8000::1]", "[3fff::1]",
    "[5f00::1]", "[100:0:0:1::1]",
]  # fmt: skip


def is_accepted(url: str) -> bool:
    try:
        read_target(url, NOBODY)
    except AddressNotAllowed:
        return False
    return True


def test_address_must_be_plain_https() -> None:
    """Other schemes, user information and ambiguous URLs are refused (IP-03)."""
    assert [url for url in (*NOT_HTTPS, *MALFORMED) if is_accepted(url)] == []


def test_non_public_address_literal_is_refused() -> None:
    """A non-public address is refused in every spelling that a resolver accepts (IP-03)."""
    urls = [f"https://{host}{port}/keys" for host in LITERALS for port in ("", ":9000")]

    assert [url for url in urls if is_accepted(url)] == []


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "2a00:1450:4001::1", "64:ff9b::8c52:7903"]
)
def test_public_address_is_accepted(address: str) -> None:
    """An IPv4 address that a network without IPv4 reaches by NAT64 is accepted too."""
    refuse_private(ipaddress.ip_address(address))


def test_url_is_split_into_its_parts() -> None:
    """Host in lower case, default port of the scheme, path and query unchanged."""
    target = read_target("https://RP.Example.test/a/b?c=d", NOBODY)

    assert (target.scheme, target.host, target.port, target.path) == ("https", "rp.example.test", 443, "/a/b?c=d")
    assert read_target("https://rp.example.test:8443", NOBODY).port == 8443


def test_allow_list_permits_private_http_addresses() -> None:
    """An entry of the allow list permits exactly that host and port."""
    allowed = read_allow_list("127.0.0.1:9100, IDP.internal:80,[::1]:9200")

    assert read_target("http://127.0.0.1:9100/x", allowed).host == "127.0.0.1"
    assert read_target("http://idp.internal/x", allowed).port == 80
    assert read_target("https://[::1]:9200/x", allowed).host == "::1"
    for other in ("http://127.0.0.1:9101/", "https://127.1:9100/", "http://localhost:9100/", "ftp://127.0.0.1:9100/"):
        with pytest.raises(AddressNotAllowed):
            read_target(other, allowed)


@pytest.mark.parametrize("text", ["x", "x:", ":1", "x:0", "x:65536", "x:y", "https://x", "x:1;y:2", "http://x:1"])
def test_invalid_allow_list_stops_the_start(text: str) -> None:
    with pytest.raises(ValidationError, match="outbound_allow"):
        OutboundSection(outbound_allow=text)


def test_empty_allow_list_permits_nothing() -> None:
    assert read_allow_list("") == NOBODY
