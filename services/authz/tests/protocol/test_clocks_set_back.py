"""A clock set backward prolongs no lifetime: what was issued in the future, beyond the leeway, is refused (FD-14)."""

from __future__ import annotations

import pytest
from portico_contracts import http
from portico_contracts.authz import LIST_SESSIONS, REDEEM_CODE, ListSessions, RedeemCode
from portico_fakes.authz_service import ADA, CALLBACK, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import ServiceError

HOUR = 3_600


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def redeems(bus: MemoryBus, code: str) -> bool:
    """Reports whether a code is accepted."""
    try:
        redeemed = await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))
    except ServiceError:
        return False
    return redeemed.grant is not None


async def test_code_is_refused_after_a_backward_jump(browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock) -> None:
    """A code is refused 126 seconds after issue, and when the clock returns to its time of issue (FD-14, TK-03)."""
    code = (await browser.sign_in()).query["code"]
    clock.tick(126 - HOUR)
    after_the_jump = await redeems(bus, code)
    clock.tick(HOUR - 126 + 5)

    assert not after_the_jump
    assert not await redeems(bus, code)


@pytest.mark.parametrize(("seconds", "good"), [(-10, True), (-10.5, False)])
async def test_small_clock_difference_is_tolerated(
    browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock, seconds: float, good: bool
) -> None:
    """A replica whose clock is slightly behind redeems another replica's code (FD-14)."""
    code = (await browser.sign_in()).query["code"]
    clock.tick(seconds)

    assert await redeems(bus, code) is good


@pytest.mark.parametrize(("seconds", "good"), [(-10, True), (-11, False)])
async def test_request_from_the_future_is_unknown(
    browser: FakeBrowser, clock: FrozenClock, seconds: int, good: bool
) -> None:
    """An authorization request from the future counts as expired, and the application starts again (FD-14)."""
    id = await browser.begin()
    clock.tick(seconds)
    shown = await browser.ask_raw(id)
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")

    assert (shown.status_code == 200) is good
    assert good or "AUTHZ-030" in shown.text
    assert resumed.status_code == (303 if good else 404)


@pytest.mark.parametrize(("seconds", "good"), [(-10, True), (-11, False), (-HOUR, False)])
async def test_session_from_the_future_is_unusable(
    browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock, seconds: int, good: bool
) -> None:
    """A session from the future is neither used nor listed until the clock is right (FD-14)."""
    await browser.sign_in()
    clock.tick(seconds)
    silent = Landing(await browser.authorize(prompt="none"))
    listed = (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions
    clock.tick(-seconds + 1)

    assert ("code" in silent.query) is good
    assert silent.query.get("error") == (None if good else "login_required")
    assert bool(listed) is good
    assert "code" in Landing(await browser.authorize(prompt="none")).query
