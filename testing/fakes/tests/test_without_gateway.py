"""Each service enforces the request limits itself, without a gateway.

The tasks of the gateway alone (path map, TLS, hosts) are listed in docs/guides/gateway.md.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from itertools import product

import pytest
import pytest_asyncio
from portico_fakes.clock import FrozenClock
from portico_fakes.on_sockets import Ports, services_on_sockets
from portico_harness.raw_http import exchange, in_chunks, request_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

KIB = 1024
SCHEMA_VERSION = b"Content-Type: application/x-www-form-urlencoded\r\n"
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
"""By service: a path that answers GET with a document or a demand for a token."""

PAGE, OAUTH, STATUS = "<!doctype html>", '{"error":', '{"code":'
"""The beginning of an error on each surface."""

TAKES_BODIES = [
    ("authz", "/oauth/v2/authorize", SCHEMA_VERSION, 64 * KIB, PAGE),
    ("authz", "/oidc/v1/end_session", SCHEMA_VERSION, 64 * KIB, PAGE),
    ("token", "/oauth/v2/token", SCHEMA_VERSION, 64 * KIB, OAUTH),
    ("token", "/oauth/v2/introspect", SCHEMA_VERSION, 64 * KIB, OAUTH),
    ("token", "/oauth/v2/revoke", SCHEMA_VERSION, 64 * KIB, OAUTH),
    ("token", "/oauth/v2/par", SCHEMA_VERSION, 64 * KIB, OAUTH),
    ("token", "/oidc/v1/userinfo", SCHEMA_VERSION, 64 * KIB, OAUTH),
    ("login-ui", "/ui/login?request=x", SCHEMA_VERSION, 64 * KIB, PAGE),
    ("login-ui", "/ui/login/logout?request=x", SCHEMA_VERSION, 64 * KIB, PAGE),
    ("login-ui", "/ui/login/password/forgot", SCHEMA_VERSION, 64 * KIB, PAGE),
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
    ("token", "/oauth/v2/par", OAUTH),
    ("login-ui", "/ui/login?request=x", PAGE),
    ("login-ui", "/ui/login/logout?request=x", PAGE),
    ("login-ui", "/ui/login/password/forgot", PAGE),
    ("users", "/v2/users/human", STATUS),
    ("users", "/management/v1/orgs", STATUS),
    ("users", "/portico.user.v2.UserService/AddHumanUser", STATUS),
]
"""Service, path, and the surface of its errors; userinfo reads a form with a token and no other body."""

WITHOUT_BODIES = [
    ("authz", "/.well-known/openid-configuration", OAUTH),
    ("authz", "/oauth/v2/authorize/resume", PAGE),
    ("keys", "/oauth/v2/keys", OAUTH),
    ("login-ui", "/", PAGE),
    ("login-ui", "/ui/login/passkey/options?request=x", PAGE),
    ("console", "/ui/console", PAGE),
    ("console", "/ui/account/callback", PAGE),
    ("users", "/v2/openapi.json", '{"code":'),
]
"""Service, path, and the surface of its errors."""

OTHER_MEDIA = [
    b"Content-Type: multipart/form-data; boundary=x\r\n",
    b"Content-Type: text/plain\r\n",
    b"",
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Encoding: gzip\r\n",
    b"Content-Type: application/json\r\nContent-Encoding: br\r\n",
]

METHODS = [
    ("authz", "/.well-known/openid-configuration", "GET, HEAD, OPTIONS", OAUTH),
    ("authz", "/oauth/v2/authorize", "GET, HEAD, POST", PAGE),
    ("authz", "/oauth/v2/authorize/resume", "GET, HEAD", PAGE),
    ("authz", "/oidc/v1/end_session", "GET, HEAD, POST", PAGE),
    ("token", "/oauth/v2/token", "POST", OAUTH),
    ("token", "/oauth/v2/introspect", "POST", OAUTH),
    ("token", "/oauth/v2/revoke", "POST", OAUTH),
    ("token", "/oauth/v2/par", "POST", OAUTH),
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
"""Service, path, allowed methods, and the surface of its errors."""

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
"""Headers of a POST that a proxy in front could interpret differently."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ports() -> AsyncIterator[Ports]:
    async with services_on_sockets(FrozenClock(), trusted_proxies="192.0.2.0/24") as found:
        yield found


async def test_content_length_over_limit_is_refused(ports: Ports) -> None:
    """A Content-Length over the limit is refused with 413 before the body is sent (RX-01)."""
    for service, path, media, limit, error in TAKES_BODIES:
        head = request_of("POST", path, media + b"Content-Length: %d\r\n" % (limit + 1))
        heard = await exchange(ports[service], head, wait=5.0) if "portico." not in path else None
        whole = await exchange(ports[service], request_of("POST", path, media, b"a" * (limit + 1)))

        assert heard is None or heard.statuses == [413], path
        assert whole.statuses == [413], path
        assert whole.text.startswith(error), path


async def test_body_limit_applies_to_paths_without_body(ports: Ports) -> None:
    """The body limit also applies to endpoints that read no body (RX-01)."""
    for service, path, error in WITHOUT_BODIES:
        heard = await exchange(ports[service], request_of("POST", path, SCHEMA_VERSION, b"a" * (2_048 * KIB + 1)))

        assert heard.statuses == [413], path
        assert heard.text.startswith(error), path


async def test_chunked_body_over_limit_is_refused(ports: Ports) -> None:
    """A body without a length is refused as soon as its chunks exceed the limit (RX-01)."""
    for service, path, media, limit, error in TAKES_BODIES:
        head = request_of("POST", path, media + CHUNKED)
        for size in (limit, 512):
            heard = await exchange(ports[service], head + in_chunks(b"a" * (limit + 1), size))
            assert heard.statuses == [413], (path, size)
            assert heard.text.startswith(error), (path, size)


async def test_body_of_maximum_size_is_accepted(ports: Ports) -> None:
    """A body of exactly the maximum size is accepted, chunked or not."""
    for service, path, media, limit, _error in TAKES_BODIES:
        one = await exchange(ports[service], request_of("POST", path, media, b"a" * limit))
        chunks = await exchange(ports[service], request_of("POST", path, media + CHUNKED) + in_chunks(b"a" * limit))

        assert one.statuses == chunks.statuses, path
        assert one.statuses[0] not in (413, 500, 503), path


async def test_other_media_types_are_refused(ports: Ports) -> None:
    """Multipart, text, missing and compressed content gets 415, and nothing is decompressed (RX-02, RX-10)."""
    for (service, path, error), headers in product(READS_MEDIA, OTHER_MEDIA):
        heard = await exchange(ports[service], request_of("POST", path, headers, b"a=b"))

        assert heard.statuses == [415], (path, headers)
        assert heard.text.startswith(error), (path, headers)


async def test_other_methods_are_refused(ports: Ports) -> None:
    """Other methods are refused with 405 and Allow, and no header overrides the method (TK-21, RX-12)."""
    disguise = b"X-HTTP-Method-Override: POST\r\nX-Method-Override: GET\r\n"
    for service, path, allowed, error in METHODS:
        given = set(allowed.split(", "))
        for method in {"PUT", "PATCH", "DELETE", "TRACE"} - given:
            heard = await exchange(ports[service], request_of(method, path, disguise, b""))
            assert heard.statuses == [405], (method, path)
            assert set(heard.header("allow").split(", ")) == given, (method, path)
            assert heard.text.startswith(error), (method, path)


async def test_unexpected_body_is_refused(ports: Ports) -> None:
    """GET and HEAD with a body are refused with 400, and the bytes that follow are not read as a request (IN-01)."""
    canary = b"GET /nothing HTTP/1.1\r\n" + HOST + b"\r\n"
    bodies = (
        b"Content-Length: 5\r\n\r\nabcde",
        CHUNKED + b"\r\n5\r\nabcde\r\n" + LAST_CHUNK,
        CHUNKED + b"\r\n" + LAST_CHUNK,
    )
    for (service, path), method, rest in product(READS.items(), ("GET", "HEAD"), bodies):
        line = f"{method} {path} HTTP/1.1\r\n".encode() + HOST
        heard = await exchange(ports[service], line + rest + canary)
        assert heard.statuses == [400], (method, path, rest)
        assert heard.closed, (method, path, rest)


async def test_get_with_content_length_0_is_accepted(ports: Ports) -> None:
    """GET with Content-Length: 0 is accepted, because some clients send it."""
    for service, path in READS.items():
        heard = await exchange(ports[service], request_of("GET", path, body=b""))
        assert heard.statuses in ([200], [401]), path


async def test_ambiguous_framing_is_refused(ports: Ports) -> None:
    """Ambiguous framing gets 400 and a closed connection, so that no smuggled request is answered (IN-01)."""
    for (service, path, media, _limit, _error), (name, head) in product(TAKES_BODIES, AMBIGUOUS.items()):
        line = f"POST {path} HTTP/1.1\r\n".encode() + media
        heard = await exchange(ports[service], line + head + b"GET /nothing HTTP/1.1\r\n" + HOST + b"\r\n")

        assert heard.statuses == [400], (path, name)
        assert heard.closed, (path, name)
        assert b"nothing at this address" not in heard.data, (path, name)


async def test_chunked_http_1_0_body_is_refused(ports: Ports) -> None:
    """HTTP/1.0 has no chunked bodies, and a proxy of that version would interpret them differently (IN-01)."""
    for service, path, media, _limit, _error in TAKES_BODIES:
        line = f"POST {path} HTTP/1.0\r\n".encode() + HOST + media
        heard = await exchange(ports[service], line + CHUNKED + b"\r\n" + LAST_CHUNK)
        assert heard.statuses == [400], path
        assert heard.closed


async def test_request_head_is_limited(ports: Ports) -> None:
    """A request head over 64 KiB is refused with 431: one long header, many headers or a long URL (RX-06)."""
    many = b"".join(b"X-%d: a\r\n" % number for number in range(10_000))
    for service, path in READS.items():
        for name, case in (
            ("one long header", request_of("GET", path, b"X: " + b"a" * 70_000 + b"\r\n")),
            ("many headers", request_of("GET", path, many)),
            ("a long URL", request_of("GET", f"{path}?{'a' * 70_000}")),
        ):
            heard = await exchange(ports[service], case)
            assert heard.statuses == [431], (path, name)


async def test_public_port_has_no_internal_paths(ports: Ports) -> None:
    """Health and metrics are served on the internal port only (IN-06)."""
    paths = ("/healthz", "/readyz", "/metrics", "/debug", "/openapi.json", "/docs", "*")
    for (service, port), path in product(ports.items(), paths):
        heard = await exchange(port, request_of("OPTIONS" if path == "*" else "GET", path))
        assert heard.statuses == [404], (service, path)


async def test_login_api_requires_its_key(ports: Ports) -> None:
    """The login API shares a port with authz, so its secret guards it where no path map does (HH-04)."""
    path = "/login/v1/requests/x/step"
    for headers in (JSON, JSON + b"Authorization: Bearer wrong\r\n", JSON + b"X-Portico-Login-Api: 1\r\n"):
        heard = await exchange(ports["authz"], request_of("POST", path, headers, b"{}"))
        assert heard.statuses == [401]
        assert json.loads(heard.text)["details"][0]["id"] == "LOGIN-004"
