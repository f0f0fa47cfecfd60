"""Clients that stop in the middle of a request: their connection ends, for real by each program and its times.

HAProxy waits for the body itself and answers in the shape of the path. Caddy sends on what there is, and how long it waits
for the rest of an announced body is its service's to bound.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest
from portico_harness.gateway_alone import telling_server
from portico_harness.raw_http import exchange
from portico_stack.servers.gateway import GatewayServer

pytestmark = pytest.mark.servers

LONGEST = 60.0
"""Seconds after which a gateway has failed that waits for ever; both end a request after 10 to 20."""

PATIENCE = 2.0
"""Seconds a service waits for a body it has been sent the head of."""

POST = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
HEADS = {
    "nothing": b"",
    "first line": b"GET /oauth/v2/keys HTT",
    "head": b"GET /oauth/v2/keys HTTP/1.1\r\nHost: localhost\r\nX-Half: ",
    "HTTP/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM",
}
BODIES = {
    "form": POST % b"/oauth/v2/token" + b"Content-Length: 100\r\n\r\ngrant",
    "chunk": POST % b"/oauth/v2/token" + b"Transfer-Encoding: chunked\r\n\r\n5\r\ngr",
    "end of the chunks": POST % b"/oauth/v2/token" + b"Transfer-Encoding: chunked\r\n\r\n5\r\ngrant\r\n",
    "page": POST % b"/ui/login" + b"Content-Length: 100\r\n\r\nname",
    "call": POST % b"/v2/users/human" + b"Content-Length: 100\r\n\r\n{",
}
SHAPES = {"form": '"error"', "chunk": '"error"', "page": "error-page", "call": '"code":3'}


async def test_connection_of_a_client_that_stops_is_closed(
    gateway: GatewayServer, upstream_ports: dict[str, int]
) -> None:
    """Whatever part of a request does not arrive, its connection ends in bounded time, and no service executes it (RX-03)."""
    cases = HEADS | BODIES
    async with AsyncExitStack() as stack:
        for name in ("token", "login-ui", "users", "keys"):
            await stack.enter_async_context(telling_server(upstream_ports[name], name, patience=PATIENCE))
        heard = await asyncio.gather(*(exchange(gateway.port, case, wait=LONGEST) for case in cases.values()))
    answers = dict(zip(cases, heard, strict=True))

    for name, one in answers.items():
        assert one.closed, name
        assert b'"service"' not in one.data, name
    assert all(answers[name].statuses in ([], [400], [404], [408]) for name in HEADS)
    assert {name: answers[name].statuses for name in BODIES} == {name: [408] for name in BODIES}
    if gateway.kind == "haproxy":
        assert [name for name, shape in SHAPES.items() if shape not in answers[name].text] == []
