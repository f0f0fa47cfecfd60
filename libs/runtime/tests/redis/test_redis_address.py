from __future__ import annotations

import pytest
from portico_runtime.redis.nodes.address import Address, AddressRefused, Kind, parse_address


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://127.0.0.1:6380", Address(Kind.ONE, (("127.0.0.1", 6380),))),
        ("rediss://store.example/?ssl_ca_certs=/ca.pem", Address(Kind.ONE, (("store.example", 6379),), tls=True, options={"ssl_ca_certs": "/ca.pem"})),
        (
            "redis+sentinel://one:26380,two/main",
            Address(Kind.SENTINEL, (("one", 26380), ("two", 26379)), master="main"),
        ),
        ("redis+cluster://one,two:7001", Address(Kind.CLUSTER, (("one", 6379), ("two", 7001)))),
        (
            "redis+cluster://one?db=0&socket_keepalive=yes",
            Address(Kind.CLUSTER, (("one", 6379),), options={"db": 0, "socket_keepalive": True}),
        ),
        ("rediss+cluster://[::1]:7000", Address(Kind.CLUSTER, (("::1", 7000),), tls=True)),
    ],
)  # fmt: skip
def test_valid_addresses(url: str, address: Address) -> None:
    """The address names one server, Sentinels with a master name, or nodes of a cluster."""
    assert parse_address(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:6379",
        "http://127.0.0.1",
        "redis+ring://127.0.0.1",
        "redis://one,two",
        "redis://user:password@one",
        "redis+sentinel://one",
        "redis+cluster://one/main",
        "redis+cluster://",
        "redis://one:port",
        "redis://one?db=first",
        "redis+cluster://one?password=secret",
    ],
)
def test_invalid_addresses_are_refused(url: str) -> None:
    """The error names the misconfigured setting."""
    with pytest.raises(AddressRefused, match="PORTICO_REDIS_URL"):
        parse_address(url)
