from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from html import unescape
from ipaddress import ip_network
from itertools import product

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from portico_oauth.errors import SERVER_ERROR, TABLE, Kind, ServiceError
from portico_web.edge import Edge
from portico_web.surfaces import (
    bearer_json,
    html_page,
    install_catch_all,
    oauth_json,
    render_errors,
    rpc_status,
    surface,
)
from portico_web.trusted_proxies import TrustedProxies
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

PRIVATE = "mongodb://user:secret@host"
RPC_HTTP = {3: 400, 5: 404, 6: 409, 7: 403, 8: 429, 9: 400, 10: 409, 12: 501, 13: 500, 14: 503, 16: 401}


def an_error(kind: Kind) -> ServiceError:
    # Fields with names of log fields must not break the log line (RX-12).
    private = {"cause": PRIVATE, "error_code": PRIVATE, "kind": PRIVATE, "event": PRIVATE}
    return ServiceError(kind, "TEST-001", "A text <for> the caller.", private=private)


@dataclass
class Planted:
    error: Exception = field(default_factory=SERVER_ERROR.error)


@pytest.fixture
def planted() -> Planted:
    return Planted()


@pytest.fixture
def surfaces_app(planted: Planted) -> FastAPI:
    app = FastAPI(openapi_url=None)

    async def fail() -> Response:
        raise planted.error

    async def number(value: int) -> Response:
        return Response(str(value))

    async def fail_outside(_request: Request) -> Response:
        raise planted.error

    for path, render in (
        ("/oauth/v2/x", oauth_json), ("/oidc/v1/x", bearer_json), ("/management/v1/x", rpc_status), ("/ui/login/x", html_page),
    ):  # fmt: skip
        router = APIRouter(route_class=surface(render))
        router.add_api_route(path, fail, methods=["GET"])
        router.add_api_route(f"{path}/number", number, methods=["GET"])
        app.include_router(router)
    app.router.routes.append(Route("/oauth/v2/outside", fail_outside))
    app.router.routes.append(Route("/oauth/v2/plain", render_errors(fail_outside, oauth_json)))
    install_catch_all(app)
    app.add_middleware(Edge, proxies=TrustedProxies([ip_network("127.0.0.0/8")]))
    return app


@pytest.fixture
async def surfaces_client(surfaces_app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(surfaces_app), base_url="http://op.test") as client:
        yield client


async def test_every_kind_as_oauth_json(surfaces_client: httpx.AsyncClient, planted: Planted) -> None:
    """Status, code and text follow the table, without caching and private data (RFC 6749 §5.2)."""
    for kind, path in product(Kind, ("/oauth/v2/x", "/oauth/v2/plain")):
        planted.error = an_error(kind)
        answer = await surfaces_client.get(path)
        body = {"error": TABLE[kind].oauth, "error_description": "A text <for> the caller."}

        assert (answer.status_code, answer.json()) == (TABLE[kind].status, body), (kind, path)
        assert answer.headers["cache-control"] == "no-store", (kind, path)
        assert answer.headers["pragma"] == "no-cache", (kind, path)
        assert PRIVATE not in answer.text, (kind, path)


async def test_every_kind_as_rpc_status(surfaces_client: httpx.AsyncClient, planted: Planted) -> None:
    """The body is a google.rpc.Status with code, message and one detail that names the id (MG-19)."""
    for kind in Kind:
        planted.error = an_error(kind)
        answer = await surfaces_client.get("/management/v1/x")
        body = answer.json()

        assert body["code"] == TABLE[kind].rpc, kind
        assert body["message"] == "A text <for> the caller. (TEST-001)", kind
        assert [detail["id"] for detail in body["details"]] == ["TEST-001"], kind
        assert body["details"][0]["@type"].startswith("type.googleapis.com/portico.v1."), kind
        assert set(body) == {"code", "message", "details"}, kind
        assert PRIVATE not in answer.text, kind
        if kind is Kind.UNIMPLEMENTED:
            assert answer.status_code == 404
        elif kind not in (Kind.CONTENT_TOO_LARGE, Kind.UNSUPPORTED_MEDIA_TYPE, Kind.METHOD_NOT_ALLOWED):
            assert answer.status_code == RPC_HTTP[TABLE[kind].rpc], kind


async def test_every_kind_as_a_page(surfaces_client: httpx.AsyncClient, planted: Planted) -> None:
    """The page has a sentence, the code, the id and the request id, escaped, with all security headers (AZ-08,
    AZ-17).
    """
    for kind in Kind:
        planted.error = an_error(kind)
        answer = await surfaces_client.get("/ui/login/x")

        assert answer.status_code == TABLE[kind].status, kind
        assert answer.headers["content-type"] == "text/html; charset=utf-8", kind
        assert 'id="error-page"' in answer.text, kind
        assert TABLE[kind].page in unescape(answer.text), kind
        assert TABLE[kind].oauth in answer.text, kind
        assert "A text &lt;for&gt; the caller." in answer.text, kind
        assert answer.headers["x-request-id"] in answer.text, kind
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], kind
        assert PRIVATE not in answer.text, kind


@pytest.mark.parametrize("kind", [Kind.UNAVAILABLE, Kind.TOO_MANY_REQUESTS])
@pytest.mark.parametrize("path", ["/oauth/v2/x", "/management/v1/x", "/ui/login/x"])
async def test_temporary_error_has_retry_after(
    surfaces_client: httpx.AsyncClient, planted: Planted, kind: Kind, path: str
) -> None:
    """503 and 429 carry Retry-After on every surface, with the error code's value if it has one (P2)."""
    planted.error = an_error(kind)
    short = await surfaces_client.get(path)
    planted.error = ServiceError(kind, "TEST-001", "Wait.", retry_after=17)
    long = await surfaces_client.get(path)

    assert short.headers["retry-after"] == "1"
    assert long.headers["retry-after"] == "17"


@pytest.mark.parametrize(
    "path", ["/oauth/v2/x", "/oauth/v2/plain", "/oauth/v2/outside", "/oidc/v1/x", "/management/v1/x", "/ui/login/x"]
)
async def test_unknown_error_becomes_a_fault(surfaces_client: httpx.AsyncClient, planted: Planted, path: str) -> None:
    """The response to an unexpected exception has the request id but no text, type or file path (MG-19)."""
    planted.error = RuntimeError(PRIVATE)
    answer = await surfaces_client.get(path)

    assert answer.status_code == 500
    assert SERVER_ERROR.text in answer.text
    assert not any(text in answer.text for text in (PRIVATE, "RuntimeError", "Traceback", ".py"))
    assert answer.headers["x-request-id"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "status", "part"),
    [
        ("/oauth/v2/x/number", 400, '"invalid_request"'),
        ("/management/v1/x/number", 400, '"code":3'),
        ("/ui/login/x/number", 400, 'id="error-page"'),
    ],
)
async def test_framework_validation_error_has_the_surfaces_format(
    surfaces_client: httpx.AsyncClient, path: str, status: int, part: str
) -> None:
    """FastAPI's own 422 response never appears on any surface."""
    for query in ("", "?value=a", "?value=%00"):
        answer = await surfaces_client.get(path + query)

        assert answer.status_code == status
        assert part in answer.text


@pytest.mark.parametrize(
    ("path", "part"),
    [("/oauth/v2/unknown", '"error":"invalid_request"'), ("/management/v1/unknown", '"code":5'), ("/ui/unknown", "error-page"),
     ("/oauth/v2/x/", '"error":"invalid_request"'), ("/%00", "invalid_request")],
)  # fmt: skip
async def test_unknown_path_is_404_by_prefix(surfaces_client: httpx.AsyncClient, path: str, part: str) -> None:
    answer = await surfaces_client.get(path, follow_redirects=False)

    assert answer.status_code == 404
    assert part in answer.text


@pytest.mark.parametrize("path", ["/unknown", "/oauth/v2/unknown", "/management/v1/unknown", "/ui/unknown"])
async def test_unknown_path_is_a_page_in_a_browser(surfaces_client: httpx.AsyncClient, path: str) -> None:
    """A browser prefers HTML; everybody else, and every client that probes for metadata, gets JSON."""
    browser = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    page = await surfaces_client.get(path, headers=browser)
    metadata = await surfaces_client.get("/.well-known/unknown", headers=browser)
    program = await surfaces_client.get("/unknown", headers={"Accept": "application/json, text/html;q=0.5"})

    assert (page.status_code, metadata.status_code, program.status_code) == (404, 404, 404)
    assert "error-page" in page.text
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert metadata.json()["error"] == program.json()["error"] == "invalid_request"


@pytest.mark.parametrize(
    ("path", "status", "part"),
    [
        ("/oauth/v2/x", 405, "invalid_request"),
        ("/management/v1/x", 405, '"code":12'),
        ("/ui/login/x", 405, "error-page"),
    ],
)
async def test_wrong_method_is_405_by_prefix(
    surfaces_client: httpx.AsyncClient, path: str, status: int, part: str
) -> None:
    """A 405 lists the allowed methods, on the surface of the prefix (TK-21)."""
    answer = await surfaces_client.post(path)

    assert answer.status_code == status
    assert part in answer.text
    assert answer.headers["allow"] == "GET"


async def test_basic_challenge_follows_an_authorization_header(
    surfaces_client: httpx.AsyncClient, planted: Planted
) -> None:
    """WWW-Authenticate: Basic is sent only if the client tried an Authorization header (RFC 6749 §5.2)."""
    planted.error = an_error(Kind.INVALID_CLIENT)
    tried = await surfaces_client.get("/oauth/v2/x", headers={"Authorization": "Basic eDp5"})
    without = await surfaces_client.get("/oauth/v2/x")

    assert tried.headers["www-authenticate"].startswith("Basic ")
    assert "www-authenticate" not in without.headers


@pytest.mark.parametrize("kind", [Kind.INVALID_TOKEN, Kind.INSUFFICIENT_SCOPE, Kind.INVALID_REQUEST])
async def test_bearer_challenge_has_the_error(surfaces_client: httpx.AsyncClient, planted: Planted, kind: Kind) -> None:
    """A bearer challenge carries the error code (RFC 6750 §3)."""
    planted.error = an_error(kind)
    answer = await surfaces_client.get("/oidc/v1/x")

    assert answer.headers["www-authenticate"].startswith(f'Bearer error="{TABLE[kind].oauth}"')


async def test_nonce_of_token_reaches_the_caller_of_the_management_api(
    surfaces_client: httpx.AsyncClient, planted: Planted
) -> None:
    """RFC 9449 section 9: with the challenge, in the header DPoP-Nonce."""
    planted.error = an_error(Kind.USE_DPOP_NONCE)
    planted.error.private["dpop_nonce"] = "the-nonce"
    answer = await surfaces_client.get("/management/v1/x", headers={"Authorization": "DPoP token"})

    assert (answer.status_code, answer.headers["dpop-nonce"]) == (401, "the-nonce")
    assert 'error="use_dpop_nonce"' in answer.headers["www-authenticate"]


@pytest.mark.parametrize(
    ("authorization", "challenge"),
    [
        ("", "Bearer"),
        ("Bearer token", 'Bearer error="invalid_token", '),
        ("dpop token", 'DPoP algs="RS256 ES256 EdDSA", error="invalid_token", '),
    ],
)
async def test_challenge_of_the_management_api_is_of_the_scheme_that_was_used(
    surfaces_client: httpx.AsyncClient, planted: Planted, authorization: str, challenge: str
) -> None:
    """A client whose bound token has expired is not led to send it as a bearer token (RFC 9449 section 7.1)."""
    planted.error = an_error(Kind.UNAUTHENTICATED)
    headers = {"Authorization": authorization} if authorization else {}
    answer = await surfaces_client.get("/management/v1/x", headers=headers)

    found = answer.headers["www-authenticate"]
    assert found == challenge if not authorization else found.startswith(challenge)


async def test_invalid_request_id_is_replaced(surfaces_client: httpx.AsyncClient, planted: Planted) -> None:
    """The gateway's request id is used unless it is unsafe to display (AZ-07)."""
    planted.error = an_error(Kind.INVALID_REQUEST)
    given = await surfaces_client.get("/oauth/v2/x", headers={"X-Request-Id": "0123456789abcdef"})
    bad = await surfaces_client.get("/oauth/v2/x", headers={"X-Request-Id": "<script>alert(1)</script>"})

    assert given.headers["x-request-id"] == "0123456789abcdef"
    assert bad.headers["x-request-id"].isalnum()


async def test_fault_during_a_response_aborts_it() -> None:
    """A partial response is never completed as if it were whole."""
    sent: list[str] = []

    async def half(_scope: object, _receive: object, send: object) -> None:
        assert callable(send)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError

    async def receive() -> dict[str, object]:
        return {"type": "http.request"}

    async def send(message: object) -> None:
        assert isinstance(message, dict)
        sent.append(message["type"])

    with pytest.raises(RuntimeError):
        await Edge(half, TrustedProxies(()))(
            {"type": "http", "method": "GET", "path": "/", "headers": []}, receive, send
        )
    assert sent == ["http.response.start"]
