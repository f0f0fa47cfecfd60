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
    """Registers a post-logout redirect URI for both applications."""
    service.peers.register("web", post_logout_redirect_uris=(GOODBYE, f"{GOODBYE}?keep=1"))
    service.peers.register("other", post_logout_redirect_uris=("https://other.example.test/bye",))
    return service


async def sign_in(authz: AuthzService, browser: FakeBrowser, name: str = "ada", **more: str) -> str:
    """Signs in and returns the application's id_token."""
    landing = await browser.sign_in(name, prompt="login", **more)
    grant = (
        await authz.bus.call(
            REDEEM_CODE, RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
        )
    ).grant
    assert grant is not None
    return hint_of(authz, sub=grant.user_id, sid=grant.session_id)


def hint_of(authz: AuthzService, **claims: object) -> str:
    """Returns an expired id_token of Ada."""
    return authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id, "aud": ["web"], "azp": "web", "exp": 1, **claims})


def logout_in(response: httpx.Response) -> str:
    """Returns the id of the stored logout from a redirect to the confirmation."""
    location = urlsplit(response.headers["location"])
    assert (response.status_code, location.path) == (303, http.LOGOUT)
    [id] = parse_qs(location.query)["request"]
    return id


async def count_accounts(browser: FakeBrowser) -> int:
    response = await browser.authorize(prompt="select_account")
    return len((await browser.ask(response.headers["location"].partition("=")[2])).accounts)


def assert_error_page(response: httpx.Response, error_code: str, status: int = 400) -> None:
    assert response.status_code == status
    assert "location" not in response.headers
    assert 'id="error-page"' in response.text
    assert error_code in response.text
