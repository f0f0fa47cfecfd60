"""Responses that HAProxy repeats."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_contracts.http import DISCOVERY, KEYS
from portico_harness.eventually import eventually
from portico_harness.gateway_alone import running
from portico_harness.plain_http import plain_http
from portico_stack.machine.ports import free_port
from portico_stack.servers.haproxy import HaproxyServer

pytestmark = pytest.mark.servers

METADATA = 'Cache-Control: public, max-age=300, must-revalidate\r\nETag: "tag"\r\nContent-Type: application/json\r\nVary: Origin'


@asynccontextmanager
async def counting_server(port: int, headers: str = METADATA, status: str = "200 OK") -> AsyncIterator[None]:
    """Responds with the number of the request, its request id and its origin."""
    asked = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            asked += 1
            id = re.findall(r"(?i)x-request-id: (\S+)", head)[0]
            body = f'{{"asked":{asked}}}'
            origin = (re.findall(r"(?i)\norigin: (\S+)", head) or ["*"])[0]
            told = f"{headers}\r\nAccess-Control-Allow-Origin: {origin}\r\nX-Request-Id: {id}\r\nContent-Length: {len(body)}\r\nConnection: close"
            writer.write(f"HTTP/1.1 {status}\r\n{told}\r\n\r\n{'' if head.startswith('HEAD') else body}".encode())
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", port):
        yield


@pytest.fixture(params=[600], ids=["ten minutes"])
async def client(
    tmp_path: Path, upstream_ports: dict[str, int], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of HAProxy, which repeats responses for so many seconds."""
    monkeypatch.setattr("portico_stack.gateway.haproxy_cache.CACHED_SECONDS", request.param)
    upstreams: dict[str, tuple[str, ...]] = {one: (f"127.0.0.1:{upstream_ports[one]}",) for one in SERVICES}
    server = HaproxyServer(tmp_path / "gateway", free_port(), free_port(), upstreams)
    async with running(server, tmp_path / "logs"), plain_http(server.url) as browser:
        yield browser


async def _asked(client: httpx.AsyncClient, path: str = DISCOVERY, **headers: str) -> int:
    answer = await client.get(path, headers=headers)
    return int(answer.json()["asked"])


async def test_metadata_is_repeated_with_its_own_request_id(
    client: httpx.AsyncClient, upstream_ports: dict[str, int]
) -> None:
    """Every response has the headers of authz, which is asked once, and another request id."""
    async with counting_server(upstream_ports["authz"]):
        answers = [await client.get(DISCOVERY) for _ in range(3)]
        head = await client.head(DISCOVERY)

    assert [answer.json() for answer in answers] == [{"asked": 1}] * 3
    assert len({answer.headers["X-Request-Id"] for answer in answers}) == 3
    for answer in (*answers, head):
        assert answer.headers["Cache-Control"] == "public, max-age=300, must-revalidate"
        assert answer.headers["Content-Type"] == "application/json"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers.get_list("Vary") == ["Origin"]
    assert head.headers["ETag"] == '"tag"'


async def test_client_that_has_the_metadata_gets_304(client: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """A repeated response honours If-None-Match, as that of authz does."""
    async with counting_server(upstream_ports["authz"]):
        await client.get(DISCOVERY)
        answers = [await client.get(DISCOVERY, headers={"If-None-Match": tag}) for tag in ('"tag"', '"other"')]

    assert [answer.status_code for answer in answers] == [304, 200]


async def test_request_of_a_page_is_neither_repeated_nor_stored(
    client: httpx.AsyncClient, upstream_ports: dict[str, int]
) -> None:
    """The response depends on the origin, which the cache of HAProxy 2.6 does not compare (IR-17, decision 0118)."""
    async with counting_server(upstream_ports["authz"]):
        asked = [await _asked(client, Origin=f"https://{name}.example.test") for name in ("a", "a", "b")]
        asked += [await _asked(client) for _ in range(2)]
        asked += [await _asked(client, Origin="https://a.example.test")]

    assert asked == [1, 2, 3, 4, 4, 5]


async def test_each_origin_gets_its_own_permission(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """Neither gateway gives a page the response to another page (IR-17)."""
    origins = ("https://a.example.test", None, "https://b.example.test", None, "https://a.example.test")
    async with counting_server(upstream_ports["authz"]):
        answers = [await browser.get(DISCOVERY, headers={"Origin": one} if one else {}) for one in origins]

    assert [answer.headers["Access-Control-Allow-Origin"] for answer in answers] == [one or "*" for one in origins]
    assert {answer.headers["Vary"] for answer in answers} == {"Origin"}


async def test_client_can_demand_the_current_metadata(
    client: httpx.AsyncClient, upstream_ports: dict[str, int]
) -> None:
    """A request with Cache-Control: no-cache reaches authz."""
    async with counting_server(upstream_ports["authz"]):
        assert await _asked(client) == 1
        assert await _asked(client, **{"Cache-Control": "no-cache"}) == 2


@pytest.mark.parametrize("path", [f"{DISCOVERY}?x=1", KEYS])
async def test_other_addresses_are_not_repeated(
    client: httpx.AsyncClient, upstream_ports: dict[str, int], path: str
) -> None:
    """A revoked key leaves the key set at once, and queries cannot fill the cache."""
    async with counting_server(upstream_ports["authz"]), counting_server(upstream_ports["keys"]):
        assert [await _asked(client, path) for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("headers", "status"),
    [(METADATA, "503 Service Unavailable"), ("Cache-Control: no-store", "200 OK"), ("Date: now", "200 OK")],
)
async def test_errors_and_uncacheable_responses_are_not_repeated(
    client: httpx.AsyncClient, upstream_ports: dict[str, int], headers: str, status: str
) -> None:
    """Only what authz declares cacheable is repeated."""
    async with counting_server(upstream_ports["authz"], headers, status):
        assert [await _asked(client) for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("client", [1], indirect=True, ids=["one second"])
async def test_changed_metadata_arrives(client: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """A response is repeated for a second only."""
    async with counting_server(upstream_ports["authz"]):
        assert await _asked(client) == 1

        await eventually(lambda: _asked(client), lambda asked: asked == 2)
