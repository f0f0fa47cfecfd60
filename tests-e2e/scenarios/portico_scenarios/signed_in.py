"""Cookies of a user who signed in without a browser, because walking the sign-in pages costs most of a short test."""

from __future__ import annotations

from http.cookiejar import Cookie
from urllib.parse import urlsplit

from playwright.async_api import StorageState, StorageStateCookie

from portico_scenarios.world import World


async def signed_in(world: World, path: str, login_name: str, password: str) -> StorageState:
    """Signs in at a page of the console or the account page, and returns what a browser would store."""
    async with world.agent() as agent:
        page = await agent.sign_in(world.issuer + path, login_name, password)
        assert page.response.url.path == urlsplit(path).path, f"{page.response.url}: {page.response.text[:2000]}"
        host = urlsplit(world.issuer).hostname or ""
        return StorageState(cookies=[_in_a_browser(one, host) for one in agent.http.cookies.jar], origins=[])


def _in_a_browser(cookie: Cookie, host: str) -> StorageStateCookie:
    return StorageStateCookie(
        name=cookie.name,
        value=cookie.value or "",
        domain=host,
        path=cookie.path,
        expires=cookie.expires or -1,
        httpOnly=True,
        secure=cookie.secure,
        sameSite="Lax",
    )
