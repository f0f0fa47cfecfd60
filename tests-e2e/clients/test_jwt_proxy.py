"""Checks the imitated JWT proxy: PyJWT verifies the injected JWT, and a recording server replaces Portico."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import jwt
import pytest
from jwt import PyJWKSet
from playwright.async_api import Browser
from portico_harness.plain_http import plain_http
from portico_scenarios import jwt_proxy, upstream_page
from portico_scenarios.jwt_proxy import AUTHORIZE, JwtProxy
from portico_scenarios.upstream_page import listening
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

pytestmark = pytest.mark.e2e

QUERY = "authRequestID=request&userAgentID=browser"


@dataclass
class Recorder:
    """A server in Portico's place: redirects with an absolute URL and records requests."""

    address: str
    seen: list[Request] = field(default_factory=list)

    async def authorize(self, request: Request) -> Response:
        self.seen.append(request)
        return RedirectResponse(f"{self.address}/ui/login/login/jwt/callback?handle=h", 303)

    async def page(self, request: Request) -> Response:
        self.seen.append(request)
        response = PlainTextResponse("here")
        response.set_cookie("browser", "cookie-of-portico", samesite="lax")
        return response


@asynccontextmanager
async def running(header: str = "authorization") -> AsyncIterator[tuple[Recorder, JwtProxy]]:
    listener = listening()
    recorder = Recorder(f"http://localhost:{listener.getsockname()[1]}")
    routes = [Route(AUTHORIZE, recorder.authorize), Route("/{path:path}", recorder.page)]
    async with (
        plain_http() as http,
        upstream_page.served(Starlette(routes=routes), listener),
        jwt_proxy.running(listening(), recorder.address, http, header) as proxy,
    ):
        yield recorder, proxy


async def claims_of(proxy: JwtProxy, token: str) -> Any:
    async with plain_http() as http:
        keys = PyJWKSet.from_dict((await http.get(proxy.keys_endpoint)).json())
    key = keys[jwt.get_unverified_header(token)["kid"]]
    return jwt.decode(token, key, ["RS256"], audience=proxy.portico, issuer=proxy.address)


async def test_proxy_injects_jwt_of_signed_in_user() -> None:
    """The proxied request has both parameters and the JWT header, and the response redirects the browser."""
    async with running() as (recorder, proxy):
        sent = await proxy.person.sign_in(f"{proxy.endpoint}?{QUERY}", "eve")
        (request,) = recorder.seen
        scheme, _, token = request.headers["authorization"].partition(" ")
        claims = await claims_of(proxy, token)

    assert sent.url == f"{recorder.address}/ui/login/login/jwt/callback?handle=h"
    assert (request.url.path, request.url.query, scheme) == (AUTHORIZE, QUERY, "Bearer")
    assert (claims["sub"], claims["email"], token) == ("eve", "eve@elsewhere.example", proxy.forwarded[-1])


async def test_jwt_header_and_claims_are_configurable() -> None:
    """The JWT is sent in the configured header with claims changed or removed, and each request has a new JWT."""
    async with running("x-sso-jwt") as (recorder, proxy):
        proxy.scheme = ""
        proxy.changes["eve"] = {"email_verified": False, "aud": ..., "iat": ...}
        for _ in range(2):
            await proxy.person.sign_in(f"{proxy.endpoint}?{QUERY}", "eve")
        tokens = [request.headers["x-sso-jwt"] for request in recorder.seen]
        claims = jwt.decode(tokens[0], options={"verify_signature": False})

    assert "authorization" not in recorder.seen[0].headers
    assert (claims["email_verified"], "aud" in claims, "iat" in claims) == (False, False, False)
    assert len(set(tokens)) == 2


async def test_proxy_forwards_nothing_without_session() -> None:
    """Without a session at the proxy nothing is forwarded, whatever header the browser sends."""
    async with running() as (recorder, proxy), plain_http() as http:
        answer = await http.get(f"{proxy.address}{AUTHORIZE}?{QUERY}", headers={"Authorization": "Bearer mine"})

    assert (answer.status_code, recorder.seen) == (401, [])


async def test_cookie_is_not_sent_through_the_proxy(browser: Browser) -> None:
    """In Chromium the hop through the proxy lacks the server's cookie; the final page has it (decision 0047)."""
    async with running() as (recorder, proxy):
        context = await browser.new_context()
        tab = await context.new_page()
        try:
            await tab.goto(f"{recorder.address}/begin")
            await tab.goto(f"{proxy.endpoint}?{QUERY}")
            await proxy.person.sign_in_with(tab, "eve")
            await tab.wait_for_url(f"{recorder.address}/ui/login/login/jwt/callback?handle=h")
        finally:
            await context.close()
        cookies = {request.url.path: request.cookies for request in recorder.seen}

    assert cookies[AUTHORIZE] == {}
    assert cookies["/ui/login/login/jwt/callback"] == {"browser": "cookie-of-portico"}
