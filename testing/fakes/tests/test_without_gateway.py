"""Each service by itself, asked on its socket without a gateway: it enforces the limits of a request itself.

What only a gateway does (the path map, TLS, which host) is in docs/guides/gateway.md.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from portico_fakes.clock import FrozenClock
from portico_fakes.on_sockets import Ports, services_on_sockets
from portico_harness.raw_http import exchange, in_chunks, request_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

KIB = 1024
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
JSON = b"Content-Type: application/json\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
HOST = b"Host: localhost\r\n"
LAST_CHUNK = b"0\r\n\r\n"

READS = {
    "authz": "/.well-known/openid-configuration",
    "token": "/oidc/v1/userinfo",
    "keys": "/oauth/v2/keys",
    "users": "/v2/users/1",
    "login-ui": "/",
    "console": "/ui/console/signed-out",
}
"""By service: what answers GET, with a document or with the demand of a token."""

PAGE, OAUTH, STATUS = "<!doctype html>", '{"error":', '{"code":'
"""How an error begins on each surface."""

TAKES_BODIES = [
    ("authz", "/oauth/v2/authorize", FORM, 64 * KIB, PAGE),
    ("authz", "/oidc/v1/end_session", FORM, 64 * KIB, PAGE),
    ("token", "/oauth/v2/token", FORM, 64 * KIB, OAUTH),
    ("token", "/oauth/v2/introspect", FORM, 64 * KIB, OAUTH),
    ("token", "/oauth/v2/revoke", FORM, 64 * KIB, OAUTH),
    ("token", "/oidc/v1/userinfo", FORM, 64 * KIB, OAUTH),
    ("login-ui", "/ui/login?request=x", FORM, 64 * KIB, PAGE),
    ("login-ui", "/ui/login/logout?request=x", FORM, 64 * KIB, PAGE),
    ("login-ui", "/ui/login/password/forgot", FORM, 64 * KIB, PAGE),
    ("users", "/v2/users/human", JSON, 2_048 * KIB, STATUS),
    ("users", "/management/v1/orgs", JSON, 2_048 * KIB, STATUS),
    ("users", "/portico.user.v2.UserService/NoSuchMethod", JSON, 2_048 * KIB, '{"code":"invalid_argument"'),
]
"""Service, path, media type, largest body, and the surface of its errors."""

READS_MEDIA = [
    ("authz", "/oauth/v2/authorize", PAGE),
    ("authz", "/oidc/v1/end_session", PAGE),
    ("token", "/oauth/v2/token", OAUTH),
    ("token", "/oauth/v2/introspect", OAUTH),
    ("token", "/oauth/v2/revoke", OAUTH),
    ("login-ui", "/ui/login?request=x", PAGE),
    ("login-ui", "/ui/login/logout?request=x", PAGE),
    ("login-ui", "/ui/login/password/forgot", PAGE),
    ("users", "/v2/users/human", STATUS),
    ("users", "/management/v1/orgs", STATUS),
    ("users", "/portico.user.v2.UserService/AddHumanUser", STATUS),
]
"""Service, path, and the surface of its errors; userinfo reads the token of a form and no other body."""

METHODS = [
    ("authz", "/.well-known/openid-configuration", "GET, HEAD, OPTIONS", OAUTH),
    ("authz", "/oauth/v2/authorize", "GET, HEAD, POST", PAGE),
    ("authz", "/oauth/v2/authorize/resume", "GET, HEAD", PAGE),
    ("authz", "/oidc/v1/end_session", "GET, HEAD, POST", PAGE),
    ("token", "/oauth/v2/token", "POST", OAUTH),
    ("token", "/oauth/v2/introspect", "POST", OAUTH),
    ("token", "/oauth/v2/revoke", "POST", OAUTH),
    ("token", "/oidc/v1/userinfo", "GET, HEAD, POST", OAUTH),
    ("keys", "/oauth/v2/keys", "GET, HEAD, OPTIONS", OAUTH),
    ("login-ui", "/", "GET, HEAD", PAGE),
    ("login-ui", "/ui/login", "GET, HEAD, POST", PAGE),
    ("login-ui", "/ui/login/static/portico.css", "GET, HEAD", PAGE),
    ("console", "/ui/console", "GET, HEAD", PAGE),
    ("console", "/ui/account", "GET, HEAD", PAGE),
    ("console", "/ui/console/sign-out", "POST", PAGE),
    ("users", "/management/v1/orgs", "POST", STATUS),
    ("users", "/v2/openapi.json", "GET", STATUS),
    ("users", "/admin/v1/healthz", "GET", STATUS),
    ("users", "/portico.user.v2.UserService/AddHumanUser", "POST", '{"code":"unimplemented"'),
]
"""Service, path, the methods it has, and the surface of its errors."""

AMBIGUOUS = {
    "length and coding": HOST + CHUNKED + b"Content-Length: 5\r\n\r\n" + LAST_CHUNK,
    "coding and length": HOST + b"Content-Length: 5\r\n" + CHUNKED + b"\r\n" + LAST_CHUNK,
    "two lengths": HOST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    "equal lengths": HOST + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde",
    "another coding before chunked": HOST + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + LAST_CHUNK,
    "chunked twice": HOST + CHUNKED + CHUNKED + b"\r\n" + LAST_CHUNK,
    "no host": b"Content-Length: 0\r\n\r\n",
    "two hosts": HOST + b"Host: evil.test\r\nContent-Length: 0\r\n\r\n",
}
"""Heads of a POST that a proxy in front could have understood in another way."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ports() -> AsyncIterator[Ports]:
    """All services, with this machine as no proxy of theirs: every request is a client's."""
    async with services_on_sockets(FrozenClock(), trusted_proxies="192.0.2.0/24") as found:
        yield found


@pytest.mark.parametrize(("service", "path", "media", "limit", "error"), TAKES_BODIES)
async def test_a_body_over_the_limit_is_refused_by_its_length(
    ports: Ports, service: str, path: str, media: bytes, limit: int, error: str
) -> None:
    """The announced length is enough: 413 on the surface of the path before the body was sent (RX-01)."""
    head = request_of("POST", path, media + b"Content-Length: %d\r\n" % (limit + 1))
    heard = await exchange(ports[service], head, wait=5.0) if "portico." not in path else None
    whole = await exchange(ports[service], request_of("POST", path, media, b"a" * (limit + 1)))

    assert heard is None or heard.statuses == [413]
    assert whole.statuses == [413]
    assert whole.text.startswith(error)


@pytest.mark.parametrize(
    ("service", "path", "error"),
    [
        ("authz", "/.well-known/openid-configuration", OAUTH),
        ("authz", "/oauth/v2/authorize/resume", PAGE),
        ("keys", "/oauth/v2/keys", OAUTH),
        ("login-ui", "/", PAGE),
        ("login-ui", "/ui/login/passkey/options?request=x", PAGE),
        ("console", "/ui/console", PAGE),
        ("console", "/ui/account/callback", PAGE),
        ("users", "/v2/openapi.json", '{"code":'),
    ],
)
async def test_a_large_body_is_refused_where_none_is_read(ports: Ports, service: str, path: str, error: str) -> None:
    """The limit of a path holds for endpoints that read no body at all (RX-01)."""
    heard = await exchange(ports[service], request_of("POST", path, FORM, b"a" * (2_048 * KIB + 1)))

    assert heard.statuses == [413]
    assert heard.text.startswith(error)


@pytest.mark.parametrize(("service", "path", "media", "limit", "error"), TAKES_BODIES)
async def test_a_body_without_a_length_is_counted_while_it_is_read(
    ports: Ports, service: str, path: str, media: bytes, limit: int, error: str
) -> None:
    """In chunks, large and small, it is refused as soon as it is over the limit (RX-01)."""
    head = request_of("POST", path, media + CHUNKED)
    for size in (limit, 512):
        heard = await exchange(ports[service], head + in_chunks(b"a" * (limit + 1), size))
        assert heard.statuses == [413]
        assert heard.text.startswith(error)


@pytest.mark.parametrize(("service", "path", "media", "limit", "error"), TAKES_BODIES)
async def test_a_body_of_the_largest_size_is_read(
    ports: Ports, service: str, path: str, media: bytes, limit: int, error: str
) -> None:
    """Up to its last byte a body is not too large, in chunks and in one piece."""
    one = await exchange(ports[service], request_of("POST", path, media, b"a" * limit))
    chunks = await exchange(ports[service], request_of("POST", path, media + CHUNKED) + in_chunks(b"a" * limit))

    assert one.statuses == chunks.statuses
    assert one.statuses[0] not in (413, 500, 503)


@pytest.mark.parametrize(("service", "path", "error"), READS_MEDIA)
@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Type: multipart/form-data; boundary=x\r\n",
        b"Content-Type: text/plain\r\n",
        b"",
        b"Content-Type: application/x-www-form-urlencoded\r\nContent-Encoding: gzip\r\n",
        b"Content-Type: application/json\r\nContent-Encoding: br\r\n",
    ],
    ids=["multipart", "text", "none", "gzip", "br"],
)
async def test_other_media_are_refused(ports: Ports, service: str, path: str, error: str, headers: bytes) -> None:
    """Multipart, text, nothing and what is compressed: 415, and nothing is expanded (RX-02, RX-10)."""
    heard = await exchange(ports[service], request_of("POST", path, headers, b"a=b"))

    assert heard.statuses == [415]
    assert heard.text.startswith(error)


@pytest.mark.parametrize(("service", "path", "allowed", "error"), METHODS)
async def test_other_methods_are_refused(ports: Ports, service: str, path: str, allowed: str, error: str) -> None:
    """405 with the methods there are, whatever a header pretends (TK-21, RX-12)."""
    given = set(allowed.split(", "))
    disguise = b"X-HTTP-Method-Override: POST\r\nX-Method-Override: GET\r\n"
    for method in {"PUT", "PATCH", "DELETE", "TRACE"} - given:
        heard = await exchange(ports[service], request_of(method, path, disguise, b""))
        assert heard.statuses == [405], method
        assert set(heard.header("allow").split(", ")) == given
        assert heard.text.startswith(error)


@pytest.mark.parametrize(("service", "path"), READS.items())
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_a_body_nobody_requested_is_refused(ports: Ports, service: str, path: str, method: str) -> None:
    """GET and HEAD have no body: 400, and what follows on the connection is no request (IN-01)."""
    canary = b"GET /nothing HTTP/1.1\r\n" + HOST + b"\r\n"
    line = f"{method} {path} HTTP/1.1\r\n".encode() + HOST
    for rest in (
        b"Content-Length: 5\r\n\r\nabcde",
        CHUNKED + b"\r\n5\r\nabcde\r\n" + LAST_CHUNK,
        CHUNKED + b"\r\n" + LAST_CHUNK,
    ):
        heard = await exchange(ports[service], line + rest + canary)
        assert heard.statuses == [400]
        assert heard.closed


@pytest.mark.parametrize(("service", "path"), READS.items())
async def test_a_length_of_nothing_is_no_body(ports: Ports, service: str, path: str) -> None:
    """Some clients send Content-Length: 0 with GET, and are served."""
    heard = await exchange(ports[service], request_of("GET", path, body=b""))

    assert heard.statuses in ([200], [401])


@pytest.mark.parametrize(("service", "path", "media", "limit", "error"), TAKES_BODIES)
@pytest.mark.parametrize("head", AMBIGUOUS.values(), ids=AMBIGUOUS.keys())
async def test_ambiguous_framing_is_refused(
    ports: Ports, service: str, path: str, media: bytes, limit: int, error: str, head: bytes
) -> None:
    """400 and the end of the connection: no canary behind it is answered (IN-01)."""
    line = f"POST {path} HTTP/1.1\r\n".encode() + media
    heard = await exchange(ports[service], line + head + b"GET /nothing HTTP/1.1\r\n" + HOST + b"\r\n")

    assert heard.statuses == [400]
    assert heard.closed
    assert b"nothing at this address" not in heard.data


async def test_chunks_of_an_older_protocol_are_refused(ports: Ports) -> None:
    """HTTP/1.0 has no chunked bodies; a proxy of that age would have read them otherwise (IN-01)."""
    for service, path, media, _limit, _error in TAKES_BODIES:
        line = f"POST {path} HTTP/1.0\r\n".encode() + HOST + media
        heard = await exchange(ports[service], line + CHUNKED + b"\r\n" + LAST_CHUNK)
        assert heard.statuses == [400], path
        assert heard.closed


@pytest.mark.parametrize(("service", "path"), READS.items())
async def test_a_head_is_bounded(ports: Ports, service: str, path: str) -> None:
    """One long header, many short ones, a long address: 431 at 64 KiB (RX-06)."""
    many = b"".join(b"X-%d: a\r\n" % number for number in range(10_000))
    for case in (
        request_of("GET", path, b"X: " + b"a" * 70_000 + b"\r\n"),
        request_of("GET", path, many),
        request_of("GET", f"{path}?{'a' * 70_000}"),
    ):
        heard = await exchange(ports[service], case)
        assert heard.statuses == [431]


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/debug", "/openapi.json", "/docs", "*"])
async def test_a_public_port_has_no_internal_paths(ports: Ports, path: str) -> None:
    """Health and metrics are on the port that is not public, and nowhere else (IN-06)."""
    for service, port in ports.items():
        heard = await exchange(port, request_of("OPTIONS" if path == "*" else "GET", path))
        assert heard.statuses == [404], service


async def test_the_login_api_demands_its_key(ports: Ports) -> None:
    """It shares the port of authz: where a path map is missing, its secret is what guards it (HH-04)."""
    path = "/login/v1/requests/x/step"
    for headers in (JSON, JSON + b"Authorization: Bearer wrong\r\n", JSON + b"X-Portico-Login-Api: 1\r\n"):
        heard = await exchange(ports["authz"], request_of("POST", path, headers, b"{}"))
        assert heard.statuses == [401]
        assert json.loads(heard.text)["details"][0]["id"] == "LOGIN-004"
