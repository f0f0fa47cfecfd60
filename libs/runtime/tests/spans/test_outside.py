from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from portico_contracts.context import TRACE_PARENT_HEADER
from portico_harness.collector import PARENT, recording
from portico_runtime.http_client.outbound import Outbound
from portico_runtime.http_client.outbound_connection import NoResponse
from portico_runtime.http_client.service_client import ServiceClient
from portico_runtime.settings.sections.outbound import OutboundSection


@dataclass
class Peer:
    """A server on loopback that always gives the same answer and records the requests."""

    port: int = 0
    heads: list[str] = field(default_factory=list)


@asynccontextmanager
async def peer(answer: bytes) -> AsyncIterator[Peer]:
    one = Peer()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        one.heads.append((await reader.readuntil(b"\r\n\r\n")).decode().lower())
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    one.port = server.sockets[0].getsockname()[1]
    async with server:
        yield one


NO_CONTENT = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"


async def test_service_call_carries_the_trace() -> None:
    """The span of the called service is a child of ours, whatever trace headers the caller set."""
    async with peer(NO_CONTENT) as service:
        client = ServiceClient(f"http://127.0.0.1:{service.port}")
        with recording() as recorded:
            await client.request("GET", "/a-path?canary=1", {TRACE_PARENT_HEADER: PARENT})
        await client.close()
    span = recorded.only()

    assert span.context is not None
    [sent] = [line for line in service.heads[0].splitlines() if line.startswith("traceparent: ")]
    assert sent == f"traceparent: {PARENT[:36]}{span.context.span_id:016x}-01"
    assert (span.name, dict(span.attributes or {})) == (
        "GET",
        {"http.request.method": "GET", "http.response.status_code": 204},
    )


async def test_without_spans_service_call_keeps_the_callers_trace() -> None:
    async with peer(NO_CONTENT) as service:
        client = ServiceClient(f"http://127.0.0.1:{service.port}")
        await client.request("GET", "/", {TRACE_PARENT_HEADER: PARENT})
        await client.close()

    assert f"traceparent: {PARENT}" in service.heads[0]


async def test_outbound_request_shows_its_host_only() -> None:
    """Webhook addresses contain secrets, so spans show only the host, and no trace headers are sent (IN-09)."""
    async with peer(NO_CONTENT) as receiver:
        outbound = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{receiver.port}"))
        with recording() as recorded:
            await outbound.post(f"http://127.0.0.1:{receiver.port}/canary?canary=1", b"canary", {"X-Key": "canary"})
        await outbound.close()
    span = recorded.only()

    assert "traceparent" not in receiver.heads[0]
    assert span.name == "POST 127.0.0.1"
    assert attributes(span.attributes) == {
        "http.request.method": "POST",
        "server.address": "127.0.0.1",
        "http.response.status_code": 204,
    }
    assert "canary" not in span.to_json()


async def test_failed_outbound_request_has_its_error_class() -> None:
    async with peer(b"") as receiver:
        outbound = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{receiver.port}"))
        with recording() as recorded, pytest.raises(NoResponse):
            await outbound.get(f"http://127.0.0.1:{receiver.port}/")
        await outbound.close()

    assert attributes(recorded.only().attributes)["error.type"] == "Unanswered"


def attributes(given: Mapping[str, object] | None) -> dict[str, object]:
    return dict(given or {})
