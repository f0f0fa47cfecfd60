"""Framing on raw sockets at the gateway alone: no request smuggling in front or behind (IN-01)."""

from __future__ import annotations

import asyncio
import re

import pytest
from portico_harness.framing_cases import AMBIGUOUS, HOST, REFUSED, REFUSED_BY_SERVICES
from portico_harness.gateway_alone import telling_server
from portico_harness.raw_http import Heard, exchange
from portico_stack.servers.gateway import GatewayServer

pytestmark = pytest.mark.servers

CANARY = b"GET /oauth/v2/nothing HTTP/1.1\r\n" + HOST + b"X-Canary: 1\r\nConnection: close\r\n\r\n"
FRAMING = re.compile(r"(?:content-length|transfer-encoding): ?[^\\]*", re.IGNORECASE)


async def _all_with_canary(port: int, cases: dict[str, bytes]) -> list[tuple[str, Heard]]:
    """Returns the responses to each case followed by a harmless request."""
    heard = await asyncio.gather(*(exchange(port, case + CANARY, wait=1.0) for case in cases.values()))
    return list(zip(cases, heard, strict=True))


async def test_invalid_framing_is_refused_and_closes_the_connection(
    gateway: GatewayServer, upstream_ports: dict[str, int]
) -> None:
    """Invalid framing gets an error or no response and a closed connection (IN-01, RX-06)."""
    async with telling_server(upstream_ports["token"], "token"):
        heard = await _all_with_canary(gateway.port, REFUSED)

    for name, one in heard:
        assert one.closed, name
        assert len(one.statuses) <= 1, f"{name}: {one.data!r}"
        assert all(status in (400, 413, 414, 431, 501, 505) for status in one.statuses), f"{name}: {one.data[:200]!r}"


async def test_ambiguous_framing_is_interpreted_in_one_way(
    gateway: GatewayServer, upstream_ports: dict[str, int]
) -> None:
    """Each request gets its own response, and its service sees at most the gateway's framing (IN-01)."""
    async with telling_server(upstream_ports["token"], "token"), telling_server(upstream_ports["keys"], "keys"):
        heard = await _all_with_canary(gateway.port, AMBIGUOUS | REFUSED_BY_SERVICES)

    for name, one in heard:
        assert 1 <= len(one.statuses) <= 2, f"{name}: {one.data!r}"
        assert one.statuses[0] in (200, 400, 404, 405, 422, 501), f"{name}: {one.data[:200]!r}"
        assert one.statuses[1:] in ([], [404], [400]), f"{name}: {one.data!r}"
        assert b"X-Canary" not in one.data, name
        assert len(_framing_at_the_service(one)) <= 1, f"{name}: {one.data!r}"


def _framing_at_the_service(heard: Heard) -> list[str]:
    """Returns the framing headers that the service received, from the echoed head."""
    _, _, echoed = heard.data.decode("latin-1").partition('"head": ')
    return FRAMING.findall(echoed.partition("HTTP/1.1 404")[0])
