from __future__ import annotations

import httpx
import pytest
from portico_contracts import http
from portico_contracts.login import Accounts, GetAccounts
from portico_contracts.subjects import decode, encode
from portico_fakes.authz_logouts import logout_in, sign_in
from portico_fakes.authz_service import LOGIN_KEY, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


async def _ask(browser: FakeBrowser, handle: str, key: str = LOGIN_KEY) -> httpx.Response:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    return await browser.http.post(http.ACCOUNTS_API, content=encode(GetAccounts(browser=handle)), headers=headers)


async def _names(browser: FakeBrowser, handle: str) -> list[str]:
    answer = await _ask(browser, handle)
    assert answer.status_code == 200, answer.text
    return [account.login_name for account in decode(answer.content, Accounts).accounts]


async def test_accounts_of_this_browser_are_listed(authz: AuthzService) -> None:
    """The last used account is first, and accounts of other browsers are not listed."""
    own, other, nobody = authz.browser(), authz.browser(), authz.browser()
    await sign_in(authz, own, "ada")
    await sign_in(authz, own, "bob")
    await sign_in(authz, other, "bob")

    assert await _names(own, own.handle) == ["bob", "ada"]
    assert await _names(other, other.handle) == ["bob"]
    assert await _names(nobody, "-") == await _names(nobody, "") == []
    assert await _names(nobody, own.handle[:-2] + "xx") == []


async def test_only_login_pages_may_list_accounts(authz: AuthzService) -> None:
    """Without the login API key a caller cannot list the accounts of a handle (P3)."""
    browser = authz.browser()
    await sign_in(authz, browser)
    answer = await _ask(browser, browser.handle, key="x" * 40)

    assert answer.status_code == 401
    assert '"ada"' not in answer.text


async def test_ended_sessions_are_not_listed(authz: AuthzService, clock: FrozenClock) -> None:
    left, stayed = authz.browser(), authz.browser()
    await sign_in(authz, left)
    await sign_in(authz, stayed)
    handle = left.handle
    id = logout_in(await left.end_session())
    await left.confirm_logout(id, (await left.get_logout(id)).csrf)
    before = await _names(stayed, stayed.handle)
    clock.tick(31 * 86_400)

    assert await _names(left, handle) == []
    assert before == ["ada"]
    assert await _names(stayed, stayed.handle) == []


async def test_listing_accounts_prolongs_no_session(authz: AuthzService, clock: FrozenClock) -> None:
    browser = authz.browser()
    await sign_in(authz, browser)
    clock.tick(23 * 3_600)
    during = await _names(browser, browser.handle)
    clock.tick(2 * 3_600)

    assert during == ["ada"]
    assert await _names(browser, browser.handle) == []
