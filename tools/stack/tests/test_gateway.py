"""Both gateway programs with their generated configuration, in front of services that echo requests."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_contracts.http import ACCOUNTS_API, DEVICE_API, EXTERNAL_API, GATEWAY, LOGIN_API, Surface
from portico_harness.eventually import HANGS
from portico_harness.gateway_alone import ask_with_invitation, telling_server
from portico_harness.plain_http import plain_http
from portico_stack.gateway.caddyfile import Site, caddyfile
from portico_stack.servers.gateway import GatewayServer

pytestmark = pytest.mark.servers


async def test_unmapped_paths_are_404_with_a_request_id(browser: httpx.AsyncClient) -> None:
    """Only the path map is exposed, and the login API is not part of it."""
    for path in (
        "/index.html",
        "/x",
        "/login/v1/requests/x/step",
        ACCOUNTS_API,
        DEVICE_API,
        f"{LOGIN_API}/x",
        f"{EXTERNAL_API}/return",
        "/metrics",
        "/readyz",
        "/ui/login/../../metrics",
    ):
        answer = await browser.get(path)

        assert answer.status_code == 404, path
        assert answer.json() == {
            "error": "invalid_request",
            "error_description": "Not found.",
        }
        assert len(answer.headers["X-Request-Id"]) == 36
        assert answer.headers["Cache-Control"] == "no-store"


async def test_unmapped_paths_are_a_page_in_a_browser(browser: httpx.AsyncClient) -> None:
    """The status is the same, in the language of the browser; probes for metadata get JSON."""
    headers = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "de-CH"}
    for path in ("/x", "/index.html", "/ui/nothing", "/oauth/v2/token/", "/ui/login/%2e%2e/x"):
        answer = await browser.get("/", headers=headers, extensions={"target": path.encode()})

        assert answer.status_code == 404, path
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert '<html lang="de"' in answer.text
        assert answer.headers["X-Request-Id"] in answer.text
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    metadata = await browser.get("/.well-known/oauth-authorization-server", headers=headers)

    assert metadata.json() == {"error": "invalid_request", "error_description": "Not found."}


async def test_every_route_reaches_its_service(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """The gateway routes according to the path map of the contracts."""
    for service in SERVICES:
        async with telling_server(upstream_ports[service], service):
            for route in (route for route in GATEWAY if route.service == service):
                answer = await browser.get(route.path.replace("*", "something"))

                assert answer.json()["service"] == service, route.path


async def test_encoded_slash_does_not_split_a_segment(
    browser: httpx.AsyncClient, upstream_ports: dict[str, int]
) -> None:
    """Ids with slashes and dots are forwarded unchanged, and a segment of dots alone is not found (P4, MG-19)."""
    ids = ("x%2F..", "x%2f.%2Fy", "..%2Fx", "%2E%2E%2Fx", "..%2F..%2F..%2Fx", "..%2F..%2F..%2Foauth%2Fv2%2Ftoken")
    nowhere = (
        "/scim/v2/c/../Users",
        "/scim/v2/c/Users/%2e%2e",
        "/scim/v2/c/Users/.%2E/Groups",
        "/scim/./v2/c/Users",
        "/scim%2Fv2/c/Users",
        "/SCIM/v2/c/Users",
        "/v2/users/..",
        "/v2/users/%2e%2E/x",
        "/v2/users/.%2e?a=/",
        "/v2/./users",
        "/v2/../oauth/v2/token",
        "/V2/users/x",
    )
    async with telling_server(upstream_ports["users"], "users"), telling_server(upstream_ports["token"], "token"):
        told = [await browser.get("/", extensions={"target": f"/v2/users/{id}?at=/../".encode()}) for id in ids]
        refused = [await browser.get("/", extensions={"target": path.encode()}) for path in nowhere]

    sent = [(one.json()["service"], one.json()["head"].split(" ")[1]) for one in told]
    assert sent == [("users", f"/v2/users/{id}?at=/../") for id in ids]
    assert [(path, one.status_code) for path, one in zip(nowhere, refused, strict=True) if one.status_code != 404] == []
    assert {one.json()["error_description"] for one in refused} == {"Not found."}


@pytest.mark.parametrize(
    "path",
    [
        "c/Users",
        "c/users",
        "c/%55sers",
        "c/%2555sers",
        "%63/Users",
        "c/Users%2Fx",
        "c/Users%2fx",
        "c/Users%252Fx",
        "c/Users%5Cx",
        "c%2FUsers",
        "c//Users",
        "c/Users/",
        "c/Users//x",
        "c/Users;a=b/x",
        "c/Users/%78",
        "c/Users/x%2F..%2FGroups",
        "c/Users/..%2FGroups",
        "c/Users/%2e%2e%2fGroups",
        "c/Users/%252e%252e",
        "c/Users/x%3Fy",
        "c/Users/%C3%A9",
    ],
)
async def test_paths_of_scim_are_forwarded_unchanged(
    browser: httpx.AsyncClient, upstream_ports: dict[str, int], path: str
) -> None:
    """The service alone decodes a path, once: it refuses an encoded name of a resource (decision 0150)."""
    async with telling_server(upstream_ports["users"], "users"):
        told = await browser.get("/", extensions={"target": f"/scim/v2/{path}?a=1".encode()})

    assert told.json()["service"] == "users"
    assert told.json()["head"].split(" ")[1] == f"/scim/v2/{path}?a=1"


async def test_proxy_headers_of_clients_are_dropped(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """Proxy headers of a client would be trusted inside, so they are dropped or replaced (HH-04)."""
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
    sent = [line.lower() for line in head.splitlines() if line.lower().startswith("x-forwarded-")]
    host = f"{browser.base_url.host}:{browser.base_url.port}"
    assert sorted(sent) == [
        "x-forwarded-for: 127.0.0.1",
        f"x-forwarded-host: {host}",
        "x-forwarded-proto: http",
    ]


@pytest.mark.parametrize("name", ["x-auth-token", "x-user-token", "x-org-token", "authorization"])
async def test_provider_jwt_header_passes_on_its_path_only(
    browser: httpx.AsyncClient, upstream_ports: dict[str, int], name: str
) -> None:
    """The configured header of a JWT provider passes on its path only, without other proxy headers (HH-04, IP-08)."""
    sent = {name: "a.b.c", "x-portico-anything": "forged", "x-real-ip": "forged"}
    async with telling_server(upstream_ports["login-ui"], "login-ui"):
        read = (await browser.get("/ui/login/login/jwt/authorize", headers=sent)).json()["head"].lower()
        near = (await browser.get("/ui/login/login/jwt/authorize/", headers=sent)).json()["head"].lower()

    assert f"{name}: a.b.c" in read
    assert "forged" not in read
    assert ("a.b.c" in near) is (name == "authorization")


@pytest.mark.parametrize("protocol", ["h2c", "websocket"])
async def test_upgrade_offer_is_not_forwarded(
    browser: httpx.AsyncClient, upstream_ports: dict[str, int], protocol: str
) -> None:
    """An offered upgrade to HTTP/2 or WebSocket is ignored (RFC 9110, 7.8; IN-01)."""
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


async def test_request_id_reaches_the_service(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """The gateway forwards a request id with every request."""
    async with telling_server(upstream_ports["keys"], "keys"):
        head = (await browser.get("/oauth/v2/keys")).json()["head"]

    ids = [line.split(": ")[1] for line in head.splitlines() if line.lower().startswith("x-request-id: ")]

    assert len(ids) == 1
    assert len(ids[0]) == 36


async def test_unreachable_service_is_503_in_the_surface_format(browser: httpx.AsyncClient) -> None:
    """The error is a page, OAuth JSON or google.rpc.Status, with Retry-After."""
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


async def test_dead_replica_is_skipped(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """With one of two replicas down every request is answered by the other."""
    async with telling_server(upstream_ports["authz-2"], "authz-2"):
        answers = [await browser.get("/.well-known/openid-configuration") for _ in range(8)]

    assert [answer.status_code for answer in answers] == [200] * 8
    assert {answer.json()["service"] for answer in answers} == {"authz-2"}


async def test_both_replicas_share_the_load(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """Requests alternate once a recovered replica is used again."""
    seen: set[str] = set()
    async with telling_server(upstream_ports["authz"], "1"), telling_server(upstream_ports["authz-2"], "2"):
        async with asyncio.timeout(HANGS):
            while len(seen) < 2:
                seen.add((await browser.get("/oauth/v2/authorize")).json()["service"])

    assert seen == {"1", "2"}


@pytest.mark.parametrize(
    ("path", "announced", "sent", "shape"),
    [
        (
            "/oauth/v2/token",
            131_073,
            131_073,
            '{"error":"invalid_request","error_description":"Request Entity Too Large."}',
        ),
        ("/ui/login", 131_073, 131_073, 'id="error-page"'),
        ("/v2/users/human", 4_194_305, 2_097_153, '"id":"PORT-005"'),
    ],
)
async def test_gateway_errors_have_the_format_of_their_path(
    gateway: GatewayServer, upstream_ports: dict[str, int], path: str, announced: int, sent: int, shape: str
) -> None:
    """Errors are a page with all its headers, OAuth JSON or google.rpc.Status (AZ-08, MG-19, RX-01)."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {announced}\r\n".encode()
    service = {"/oauth/v2/token": "token", "/ui/login": "login-ui", "/v2/users/human": "users"}[path]
    async with telling_server(upstream_ports[service], service):
        answer = await ask_with_invitation(gateway.port, head, b"x" * sent)
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in answer.splitlines())}

    assert answer.startswith("HTTP/1.1 413 ")
    assert shape in answer
    assert headers["connection"] == "close"
    if "error-page" in shape:
        assert headers["x-request-id"] in answer.partition("\r\n\r\n")[2]
        assert headers["x-frame-options"] == "DENY"
        for directive in ("default-src", "object-src", "base-uri", "frame-ancestors"):
            assert f"{directive} 'none'" in headers["content-security-policy"]


async def test_every_response_has_the_shared_headers(
    browser: httpx.AsyncClient, upstream_ports: dict[str, int]
) -> None:
    """Even a bare error of a service that could not parse the request has the shared headers (RX-12)."""
    async with telling_server(upstream_ports["token"], "token"):
        answer = await browser.post("/oauth/v2/token")

    assert len(answer.headers["X-Request-Id"]) == 36
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"


async def test_preflights_reach_the_service(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """The service decides about CORS, with the browser's origin and headers (IR-17)."""
    asked = {
        "Origin": "https://spa.example.test",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization,sentry-trace,traceparent",
    }
    paths = {"/oidc/v1/userinfo": "token", "/oauth/v2/keys": "keys", "/.well-known/openid-configuration": "authz"}
    for path, service in paths.items():
        async with telling_server(upstream_ports[service], service):
            answer = (await browser.options(path, headers=asked)).json()
        head = answer["head"].lower()
        assert answer["service"] == service
        assert [name for name, value in asked.items() if f"{name}: {value}".lower() not in head] == [], path


async def test_header_floods_are_refused(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """Header size is limited at the gateway, with an error in the path's format up to 60 KiB (RX-06)."""
    heads = {"Cookie": "a={}", "Authorization": "Bearer {}"}
    shapes = {"/oauth/v2/keys": "invalid_request", "/v2/users/1": "ErrorDetail", "/oauth/v2/authorize": "<html"}
    async with telling_server(upstream_ports["keys"], "keys"):
        passed = await browser.get("/oauth/v2/keys", headers={"Authorization": "Bearer " + "b" * 16_384})
        longest = await browser.get("/oauth/v2/keys", headers={"Cookie": "a=" + "b" * 100_000})
    long = {
        (path, name, size): await browser.get(path, headers={name: form.format("b" * size)})
        for path in shapes for name, form in heads.items() for size in (38_000, 43_000, 58_000)
    }  # fmt: skip

    assert passed.status_code == 200
    assert longest.status_code in (400, 431)
    assert {case: answer.status_code for case, answer in long.items()} == dict.fromkeys(long, 431)
    assert [case for case, answer in long.items() if shapes[case[0]] not in answer.text] == []


async def test_login_api_is_internal(gateway: GatewayServer, upstream_ports: dict[str, int]) -> None:
    """The login pages reach authz's login API at an internal address that serves nothing else."""
    async with telling_server(upstream_ports["authz"], "authz"), telling_server(upstream_ports["authz-2"], "authz"):
        async with plain_http(f"http://127.0.0.1:{gateway.login_api_port}") as inside:
            answers = [
                await inside.post(path, json={}) for path in (f"{LOGIN_API}/x/step", f"{EXTERNAL_API}/jwt-header")
            ]
            with pytest.raises(httpx.RemoteProtocolError):
                await inside.get("/oauth/v2/authorize")

    assert [answer.json()["service"] for answer in answers] == ["authz", "authz"]


def test_admin_interface_is_off() -> None:
    """Caddy's admin API is off (IN-06)."""
    text = caddyfile(Site("http://:80", dict.fromkeys(SERVICES, ("localhost:1",))))

    assert "\tadmin off\n" in text
