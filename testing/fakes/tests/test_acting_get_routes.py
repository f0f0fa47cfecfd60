"""A HEAD, and a GET of a browser ahead of its user, reach no path that acts on GET (RFC 9110 §9.2.1, decision 0117)."""

from __future__ import annotations

from typing import Any, Final

import httpx
import pytest
from portico_contracts import http
from portico_fakes.authz_service import ADA, ISSUER, AuthzService, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ConsoleService
from portico_fakes.fake_login_api import KEY, FakeLoginApi
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.over_httpx import OverHttpx
from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings
from portico_web.acting_get import acts_on_get
from portico_web.cookies import BrowserCookie
from pydantic import SecretStr
from starlette.routing import Route

ACTING: Final = {
    "/oauth/v2/authorize",
    "/oauth/v2/authorize/resume",
    "/oidc/v1/end_session",
    "/ui/login",
    "/ui/login/idps/{id}/callback",
    "/ui/login/login/jwt/authorize",
    "/ui/login/login/jwt/callback",
    "/ui/console/callback",
    "/ui/account/callback",
}
"""Beside the pages of console and account page, which show notices and secrets once."""

READING: Final = {
    "/",
    "/.well-known/change-password",
    "/.well-known/openid-configuration",
    "/.well-known/passkey-endpoints",
    "/.well-known/webauthn",
    "/ui/login/branding/{name}.css",
    "/ui/login/device",
    "/ui/login/first-run",
    "/ui/login/logged-out",
    "/ui/login/logout",
    "/ui/login/mail/verification",
    "/ui/login/passkey/registration",
    "/ui/login/password/forgot",
    "/ui/login/password/init",
    "/ui/login/recovery",
    "/ui/console/",
    "/ui/account/",
    "/ui/console/signed-out",
    "/ui/account/signed-out",
}
"""They show a button, whose form acts, or what is public."""

AHEAD: Final = (
    {"Sec-Purpose": "prefetch"},
    {"Sec-Purpose": "prefetch;prerender"},
    {"Sec-Purpose": "Prerender"},
    {"Sec-Purpose": "prefetch;anonymous-client-ip"},
    {"Purpose": "prefetch"},
    {"Purpose": "prerender"},
)


def _login_ui(api: FakeLoginApi) -> Any:
    settings = Settings(issuer=ISSUER, login_api_key=SecretStr(KEY))
    return create_app(settings, http=OverHttpx(httpx.ASGITransport(api.app)))[0]


def _routes(app: Any) -> list[Route]:
    """The plain routes that answer GET, behind the middleware."""
    while not hasattr(app, "router"):
        app = app._app
    return [route for route in app.router.routes if type(route) is Route and "GET" in (route.methods or ())]


def test_every_path_that_answers_get_is_listed(clock: FrozenClock, bus: MemoryBus) -> None:
    """A new path of a service with cookies acts or reads; static files are left alone."""
    apps = [AuthzService(clock, bus).app, _login_ui(FakeLoginApi()), ConsoleService(clock).app]
    routes = [route for app in apps for route in _routes(app)]
    files = ("/ui/login/static/", "/ui/console/static/")
    found = {route.path: acts_on_get(route.endpoint) for route in routes if not route.path.startswith(files)}
    pages = {path for path in found if path.startswith(("/ui/console", "/ui/account"))} - ACTING - READING
    acting = {path for path, acts in found.items() if acts}

    assert acting == ACTING | pages
    assert found.keys() - acting == READING
    assert len(pages) > 50


@pytest.mark.parametrize("headers", [None, *AHEAD])
async def test_request_without_effect_ends_no_session(
    clock: FrozenClock, bus: MemoryBus, headers: dict[str, str] | None
) -> None:
    """The session survives with and without the cookie of its browser, although the same GET by a link would end it."""
    authz = AuthzService(clock, bus, logout_confirm="never")
    browser = authz.browser()
    await browser.sign_in()
    [sid] = await authz.stores.sessions.list_sids(ADA.user_id)
    client = httpx.AsyncClient(transport=httpx.ASGITransport(authz.app), base_url=ISSUER)
    for cookie in ({"Cookie": f"{BrowserCookie(ISSUER).name}={browser.handle}"}, {}):
        method = "HEAD" if headers is None else "GET"
        answer = await client.request(method, http.END_SESSION, headers={**cookie, **(headers or {})})
        assert (answer.status_code, answer.content) == (200 if headers is None else 403, b"")
        assert answer.headers["cache-control"] == "no-store"
        assert "set-cookie" not in answer.headers
    found = await authz.stores.sessions.find(sid)
    silent = Landing(await browser.authorize(prompt="none"))
    await browser.end_session()
    ended = await authz.stores.sessions.find(sid)

    assert found is not None
    assert not found.ended
    assert "code" in silent.query
    assert ended is None or ended.ended


@pytest.mark.parametrize("path", sorted(ACTING))
async def test_request_without_effect_reaches_no_acting_path(clock: FrozenClock, bus: MemoryBus, path: str) -> None:
    """None of them is answered by its endpoint, which would redirect, or refuse the request as incomplete."""
    api = FakeLoginApi()
    apps = {
        "/ui/login": _login_ui(api),
        "/ui/console": (console := ConsoleService(clock)).app,
        "/ui/account": console.app,
        "/": AuthzService(clock, bus).app,
    }
    app = next(app for prefix, app in apps.items() if path.startswith(prefix))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ISSUER) as client:
        url = path.replace("{id}", "acme")
        head = await client.head(url, params={"state": "s", "code": "c"})
        ahead = [await client.get(url, params={"state": "s", "code": "c"}, headers=one) for one in AHEAD]

    assert (head.status_code, head.content) == (200, b"")
    assert [(one.status_code, one.content) for one in ahead] == [(403, b"")] * len(AHEAD)
    assert (api.returned, bus.called) == ([], [])
