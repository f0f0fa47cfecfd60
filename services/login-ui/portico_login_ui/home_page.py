"""The page at the issuer's own address: what it is, who is signed in in this browser, where applications read on."""

from __future__ import annotations

from typing import Final

from portico_contracts.http import DISCOVERY, END_SESSION
from portico_contracts.login import Accounts, GetAccounts
from portico_contracts.login_calls import ASK_ACCOUNTS
from portico_web.cookies import BrowserCookie
from portico_web.languages import pick_language, read_languages
from portico_web.pages import page
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.authz_client import AuthzClient

_NAME: Final = "Portico"


class HomePage:
    """Shows it. Nothing changes by looking at it; signing out is a link to the end_session_endpoint, which requests confirmation."""

    def __init__(self, authz: AuthzClient, cookie: BrowserCookie) -> None:
        self._authz = authz
        self._cookie = cookie

    async def show(self, request: Request) -> Response:
        """GET: only the accounts of the browser whose cookie is sent; without a cookie authz is not called."""
        browser = self._cookie.read(request.headers.get("cookie"))
        found = await self._authz.call(ASK_ACCOUNTS, GetAccounts(browser=browser)) if browser else Accounts()
        return page(
            "home.html",
            package="portico_login_ui",
            language=pick_language(read_languages(request)),
            name=_NAME,
            accounts=found.accounts,
            discovery=DISCOVERY,
            end_session=END_SESSION,
        )
