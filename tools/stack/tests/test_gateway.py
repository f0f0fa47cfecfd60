"""The gateway for real: Caddy with the generated configuration, in front of services that echo what they got."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_contracts.http import ACCOUNTS_API, GATEWAY, LOGIN_API, Surface
from portico_harness.gateway_alone import telling_server
from portico_stack.gateway import Site, caddyfile
from portico_stack.servers.caddy import CaddyServer

pytestmark = pytest.mark.servers


async def test_paths_outside_the_map_are_404_with_a_request_id(browser: httpx.AsyncClient) -> None:
    """Nothing but the map is exposed; the login API least of all."""
    for path in (
        "/index.html",
        "/x",
        "/login/v1/requests/x/step",
        ACCOUNTS_API,
        f"{LOGIN_API}/x",
        "/metrics",
        "/readyz",
        "/ui/login/../../metrics",
    ):
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
    """Such a header of a client would be believed inside, so it is dropped; the request id is ours (HH-04)."""
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


@pytest.mark.parametrize("protocol", ["h2c", "websocket"])
async def test_offer_of_another_protocol_does_not_pass(
    browser: httpx.AsyncClient, upstream_ports: dict[str, int], protocol: str
) -> None:
    """A request is answered as if it had not offered to change to HTTP/2 or WebSocket (RFC 9110, 7.8; IN-01)."""
    offer = {
        "Connection": "Upgrade, HTTP2-Settings, X-Hop",
        "Upgrade": protocol,
        "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA",
    }
    async with telling_server(upstream_ports["token"], "token"):
        answer = await browser.post("/oauth/v2/token", content=b"grant_type=x", headers=offer)
    names = [line.split(":")[0].lower() for line in answer.json()["head"].splitlines()[1:]]

    assert answer.status_code == 200
    assert answer.http_version == "HTTP/1.1"
    assert "content-length" in names
    assert not {"upgrade", "http2-settings", "connection"} & set(names)


async def test_a_request_id_reaches_the_service(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """Every request has an id from the edge on."""
    async with telling_server(upstream_ports["keys"], "keys"):
        head = (await browser.get("/oauth/v2/keys")).json()["head"]

    ids = [line.split(": ")[1] for line in head.splitlines() if line.lower().startswith("x-request-id: ")]

    assert len(ids) == 1
    assert len(ids[0]) == 36


async def test_an_unreachable_service_is_503_on_the_right_surface(browser: httpx.AsyncClient) -> None:
    """Every caller gets an answer that fits: page, OAuth JSON or google.rpc.Status, with Retry-After."""
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


async def test_errors_of_the_gateway_have_the_shape_of_their_path(
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
    """Also one of a service that did not understand the request and answers with nothing but that (RX-12)."""
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


def test_there_is_no_admin_interface() -> None:
    """Caddy's admin API is off (IN-06)."""
    text = caddyfile(Site("http://:80", dict.fromkeys(SERVICES, ("localhost:1",))))

    assert "\tadmin off\n" in text
