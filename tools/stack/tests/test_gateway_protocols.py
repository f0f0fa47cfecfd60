"""Each protocol at the gateway alone: HTTP/1.0, HTTP/1.1, HTTP/2 with and without TLS, gRPC with trailers, gRPC-web."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_harness.gateway_alone import ask_raw, running, telling_server
from portico_harness.plain_http import plain_http
from portico_stack.machine.ports import free_port
from portico_stack.servers.gateway import GatewayServer

pytestmark = pytest.mark.servers

KEYS = "/oauth/v2/keys"
ECHO, REFUSE = "/portico.test.v1.EchoService/Echo", "/portico.test.v1.EchoService/Refuse"


def _first_line(answer: httpx.Response) -> str:
    return str(answer.json()["head"]).partition("\r\n")[0]


async def test_http_2_with_prior_knowledge_is_answered(gateway: GatewayServer, upstream_ports: dict[str, int]) -> None:
    """Many requests share one h2c connection, and services receive them over HTTP/1.1."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    async with telling_server(upstream_ports["keys"], "keys"), telling_server(upstream_ports["token"], "token"):
        async with plain_http(gateway.url, http1=False, http2=True) as client:
            read = await asyncio.gather(*(client.get(KEYS) for _ in range(20)))
            posted = await client.post("/oauth/v2/token", content=b"a" * 5_000, headers=form)

    assert {(answer.http_version, _first_line(answer)) for answer in read} == {("HTTP/2", f"GET {KEYS} HTTP/1.1")}
    assert posted.http_version == "HTTP/2"
    assert "content-length: 5000" in posted.json()["head"].lower()


async def test_http_2_is_offered_over_tls(
    tmp_path: Path, program: type[GatewayServer], upstream_ports: dict[str, int]
) -> None:
    """Clients get HTTP/2 by ALPN or HTTP/1.1 without it, with the same response."""
    upstreams = {service: (f"127.0.0.1:{upstream_ports[service]}",) for service in SERVICES}
    server = program(tmp_path / "gateway", free_port(), free_port(), upstreams, https=True)
    async with running(server, tmp_path / "logs"), telling_server(upstream_ports["keys"], "keys"):
        context = ssl.create_default_context(cafile=server.ca_file)
        answers = []
        for http2 in (True, False):
            async with httpx.AsyncClient(base_url=server.url, verify=context, http2=http2) as client:
                answers.append(await client.get(KEYS))

    assert [answer.http_version for answer in answers] == ["HTTP/2", "HTTP/1.1"]
    assert {answer.json()["service"] for answer in answers} == {"keys"}
    assert all("x-forwarded-proto: https" in answer.json()["head"].lower() for answer in answers)


async def test_http_1_0_is_answered_and_closed(gateway: GatewayServer, upstream_ports: dict[str, int]) -> None:
    """HTTP/1.0 probes get a response with a length and without chunks."""
    async with telling_server(upstream_ports["keys"], "keys"):
        status, head = await ask_raw(gateway.port, f"GET {KEYS} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())

    assert status == 200
    assert "content-length: " in head.lower()
    assert "transfer-encoding" not in head.lower()


class _Calls(grpc.GenericRpcHandler):
    """A plain gRPC service: one method echoes its request, the other one fails."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        chosen = {ECHO: self._echo, REFUSE: self._refuse}[handler_call_details.method]
        handler: Any = grpc.unary_unary_rpc_method_handler
        return handler(chosen)

    async def _echo(self, request: bytes, context: Any) -> bytes:
        context.set_trailing_metadata((("x-after", "the body"),))
        return request

    async def _refuse(self, request: bytes, context: Any) -> bytes:
        await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "not so, 100 %: ä")
        return request


@pytest.fixture(scope="module")
def calls_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
async def grpc_gateway(
    tmp_path_factory: pytest.TempPathFactory,
    program: type[GatewayServer],
    upstream_ports: dict[str, int],
    calls_port: int,
) -> AsyncIterator[GatewayServer]:
    """A gateway whose users has a second port, for plain gRPC."""
    data = tmp_path_factory.mktemp("gateway-grpc")
    upstreams = {service: (f"127.0.0.1:{upstream_ports[service]}",) for service in SERVICES}
    calls = {"users": (f"127.0.0.1:{calls_port}",)}
    server = program(data / "gateway", free_port(), free_port(), upstreams, grpc=calls)
    async with running(server, data / "logs"):
        yield server


@asynccontextmanager
async def _calls(port: int) -> AsyncIterator[None]:
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((_Calls(),))
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    try:
        yield
    finally:
        await server.stop(None)


@asynccontextmanager
async def _channel(gateway: GatewayServer) -> AsyncIterator[grpc.aio.Channel]:
    options = [("grpc.enable_http_proxy", 0)]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{gateway.port}", options=options) as channel:
        yield channel


@pytest.mark.parametrize("size", [0, 1, 100_000, 1_500_000])
async def test_grpc_passes_with_its_trailers(grpc_gateway: GatewayServer, calls_port: int, size: int) -> None:
    """A gRPC call passes over HTTP/2 with an unchanged message and trailing metadata."""
    message = b"m" * size
    async with _calls(calls_port), _channel(grpc_gateway) as channel:
        method: Any = channel.unary_unary(ECHO)
        call = method(message, timeout=20)
        answer = await call
        after = await call.trailing_metadata()

    assert answer == message
    assert dict(after)["x-after"] == "the body"


async def test_grpc_errors_pass_unchanged(grpc_gateway: GatewayServer, calls_port: int) -> None:
    """The service's code and text arrive in the trailers."""
    async with _calls(calls_port), _channel(grpc_gateway) as channel:
        call: Any = channel.unary_unary(REFUSE)
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await call(b"x", timeout=20)

    assert failed.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert failed.value.details() == "not so, 100 %: ä"


async def test_grpc_without_a_replica_is_unavailable(grpc_gateway: GatewayServer) -> None:
    """Without a replica gRPC clients get UNAVAILABLE, the code that they retry."""
    async with _channel(grpc_gateway) as channel:
        call: Any = channel.unary_unary(ECHO)
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await call(b"x", timeout=20)

    assert failed.value.code() is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("media", ["application/grpc-web+proto", "application/grpc-web-text", "application/proto"])
async def test_other_calls_use_the_http_port(
    grpc_gateway: GatewayServer, upstream_ports: dict[str, int], calls_port: int, media: str
) -> None:
    """gRPC-web and Connect reach users over HTTP/1.1."""
    headers = {"Content-Type": media}
    async with _calls(calls_port), telling_server(upstream_ports["users"], "users"):
        async with plain_http(grpc_gateway.url) as client:
            answer = await client.post("/portico.user.v2.UserService/GetUserByID", content=b"\0" * 5, headers=headers)

    assert json.loads(answer.content)["service"] == "users"
    assert _first_line(answer) == "POST /portico.user.v2.UserService/GetUserByID HTTP/1.1"
