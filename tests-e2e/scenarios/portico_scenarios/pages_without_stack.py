"""The pages of login-ui and authz in a real browser without a stack: the applications answer the tab's requests
in process.

The responses of authz are set on `login`, `links` and `logout`, so that every page can be opened separately.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import httpx
from playwright.async_api import Page, Route
from portico_contracts.http import AUTHORIZE, LINK_API, LOGOUT_API
from portico_contracts.login_logout import Logout
from portico_contracts.subjects import encode
from portico_contracts.users import PasskeyBegun
from portico_fakes.fake_link_api import FakeLinkApi
from portico_fakes.fake_login_api import BROWSER, KEY, FakeLoginApi
from portico_fakes.over_httpx import OverHttpx
from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings
from portico_web.cookies import BrowserCookie
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.routing import Route as Path
from starlette.types import ASGIApp

PAGES_ISSUER: Final = "https://id.example.test"


@dataclass
class PagesWithoutStack:
    """The pages of one browser.

    Args:
        authz: the application that answers the authorization endpoint.
        language: of the browser.
        options: credential creation options of the passkey page.
    """

    authz: ASGIApp
    login: FakeLoginApi = field(default_factory=FakeLoginApi)
    links: FakeLinkApi = field(default_factory=FakeLinkApi)
    logout: Logout = field(default_factory=Logout)
    language: str = "en"
    options: str = '{"publicKey": {}}'

    def __post_init__(self) -> None:
        api = Starlette(
            routes=[
                Path(f"{LOGOUT_API}/{{id}}/ask", self._ask_logout, methods=["POST"]),
                Path(f"{LINK_API}/begin-passkey", self._begin_passkey, methods=["POST"]),
                Mount("/", routes=[*self._link_routes(), Mount("/", app=self.login.app)]),
            ]
        )
        settings = Settings(issuer=PAGES_ISSUER, login_api_key=SecretStr(KEY))
        app, _ = create_app(settings, http=OverHttpx(httpx.ASGITransport(api)))
        self._pages = _client(app)
        self._authz = _client(self.authz)

    async def attach(self, tab: Page) -> None:
        """Routes every request of a tab to the issuer to the applications."""
        await tab.route(f"{PAGES_ISSUER}/**", self._answer)

    async def _answer(self, route: Route) -> None:
        request = route.request
        path = request.url.removeprefix(PAGES_ISSUER)
        headers = {
            "Cookie": f"{BrowserCookie(PAGES_ISSUER).name}={BROWSER}",
            "Accept-Language": self.language,
            "Origin": PAGES_ISSUER,
            "Content-Type": request.headers.get("content-type", ""),
        }
        client = self._authz if path.startswith(AUTHORIZE) else self._pages
        answer = await client.request(request.method, path, content=request.post_data_buffer, headers=headers)
        await route.fulfill(status=answer.status_code, headers=dict(answer.headers), body=answer.content)

    def _link_routes(self) -> list[Any]:
        return [route for route in self.links.app.routes if getattr(route, "path", "").startswith(LINK_API)]

    async def _ask_logout(self, _: Request) -> Response:
        return Response(encode(self.logout), media_type="application/json")

    async def _begin_passkey(self, _: Request) -> Response:
        return Response(encode(PasskeyBegun(passkey_id="p-1", options=self.options)), media_type="application/json")


def _client(app: ASGIApp) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=PAGES_ISSUER)
