from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from portico_fakes.clock import FrozenClock
from portico_fakes.on_sockets import Ports, services_on_sockets
from portico_harness.raw_http import exchange, request_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

READS = {
    "authz": "/.well-known/openid-configuration",
    "token": "/oidc/v1/userinfo",
    "keys": "/oauth/v2/keys",
    "users": "/v2/users/1",
    "login-ui": "/",
    "console": "/ui/console/signed-out",
}
"""By service: a path that answers GET with a document or a demand for a token."""

FORGED = b"".join(
    name + b": forged-value\r\n"
    for name in (
        b"X-Forwarded-Host", b"X-Forwarded-Proto", b"X-Forwarded-Port", b"X-Forwarded-Prefix", b"Forwarded",
        b"X-Original-Url", b"X-Rewrite-Url", b"X-Real-Ip", b"X-Host", b"X-HTTP-Method-Override", b"X-Portico-User",
        b"X-Portico-Role", b"Portico-Error-Kind", b"X-User-Id", b"X-Org-Id", b"X-Auth-Request-User", b"X-Remote-User",
        b"Remote-User", b"Nats-Service-Error", b"Nats-Msg-Id", b"X_Forwarded_For", b"Tracestate", b"Baggage",
    )
)  # fmt: skip
"""Headers that proxies and services of other products set for each other (HH-01, HH-04)."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ports() -> AsyncIterator[Ports]:
    """Serves all services without a trusted proxy."""
    async with services_on_sockets(FrozenClock(), trusted_proxies="192.0.2.0/24") as found:
        yield found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def trusting_ports() -> AsyncIterator[Ports]:
    """Serves all services with this machine as a trusted proxy."""
    async with services_on_sockets(FrozenClock(), trusted_proxies="127.0.0.1", keys_requests_per_minute=3) as found:
        yield found


@pytest.mark.parametrize(("service", "path"), READS.items())
async def test_forged_headers_are_ignored(ports: Ports, service: str, path: str) -> None:
    """Headers of proxies and other products neither change a response nor appear in it (HH-01, HH-04)."""
    plain = await exchange(ports[service], request_of("GET", path))
    forged = await exchange(ports[service], request_of("GET", path, FORGED))

    assert forged.statuses == plain.statuses
    assert len(forged.data) == len(plain.data)
    assert forged.text.replace(forged.header("x-request-id"), "") == plain.text.replace(
        plain.header("x-request-id"), ""
    )
    assert b"forged" not in forged.data


@pytest.mark.parametrize(("service", "path"), READS.items())
async def test_request_id_of_untrusted_peer_is_replaced(ports: Ports, service: str, path: str) -> None:
    """A request id from an untrusted peer is replaced, so that log lines cannot be forged (HH-04)."""
    heard = await exchange(ports[service], request_of("GET", path, b"X-Request-Id: 0123456789abcdef\r\n"))

    assert len(heard.header("x-request-id")) == 32
    assert b"0123456789abcdef" not in heard.data


@pytest.mark.parametrize(("service", "path"), READS.items())
async def test_request_id_of_trusted_proxy_must_be_well_formed(trusting_ports: Ports, service: str, path: str) -> None:
    """A trusted proxy's request id is used if it is well-formed and sent once, and replaced otherwise (AZ-07)."""
    good = await exchange(trusting_ports[service], request_of("GET", path, b"X-Request-Id: 0123456789abcdef\r\n"))
    bad = [
        b"a b c d e f g h",
        b"short",
        b"<script>alert(1)</script>",
        b"x" * 65,
        b"0123456789abcdef\r\nX-Request-Id: abcdefghij",
    ]
    replaced = [
        (await exchange(trusting_ports["login-ui"], request_of("GET", "/", b"X-Request-Id: " + id + b"\r\n"))).header(
            "x-request-id"
        )
        for id in bad
    ]

    assert good.header("x-request-id") == "0123456789abcdef"
    assert [len(id) for id in replaced] == [32] * len(bad)


async def _statuses_of(port: int, addresses: list[str]) -> list[int]:
    heard = [
        await exchange(port, request_of("GET", "/oauth/v2/keys", f"X-Forwarded-For: {address}\r\n".encode()))
        for address in addresses
    ]
    return [one.statuses[0] for one in heard]


async def test_only_trusted_proxy_sets_client_address(trusting_ports: Ports) -> None:
    """Clients behind a trusted proxy have separate rate limits; otherwise a header has no effect (HH-03)."""
    behind = await _statuses_of(trusting_ports["keys"], [f"203.0.113.{number}" for number in range(5)])
    async with services_on_sockets(FrozenClock(), trusted_proxies="", keys_requests_per_minute=3) as direct:
        past = await _statuses_of(direct["keys"], [f"203.0.113.{number}" for number in range(5)])

    assert behind == [200] * 5
    assert past == [200, 200, 200, 429, 429]
