"""Signing out in tests of authz: id_tokens as applications have them, and what answers look like."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs, urlsplit

import httpx
from portico_contracts import http
from portico_contracts.authz import REDEEM_CODE, RedeemCode

from portico_fakes.authz_service import ADA, CALLBACK, ISSUER, AuthzService, FakeBrowser

GOODBYE: Final = "https://app.example.test/goodbye"
STATE: Final = "-._~" * 32


def with_goodbyes(service: AuthzService) -> AuthzService:
    """A service whose two applications have an address to go to after a logout."""
    service.peers.register("web", post_logout_redirect_uris=(GOODBYE, f"{GOODBYE}?keep=1"))
    service.peers.register("other", post_logout_redirect_uris=("https://other.example.test/bye",))
    return service


async def sign_in(authz: AuthzService, browser: FakeBrowser, name: str = "ada", **more: str) -> str:
    """Signs in and answers the id_token the application then has."""
    landing = await browser.sign_in(name, prompt="login", **more)
    grant = (
        await authz.bus.call(
            REDEEM_CODE, RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
        )
    ).grant
    assert grant is not None
    return hint_of(authz, sub=grant.user_id, sid=grant.session_id)


def hint_of(authz: AuthzService, **claims: object) -> str:
    """An expired id_token of Ada's."""
    return authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id, "aud": ["web"], "azp": "web", "exp": 1, **claims})


def logout_in(response: httpx.Response) -> str:
    """The id of the stored request in an answer that leads to the confirmation."""
    location = urlsplit(response.headers["location"])
    assert (response.status_code, location.path) == (303, http.LOGOUT)
    [id] = parse_qs(location.query)["request"]
    return id


async def count_accounts(browser: FakeBrowser) -> int:
    """How many accounts could be chosen in this browser."""
    response = await browser.authorize(prompt="select_account")
    return len((await browser.ask(response.headers["location"].partition("=")[2])).accounts)


def assert_error_page(response: httpx.Response, error_code: str, status: int = 400) -> None:
    """A page on the service itself, and no redirect."""
    assert response.status_code == status
    assert "location" not in response.headers
    assert 'id="error-page"' in response.text
    assert error_code in response.text
