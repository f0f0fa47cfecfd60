"""The gateway for real: Caddy with the generated configuration, in front of services that tell what they got."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_contracts.http import GATEWAY, LOGIN_API, Route, Surface
from portico_stack.gateway import Site, caddyfile
from portico_stack.ports import free_port
from portico_stack.processes import Process
from portico_stack.servers.caddy import CaddyServer

pytestmark = pytest.mark.servers


@asynccontextmanager
async def telling_server(port: int, name: str) -> AsyncIterator[None]:
    """A service that answers every request with its own name and the head it received."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = [int(line.split(":")[1]) for line in head.splitlines() if line.lower().startswith("content-length")]
        with suppress(asyncio.IncompleteReadError):
            await reader.readexactly(length[0] if length else 0)
            if "transfer-encoding: chunked" in head.lower():
                await reader.readuntil(b"0\r\n\r\n")
        body = json.dumps({"service": name, "head": head}).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", port, limit=4 * 1024 * 1024):
        yield


@asynccontextmanager
async def running(server: CaddyServer, logs: Path) -> AsyncIterator[None]:
    """The gateway, until the block ends."""
    process = Process(server.program(), logs, print)
    await process.start()
    try:
        yield
    finally:
        await process.stop(2)


@pytest.fixture(scope="module")
def upstream_ports() -> dict[str, int]:
    """A port for each service; authz has a second one."""
    return {name: free_port() for name in (*SERVICES, "authz-2")}


@pytest.fixture(scope="module")
async def gateway(
    tmp_path_factory: pytest.TempPathFactory, upstream_ports: dict[str, int]
) -> AsyncIterator[CaddyServer]:
    """Caddy with one replica of each service but two of authz; nothing listens behind it yet."""
    data = tmp_path_factory.mktemp("caddy")
    upstreams: dict[str, tuple[str, ...]] = {service: (f"127.0.0.1:{upstream_ports[service]}",) for service in SERVICES}
    upstreams["authz"] += (f"127.0.0.1:{upstream_ports['authz-2']}",)
    server = CaddyServer(data, free_port(), free_port(), upstreams)
    async with running(server, data / "logs"):
        yield server


@pytest.fixture
async def browser(gateway: CaddyServer) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the gateway."""
    async with httpx.AsyncClient(base_url=gateway.url, timeout=10) as client:
        yield client


async def test_paths_outside_the_map_are_404_with_a_request_id(browser: httpx.AsyncClient) -> None:
    """Nothing but the map is exposed; the login API least of all."""
    for path in ("/", "/login/v1/requests/x/step", f"{LOGIN_API}/x", "/metrics", "/readyz", "/ui/login/../../metrics"):
        answer = await browser.get(path)

        assert answer.status_code == 404, path
        assert answer.json() == {
            "error": "invalid_request",
            "error_description": "There is nothing at this address.",
        }
        assert len(answer.headers["X-Request-Id"]) == 36
        assert answer.headers["Cache-Control"] == "no-store"


async def test_every_route_reaches_its_service(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """The map of the contracts is what the gateway does."""
    for service in SERVICES:
        async with telling_server(upstream_ports[service], service):
            for route in (route for route in GATEWAY if route.service == service):
                answer = await browser.get(route.path.replace("*", "something"))

                assert answer.json()["service"] == service, route.path


async def test_headers_only_proxies_may_set_do_not_pass(
    browser: httpx.AsyncClient, upstream_ports: dict[str, int]
) -> None:
    """What a client says of itself in such a header would be believed inside; the request id is ours (HH-04)."""
    forged = {
        "Forwarded": "for=6.6.6.6",
        "X-Forwarded-For": "6.6.6.6",
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
        "X-Original-Host": "evil.example",
        "X-Real-Ip": "6.6.6.6",
        "x-user-id": "forged",
        "x-org-id": "forged",
        "x-auth-request-user": "forged",
        "x-portico-anything": "forged",
        "traceparent": "00-forged",
        "X-Request-Id": "forged-request-id",
    }
    async with telling_server(upstream_ports["token"], "token"):
        head = (await browser.get("/oidc/v1/userinfo", headers=forged)).json()["head"]

    assert "6.6.6.6" not in head
    assert "evil.example" not in head
    assert "forged" not in head
    assert "X-Forwarded-For: 127.0.0.1\r\n" in head


async def test_a_request_id_reaches_the_service(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """Every request has an id from the edge on."""
    async with telling_server(upstream_ports["keys"], "keys"):
        head = (await browser.get("/oauth/v2/keys")).json()["head"]

    ids = [line.split(": ")[1] for line in head.splitlines() if line.lower().startswith("x-request-id: ")]

    assert len(ids) == 1
    assert len(ids[0]) == 36


async def test_an_unreachable_service_is_503_on_the_right_surface(browser: httpx.AsyncClient) -> None:
    """Nobody is left without an answer that fits: page, OAuth JSON or google.rpc.Status, with Retry-After."""
    answers = await asyncio.gather(*(browser.get(route.path.replace("*", "something")) for route in GATEWAY))

    for route, answer in zip(GATEWAY, answers, strict=True):
        assert answer.status_code == 503, route.path
        assert answer.headers["Retry-After"] == "1"
        assert answer.headers["Cache-Control"] == "no-store"
        if route.surface is Surface.PAGE:
            assert 'id="error-page"' in answer.text
            assert answer.headers["X-Request-Id"] in answer.text
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        elif route.surface is Surface.RPC_STATUS:
            assert answer.json()["code"] == 14
            assert answer.json()["details"][0]["id"] == "PORT-004"
        else:
            assert answer.json()["error"] == "server_error"


async def test_a_dead_replica_is_left_out(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """With one of two replicas away every request is answered by the other."""
    async with telling_server(upstream_ports["authz-2"], "authz-2"):
        answers = [await browser.get("/.well-known/openid-configuration") for _ in range(8)]

    assert [answer.status_code for answer in answers] == [200] * 8
    assert {answer.json()["service"] for answer in answers} == {"authz-2"}


async def test_both_replicas_share_the_work(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """Requests go round, once a replica that was away may be asked again."""
    seen: set[str] = set()
    async with telling_server(upstream_ports["authz"], "1"), telling_server(upstream_ports["authz-2"], "2"):
        async with asyncio.timeout(30):
            while len(seen) < 2:
                seen.add((await browser.get("/oauth/v2/authorize")).json()["service"])

    assert seen == {"1", "2"}


async def test_bodies_above_the_bound_are_refused(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """64 KiB for forms, 2 MiB for JSON; refused at the edge (RX-01)."""
    async with telling_server(upstream_ports["token"], "token"), telling_server(upstream_ports["users"], "users"):
        small = await browser.post("/oauth/v2/token", content=b"x" * 64 * 1024)
        large = await browser.post("/oauth/v2/token", content=b"x" * (64 * 1024 + 1))
        large_json = await browser.post("/v2/users/human", content=b"x" * (2 * 1024 * 1024 + 1))

    assert small.status_code == 200
    assert large.status_code == 413
    assert large.json()["error"] == "invalid_request"
    assert large_json.status_code == 413


HEAD = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
UNREADABLE = {
    "size": CHUNKED + b"zz\r\nabc\r\n0\r\n\r\n",
    "chunk end": CHUNKED + b"3\r\nabcXX0\r\n\r\n",
    "bare line feed": CHUNKED + b"3\nabc\n0\n\n",
    "overflow": CHUNKED + b"fffffffffffffffff1\r\na\r\n0\r\n\r\n",
    "cut": HEAD + b"Content-Length: 100\r\n\r\nabc",
}


async def _ask_raw(port: int, request: bytes, *, ends: bool = False) -> tuple[int, str]:
    """Sends bytes, and answers with status and head of the answer.

    Args:
        ends: says that there are no more bytes. To Go that is a client who has gone: it drops requests under way.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        if ends:
            with suppress(OSError):  # it may have been closed on us already
                writer.write_eof()
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)).decode()
    finally:
        writer.close()
    return int(head.split(" ")[1]), head


def _too_large(route: Route) -> bytes:
    return CHUNKED + b"%x\r\n" % (route.max_body + 1) + b"a" * (route.max_body + 1) + b"\r\n0\r\n\r\n"


@pytest.mark.parametrize("path", ["/oauth/v2/token", "/ui/login", "/v2/*"])
@pytest.mark.parametrize("unreadable", [*UNREADABLE, "too large"])
async def test_unreadable_body_is_the_clients_mistake(
    gateway: CaddyServer, browser: httpx.AsyncClient, upstream_ports: dict[str, int], path: str, unreadable: str
) -> None:
    """It is refused as such, and the replica behind stays in use: nobody else waits or is refused (RX-12, IN-01)."""
    route = next(route for route in GATEWAY if route.path == path)
    request = UNREADABLE.get(unreadable) or _too_large(route)
    path = path.replace("*", "something")
    async with telling_server(upstream_ports[route.service], route.service):
        status, head = await _ask_raw(gateway.port, request % path.encode(), ends=unreadable == "cut")
        async with asyncio.timeout(1.5):  # a replica that was taken out is waited for 2 s
            after = await browser.get(path)

    assert status in (400, 413, 499)
    assert "x-request-id: " in head.lower()
    assert status == 499 or "connection: close" in head.lower()
    assert after.json()["service"] == route.service


@pytest.mark.parametrize(
    "framing", [b"Content-Length: 3\r\n\r\nabc", b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"]
)
async def test_body_nobody_asked_for_is_refused(
    gateway: CaddyServer, upstream_ports: dict[str, int], framing: bytes
) -> None:
    """A GET has no body: what stands there could be taken for the next request (IN-01)."""
    async with telling_server(upstream_ports["keys"], "keys"):
        status, head = await _ask_raw(gateway.port, b"GET /oauth/v2/keys HTTP/1.1\r\nHost: localhost\r\n" + framing)
        empty, _ = await _ask_raw(
            gateway.port, b"GET /oauth/v2/keys HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
        )

    assert status == 400
    assert "connection: close" in head.lower()
    assert empty == 200


@pytest.mark.parametrize("status", [403, 404, 405, 408, 413, 415])
async def test_connection_ends_where_the_body_may_not_have_been_read(
    gateway: CaddyServer, upstream_ports: dict[str, int], status: int
) -> None:
    """The rest of a body that is answered early must not become a request (IN-01)."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 %d Refused\r\nContent-Length: 0\r\n\r\n" % status)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", upstream_ports["token"]):
        answered, head = await _ask_raw(gateway.port, HEAD % b"/oauth/v2/token" + b"Content-Length: 0\r\n\r\n")

    assert answered == status
    assert "connection: close" in head.lower()


async def test_refusals_of_the_gateway_have_the_shape_of_their_path(
    browser: httpx.AsyncClient, upstream_ports: dict[str, int]
) -> None:
    """A page for people with all its headers, OAuth JSON, google.rpc.Status (AZ-08, MG-19)."""
    async with telling_server(upstream_ports["login-ui"], "1"), telling_server(upstream_ports["users"], "2"):
        page = await browser.post("/ui/login", content=b"x" * (64 * 1024 + 1))
        status = await browser.post("/v2/users/human", content=b"x" * (2 * 1024 * 1024 + 1))

    assert (page.status_code, status.status_code) == (413, 413)
    assert 'id="error-page"' in page.text
    assert page.headers["X-Request-Id"] in page.text
    assert page.headers["X-Frame-Options"] == "DENY"
    for directive in ("default-src", "object-src", "base-uri", "frame-ancestors"):
        assert f"{directive} 'none'" in page.headers["Content-Security-Policy"]
    assert status.json()["code"] == 3
    assert status.json()["details"][0]["id"] == "PORT-005"


async def test_every_answer_has_the_shared_headers(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """Also one of a service that did not understand the request and says nothing but that (RX-12)."""
    async with telling_server(upstream_ports["token"], "token"):
        answer = await browser.post("/oauth/v2/token")

    assert len(answer.headers["X-Request-Id"]) == 36
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"


async def test_header_floods_are_refused(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """Header size is bounded at the edge (RX-06)."""
    async with telling_server(upstream_ports["keys"], "keys"):
        answer = await browser.get("/oauth/v2/keys", headers={"Cookie": "a=" + "b" * 100_000})

    assert answer.status_code == 431


async def test_the_login_api_is_reached_from_inside_only(gateway: CaddyServer, upstream_ports: dict[str, int]) -> None:
    """The login pages find authz at an inner address that knows nothing else."""
    async with telling_server(upstream_ports["authz"], "authz"), telling_server(upstream_ports["authz-2"], "authz"):
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{gateway.login_api_port}") as inside:
            answer = await inside.post("/login/v1/requests/x/step", json={})
            with pytest.raises(httpx.RemoteProtocolError):
                await inside.get("/oauth/v2/authorize")

    assert answer.json()["service"] == "authz"


async def test_https_has_a_certificate_of_the_local_authority(tmp_path: Path, upstream_ports: dict[str, int]) -> None:
    """Clients that trust the printed certificate reach the issuer; HSTS spares localhost."""
    upstreams = {service: (f"127.0.0.1:{upstream_ports[service]}",) for service in SERVICES}
    server = CaddyServer(tmp_path, free_port(), free_port(), upstreams, https=True)
    async with running(server, tmp_path / "logs"), telling_server(upstream_ports["keys"], "keys"):
        context = ssl.create_default_context(cafile=server.ca_file)
        async with httpx.AsyncClient(base_url=server.url, verify=context) as client:
            answer = await client.get("/oauth/v2/keys")

    assert answer.status_code == 200
    assert answer.json()["service"] == "keys"
    assert "Strict-Transport-Security" not in answer.headers


def test_there_is_no_admin_interface() -> None:
    """Caddy's admin API is off (IN-06)."""
    text = caddyfile(Site("http://:80", dict.fromkeys(SERVICES, ("localhost:1",))))

    assert "\tadmin off\n" in text
