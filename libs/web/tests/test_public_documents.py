"""Which pages may read a public document, and with which headers (decision 0118)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from portico_harness.rows import row
from portico_oauth.errors import UNAVAILABLE
from portico_web import cross_origin
from portico_web.cross_origin import ANY_ORIGIN, public_document
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

PAGE = "https://spa.example.test"
STUCK = "https://stuck.example.test"
DOWN = "https://down.example.test"
OTHERS = (
    "https://evil.test",
    "null",
    "",
    "*",
    "https://spa.example.test.evil.test",
    "http://spa.example.test",
    "https://spa.example.test/",
    "https://evil.test, https://spa.example.test",
    DOWN,
    STUCK,
)
PREPARED = Response(b"document", headers={**ANY_ORIGIN, "ETag": '"1"'})
"""Shared by all requests, as those of discovery and the key set are."""

asked: list[str] = []


async def is_registered(origin: str) -> bool:
    if origin == DOWN:
        raise UNAVAILABLE.error(part="users")
    if origin == STUCK:
        await asyncio.Event().wait()
    asked.append(origin)
    return origin == PAGE


async def document(request: Request) -> Response:
    return PREPARED if "cookie" not in request.headers else Response(b"of a session", headers=ANY_ORIGIN)


@pytest.fixture
async def browser(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    monkeypatch.setattr(cross_origin, "_LONGEST_WAIT", 0.001)
    asked.clear()
    app = Starlette(routes=[Route("/", public_document(document, is_registered), methods=["GET", "OPTIONS"])])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://op.test") as client:
        yield client


async def preflight(browser: httpx.AsyncClient, origin: str, headers: str = "") -> httpx.Response:
    asked = {"Origin": origin, "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": headers}
    return await browser.options("/", headers=asked)


async def test_registered_origin_may_send_credentials(browser: httpx.AsyncClient) -> None:
    """The response names the origin itself, because browsers refuse ``*`` with credentials (Fetch §3.2.5)."""
    for answer in (await browser.get("/", headers={"Origin": PAGE}), await preflight(browser, PAGE)):
        assert answer.headers["access-control-allow-origin"] == PAGE
        assert answer.headers["access-control-allow-credentials"] == "true"
        assert answer.headers["vary"].split(", ")[0] == "Origin"


async def test_other_origins_send_no_credentials(browser: httpx.AsyncClient) -> None:
    """Any page may read a public document without cookies, also while users cannot be reached (IR-17)."""
    await browser.get("/", headers={"Origin": PAGE})
    for origin in OTHERS:
        for answer in (await browser.get("/", headers={"Origin": origin}), await preflight(browser, origin)):
            with row(origin):
                assert answer.status_code in (200, 204)
                assert answer.headers["access-control-allow-origin"] == "*"
                assert "access-control-allow-credentials" not in answer.headers
                assert answer.headers["vary"].split(", ")[0] == "Origin"


async def test_malformed_origin_is_not_looked_up(browser: httpx.AsyncClient) -> None:
    for origin in ("null", "*", "chrome-extension://x", "https://a b", "https://" + "a" * 5_000):
        await browser.get("/", headers={"Origin": origin})

    assert asked == []


async def test_cookies_of_pages_are_not_read(browser: httpx.AsyncClient) -> None:
    """A cookie cannot change a response that pages of other origins may read (IR-17)."""
    for origin in (PAGE, "https://evil.test"):
        answer = await browser.get("/", headers={"Origin": origin, "Cookie": "portico-session=x"})

        assert answer.text == "document"


async def test_vary_is_sent_without_an_origin(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/")

    assert (answer.headers["vary"], answer.headers["access-control-allow-origin"]) == ("Origin", "*")


async def test_preflight_allows_any_header_that_is_no_credential(browser: httpx.AsyncClient) -> None:
    """Client libraries add headers, as okta-auth-js does; credentials have no use at a public document."""
    requested = "x-okta-user-agent-extended, Cache-Control,authorization,cookie,proxy-authorization, a b, ,x:y"
    for origin in (PAGE, "https://evil.test"):
        allowed = (await preflight(browser, origin, requested)).headers["access-control-allow-headers"]

        assert allowed.split(", ") == [
            "If-None-Match", "Content-Type", "X-Requested-With", "traceparent", "tracestate", "baggage",
            "sentry-trace", "x-okta-user-agent-extended", "cache-control",
        ]  # fmt: skip


async def test_preflight_repeats_few_headers(browser: httpx.AsyncClient) -> None:
    requested = ",".join([*(f"x-{number}" for number in range(500)), "y" * 65])
    allowed = (await preflight(browser, PAGE, requested)).headers["access-control-allow-headers"].split(", ")

    assert (len(allowed), allowed[-1]) == (71, "x-63")
