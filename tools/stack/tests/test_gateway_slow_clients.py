"""Clients that stop in the middle of a request: their connection is closed, by each program and its timeouts.

Both gateways buffer a body themselves, and respond in the path's format.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import h2.connection
import h2.events
import pytest
from portico_harness.gateway_alone import telling_server
from portico_harness.raw_http import exchange
from portico_stack.servers.gateway import GatewayServer

pytestmark = [pytest.mark.servers, pytest.mark.long]

LONGEST = 60.0
"""Seconds after which a gateway has failed; both end a request after 10 to 20."""

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
STREAMS = {"form": "/oauth/v2/token", "page": "/ui/login", "call": "/v2/users/human"}
"""The paths of incomplete bodies in HTTP/2 streams."""


async def test_stalled_connection_is_closed(gateway: GatewayServer, upstream_ports: dict[str, int]) -> None:
    """Whatever part of a request is missing, the request ends in limited time, and no service executes it (RX-03)."""
    cases = HEADS | BODIES
    async with AsyncExitStack() as stack:
        for name in ("token", "login-ui", "users", "keys"):
            await stack.enter_async_context(telling_server(upstream_ports[name], name))
        exchanges = asyncio.gather(*(exchange(gateway.port, case, wait=LONGEST) for case in cases.values()))
        heard, streams = await asyncio.gather(exchanges, _answers_of_streams(gateway.port))
    answers = dict(zip(cases, heard, strict=True))

    for name, one in answers.items():
        assert one.closed, name
        assert b'"service"' not in one.data, name
    assert all(answers[name].statuses in ([], [400], [404], [408]) for name in HEADS)
    assert {name: answers[name].statuses for name in BODIES} == {name: [408] for name in BODIES}
    assert [name for name, shape in SHAPES.items() if shape not in answers[name].text] == []
    assert {name: status for name, (status, _) in streams.items()} == dict.fromkeys(STREAMS, "408")
    assert [name for name, (_, body) in streams.items() if SHAPES[name] not in body] == []


async def _answers_of_streams(port: int) -> dict[str, tuple[str, str]]:
    """Returns status and body of each stream's response on one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    connection = h2.connection.H2Connection()
    connection.initiate_connection()
    names = dict(zip(range(1, 2 * len(STREAMS), 2), STREAMS, strict=True))
    for stream, name in names.items():
        head = {
            ":method": "POST",
            ":path": STREAMS[name],
            ":scheme": "http",
            ":authority": "localhost",
            "content-length": "100",
        }
        connection.send_headers(stream, [*head.items()])
        connection.send_data(stream, b"name")
    statuses, bodies, open_streams = {}, dict.fromkeys(names, b""), set(names)
    while open_streams:
        writer.write(connection.data_to_send())
        data = await asyncio.wait_for(reader.read(65_536), LONGEST)
        assert data, "the connection was closed under streams that are open"
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.ResponseReceived):
                statuses[event.stream_id] = dict(event.headers)[b":status"].decode()
            elif isinstance(event, h2.events.DataReceived):
                bodies[event.stream_id] += event.data
            elif isinstance(event, h2.events.StreamEnded | h2.events.StreamReset):
                open_streams.discard(event.stream_id)
    writer.close()
    return {name: (statuses[stream], bodies[stream].decode()) for stream, name in names.items()}
