"""Cross-origin requests (IR-17)."""

from __future__ import annotations

from itertools import product
from typing import Any

import httpx
import jwt
import pytest
from portico_contracts import http
from portico_contracts.users import AccessTokenType, AuthMethod
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.token_service import CALLBACK, TokenService
from portico_harness.rows import row
from portico_oauth.pkce import challenge_of
from portico_runtime.versioned_cache.lease import Lease
from portico_token.cross_origin import cross_origin
from portico_token.users_client import UsersClient
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

PAGE = "https://spa.example.test"
OTHERS_PAGE = "https://other.example.test"
VERIFIER = "v" * 43
ENDPOINTS = {http.TOKEN: "POST", http.REVOKE: "POST", http.PUSHED_REQUESTS: "POST", http.USERINFO: "GET, POST"}
"""Methods by path."""


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With a browser client and another one."""
    token_service.register("spa", AuthMethod.NONE, origins=("https://app.example.test", PAGE))
    token_service.register("other", AuthMethod.NONE, origins=(OTHERS_PAGE,))
    return token_service


async def preflight(service: TokenService, path: str, origin: str, method: str = "POST") -> httpx.Response:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization,content-type,x-client,cookie",
    }
    return await service.http.request("OPTIONS", path, headers=headers)


async def redeem(service: TokenService, origin: str, code: str | None = None, **form: str) -> httpx.Response:
    code = code or service.issue_code("spa", challenge=challenge_of(VERIFIER))
    asked = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "client_id": "spa"}
    return await service.token({**asked, "code_verifier": VERIFIER, **form}, headers={"Origin": origin})


def readable_for(answer: httpx.Response) -> str | None:
    """Returns the origin that may read the response; checks for Vary, and that the same origin has credentials."""
    origin: str | None = answer.headers.get("access-control-allow-origin")
    assert origin != "*"
    assert answer.headers.get("access-control-allow-credentials") == ("true" if origin else None)
    assert "Origin" in [name.strip() for name in answer.headers["vary"].split(",")]
    return origin


UNKNOWN_ORIGINS = (
    "https://evil.test",
    "null",
    "",
    "*",
    "https://spa.example.test.evil.test",
    "https://spa.example.tes",
    "http://spa.example.test",
    "https://spa.example.test:443",
    "https://SPA.example.test",
    "https://spa.example.test/",
    "https://evil.test, https://spa.example.test",
    "spa.example.test",
    "https://" + "a" * 5_000,
)


async def test_preflight_of_an_unknown_origin_is_refused(service: TokenService) -> None:
    """Foreign origins, null, and look-alikes by prefix, suffix, scheme, port and case get no permission."""
    for path, origin in product(ENDPOINTS, UNKNOWN_ORIGINS):
        with row(path, origin):
            answer = await preflight(service, path, origin)

            assert answer.status_code == 204
            assert not any(name.startswith("access-control-") for name in answer.headers)
            assert "Origin" in answer.headers["vary"]


async def test_preflight_of_any_applications_origin_passes(service: TokenService) -> None:
    """A preflight names no client, so the origin of any active application passes."""
    for (path, methods), origin in product(ENDPOINTS.items(), (PAGE, OTHERS_PAGE)):
        with row(origin, path, methods):
            answer = await preflight(service, path, origin)

            assert (answer.status_code, answer.content) == (204, b"")
            assert readable_for(answer) == origin
            assert answer.headers["access-control-allow-methods"] == methods
            assert answer.headers["access-control-allow-headers"].split(", ") == [
                "Authorization", "DPoP", "Content-Type", "X-Requested-With", "traceparent", "tracestate", "baggage",
                "sentry-trace", "x-client",
            ]  # fmt: skip


async def test_cookie_changes_no_response(service: TokenService) -> None:
    """Pages may send credentials to these endpoints because none of them reads a cookie (IR-17, decision 0118)."""
    token = (await redeem(service, PAGE)).json()["access_token"]
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", http.TOKEN, {"data": {"grant_type": "refresh_token", "refresh_token": "x", "client_id": "spa"}}),
        ("POST", http.REVOKE, {"data": {"token": "unknown", "client_id": "spa"}}),
        ("GET", http.USERINFO, {"headers": {"Authorization": f"Bearer {token}"}}),
    ]
    for method, path, request in requests:
        headers = {**request.pop("headers", {}), "Origin": PAGE}
        answers = [
            await service.http.request(method, path, headers=headers | cookie, **request)
            for cookie in ({}, {"Cookie": "portico-session=x; __Host-portico=y"})
        ]

        assert len({(answer.status_code, answer.content) for answer in answers}) == 1, path
        assert not any("set-cookie" in answer.headers for answer in answers), path


async def test_endpoints_get_no_cookies_of_pages(service: TokenService, clock: FrozenClock) -> None:
    """The rule does not depend on what an endpoint reads (IR-17, decision 0118)."""

    async def endpoint(request: Request) -> Response:
        return Response(request.headers.get("cookie", "none"))

    users_client = UsersClient(service.bus, clock, Lease(None, clock))
    app = Starlette(routes=[Route("/", cross_origin(endpoint, users_client))])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://op.test") as http_client:
        answer = await http_client.get("/", headers={"Origin": PAGE, "Cookie": "portico-session=x"})

    assert answer.text == "none"


async def test_origin_is_dropped_with_its_application(service: TokenService, clock: FrozenClock) -> None:
    """The change is in force at once with the event and within a second without it."""
    before = readable_for(await preflight(service, http.TOKEN, OTHERS_PAGE))
    del service.users.clients["other"]
    remembered = readable_for(await preflight(service, http.TOKEN, OTHERS_PAGE))
    clock.tick(1)
    later = readable_for(await preflight(service, http.TOKEN, OTHERS_PAGE))
    service.register("other", AuthMethod.NONE, origins=(OTHERS_PAGE,))
    await service.publish_app_changed()

    assert (before, remembered, later) == (OTHERS_PAGE, OTHERS_PAGE, None)
    assert readable_for(await preflight(service, http.TOKEN, OTHERS_PAGE)) == OTHERS_PAGE


async def test_preflight_is_503_without_users(service: TokenService, bus: MemoryBus) -> None:
    """The response permits nothing cross-origin (P2)."""
    bus.down = True

    answer = await preflight(service, http.TOKEN, PAGE)

    assert answer.status_code == 503
    assert "access-control-allow-origin" not in answer.headers


async def test_malformed_origin_is_not_looked_up(service: TokenService, bus: MemoryBus) -> None:
    """Malformed origins neither fill a cache nor cause requests to users (P8)."""
    bus.down = True
    origins = ("null", "*", "chrome-extension://x", "https://a b", "https://" + "a" * 5_000)
    statuses = [(await preflight(service, http.TOKEN, origin)).status_code for origin in origins]

    assert dict(zip(origins, statuses, strict=True)) == dict.fromkeys(origins, 204)


async def test_options_without_preflight_headers_is_405(service: TokenService) -> None:
    incomplete: list[dict[str, str]] = [{}, {"Origin": PAGE}, {"Access-Control-Request-Method": "POST"}]
    for (path, methods), headers in product(ENDPOINTS.items(), incomplete):
        answer = await service.http.request("OPTIONS", path, headers=headers)

        assert (answer.status_code, answer.json()["error"]) == (405, "invalid_request"), (path, headers)
        assert answer.headers["allow"] == methods, (path, headers)


async def test_tokens_are_readable_for_their_client(service: TokenService) -> None:
    """Both origins of the client may read the response, and no other origin."""
    origins = (PAGE, "https://app.example.test", OTHERS_PAGE, "https://evil.test", "null")
    answers = [await redeem(service, origin) for origin in origins]

    assert [answer.status_code for answer in answers] == [200] * 5
    assert [readable_for(answer) for answer in answers] == [PAGE, "https://app.example.test", None, None, None]


async def test_errors_are_readable_for_the_authenticated_client(service: TokenService) -> None:
    own, foreign = [await redeem(service, origin, "no such code") for origin in (PAGE, OTHERS_PAGE)]

    assert (own.json()["error"], readable_for(own)) == ("invalid_grant", PAGE)
    assert (foreign.json()["error"], readable_for(foreign)) == ("invalid_grant", None)


async def test_errors_before_authentication_are_readable_for_all(service: TokenService, bus: MemoryBus) -> None:
    """Every registered origin may read them, including the challenge of an expired token."""
    revoked = {"Authorization": "Bearer ab" + "x" * 22 + "." + "y" * 43}
    origins = {PAGE: PAGE, OTHERS_PAGE: OTHERS_PAGE, "https://evil.test": None, "null": None}

    for origin, reader in origins.items():
        answers = [
            await service.http.get(http.USERINFO, headers={**revoked, "Origin": origin}),
            await redeem(service, origin, client_id="nobody"),
            await service.http.post(http.REVOKE, data={"token": "x"}, headers={"Origin": origin}),
        ]
        assert [(answer.status_code, readable_for(answer)) for answer in answers] == [(401, reader)] * 3, origin
        exposed = answers[0].headers.get("access-control-expose-headers", "")
        assert ("WWW-Authenticate" in exposed) == (reader is not None), origin
        assert "invalid_token" in answers[0].headers["www-authenticate"]


async def test_error_is_unreadable_while_users_is_unavailable(service: TokenService, bus: MemoryBus) -> None:
    bus.down = True
    answer = await service.http.get(http.USERINFO, headers={"Origin": PAGE})

    assert (answer.status_code, readable_for(answer)) == (401, None)


async def test_vary_is_sent_without_an_origin(service: TokenService) -> None:
    answer = await service.http.post(http.TOKEN, data={"grant_type": "x"})

    assert readable_for(answer) is None


async def test_revocation_is_readable_for_its_client(service: TokenService) -> None:
    answers = [
        await service.http.post(http.REVOKE, data={"token": "unknown", "client_id": "spa"}, headers={"Origin": origin})
        for origin in (PAGE, OTHERS_PAGE)
    ]

    assert [(answer.status_code, readable_for(answer)) for answer in answers] == [(200, PAGE), (200, None)]


@pytest.mark.parametrize("kind", list(AccessTokenType))
async def test_userinfo_is_readable_for_the_tokens_client(service: TokenService, kind: AccessTokenType) -> None:
    service.register("spa", AuthMethod.NONE, origins=(PAGE,), access_token_type=kind)
    token = (await redeem(service, PAGE)).json()["access_token"]
    bearer = {"Authorization": f"Bearer {token}"}

    answers = [
        await service.http.get(http.USERINFO, headers={**bearer, "Origin": origin})
        for origin in (PAGE, OTHERS_PAGE, "https://evil.test")
    ]

    assert [(answer.status_code, readable_for(answer)) for answer in answers] == [(200, PAGE), (200, None), (200, None)]


async def test_unverified_claim_permits_no_origin(service: TokenService) -> None:
    """The azp and client_id of a forged JWT do not decide who may read its error (CVE-2026-37977)."""
    claims: dict[str, Any] = {"azp": "spa", "client_id": "spa", "aud": ["spa"], "sub": "user-1"}
    forged = jwt.encode(claims, "x" * 32, algorithm="HS256", headers={"kid": "ES256-1", "typ": "at+jwt"})

    answers = [
        await service.http.get(http.USERINFO, headers={"Authorization": f"Bearer {forged}", "Origin": origin})
        for origin in (PAGE, OTHERS_PAGE, "https://evil.test")
    ]

    assert [(answer.status_code, readable_for(answer)) for answer in answers] == [
        (401, PAGE),
        (401, OTHERS_PAGE),
        (401, None),
    ]


@pytest.mark.parametrize("origin", [PAGE, "https://evil.test"])
async def test_introspection_is_unreadable_cross_origin(service: TokenService, origin: str) -> None:
    """Introspection has no preflight, and no origin may read its response."""
    asked = await preflight(service, http.INTROSPECT, origin)
    answer = await service.http.post(http.INTROSPECT, data={"token": "x"}, headers={"Origin": origin})

    assert asked.status_code == 405
    assert not any(name.startswith("access-control-") for name in (*asked.headers, *answer.headers))
