"""How many codes of devices may be tried (decision 0094)."""

from __future__ import annotations

import pytest
from portico_authz.authorize.device.open import MOST_IN_ALL, MOST_OF_ADDRESS, TRIES_SECONDS
from portico_contracts.login import Problem
from portico_fakes.authz_service import AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.device_sign_in import authz_for_devices, begin, enter
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return authz_for_devices(clock, bus)


async def test_tries_are_limited(authz: AuthzService, bus: MemoryBus, clock: FrozenClock) -> None:
    """Right codes do not count; the limits of one address and of all hold for right codes too, until the time is over."""
    browser, code = authz.browser(), (await begin(bus)).user_code
    for _ in range(MOST_OF_ADDRESS):
        assert (await enter(browser, code)).continue_to
        assert (await enter(browser, "BCDFGHJK")).problem is Problem.WRONG_CODE
    here, elsewhere = await enter(browser, code), await enter(browser, code, "192.0.2.1")
    for _ in range(MOST_IN_ALL):
        await authz.stores.tries.count("device codes", TRIES_SECONDS)
    everywhere = await enter(browser, code, "192.0.2.1")
    clock.tick(TRIES_SECONDS)
    later = await enter(browser, (await begin(bus)).user_code)

    assert [one.problem for one in (here, everywhere)] == [Problem.SLOW_DOWN] * 2
    assert here.retry_after == TRIES_SECONDS
    assert elsewhere.continue_to
    assert later.continue_to


async def test_one_address_cannot_use_up_the_tries_of_all(authz: AuthzService, bus: MemoryBus) -> None:
    """Tries that are refused because of their own address do not count for other addresses (decision 0094)."""
    browser, code = authz.browser(), (await begin(bus)).user_code
    for _ in range(MOST_OF_ADDRESS + 1):
        refused = await enter(browser, "BCDFGHJK", "198.51.100.66")
    for _ in range(MOST_IN_ALL - MOST_OF_ADDRESS - 1):
        await authz.stores.tries.count("device codes", TRIES_SECONDS)
    elsewhere = await enter(browser, code, "192.0.2.1")

    assert refused.problem is Problem.SLOW_DOWN
    assert elsewhere.continue_to


async def test_tries_refused_for_all_do_not_count_for_an_address(
    authz: AuthzService, bus: MemoryBus, clock: FrozenClock
) -> None:
    """When the time of all is over, an address has all its own tries (decision 0094)."""
    browser = authz.browser()
    for _ in range(MOST_IN_ALL):
        await authz.stores.tries.count("device codes", TRIES_SECONDS)
    clock.tick(TRIES_SECONDS - 1)
    refused = [await enter(browser, "BCDFGHJK") for _ in range(MOST_OF_ADDRESS + 1)]
    clock.tick(1)
    later = await enter(browser, (await begin(bus)).user_code)

    assert {one.problem for one in refused} == {Problem.SLOW_DOWN}
    assert later.continue_to
