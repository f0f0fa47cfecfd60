"""What ends the trust in a browser (decision 0100)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts import events, http
from portico_contracts.authz import END_SESSIONS, END_TRUSTED_DEVICE, EndSessions, EndTrustedDevice
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor
from portico_fakes.authz_service import ADA, BOB, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.trusted_browser import (
    DAY,
    DAYS,
    listed,
    prove,
    set_days,
    sign_out,
    step_after_password,
    trust_device,
    trusting_authz,
)


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return trusting_authz(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


@pytest.mark.parametrize("days", [0, 1])
async def test_policy_of_fewer_days_applies_at_once(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, days: int
) -> None:
    await trust_device(browser)
    clock.tick(2 * DAY)
    set_days(authz, days)
    clock.tick(2)

    assert await step_after_password(browser) is StepName.TOTP


async def test_trust_ends_after_its_days(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """Use does not extend it, and neither does a policy of more days."""
    await trust_device(browser)
    set_days(authz, 365)
    clock.tick(2)
    await trust_device(authz.browser())
    clock.tick(DAYS * DAY - 62)
    assert await step_after_password(browser) is StepName.DONE
    clock.tick(60)
    late = await step_after_password(browser)

    assert late is StepName.TOTP


async def test_changed_credentials_end_the_trust(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """The service users counts changes of the password, of factors and of the state in the epoch."""
    await trust_device(browser)
    authz.peers.people[ADA.user_id] = replace(authz.peers.people[ADA.user_id], trust_epoch=1)
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.TOTP


async def test_credentials_changed_after_the_factor_begin_no_trust(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The epoch is that of the proof, not that of the end of the sign-in."""
    ada = authz.peers.people[ADA.user_id]
    authz.peers.people[ADA.user_id] = replace(ada, password_change_required=True)
    id = await browser.begin()
    assert (await prove(browser, id, await browser.log_in(id))).name is StepName.CHANGE_PASSWORD
    authz.peers.people[ADA.user_id] = replace(ada, trust_epoch=1)
    await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    await browser.ask(id)
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.TOTP


async def test_factor_that_the_policy_no_longer_accepts_is_not_trusted(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.TOTP, Factor.OTP_EMAIL)
    await trust_device(browser)
    policy = authz.peers.policies["org-1"]
    authz.peers.policies["org-1"] = replace(policy, factors=(Factor.OTP_EMAIL,))
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.OTP_EMAIL


async def test_user_without_a_usable_factor_is_not_signed_in_by_trust(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    await trust_device(browser)
    policy = authz.peers.policies["org-1"]
    authz.peers.policies["org-1"] = replace(policy, factors=(Factor.U2F,), force_mfa=True)
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.FACTOR_MISSING


async def test_copied_cookie_ends_the_trust(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """Each sign-in replaces the handle; a later use of the earlier one ends the trust for both (LG-11)."""
    await trust_device(browser)
    thief = authz.browser()
    thief.handle = browser.handle
    clock.tick(2 * DAY)
    assert await step_after_password(browser) is StepName.DONE
    clock.tick(2 * DAY)

    assert await step_after_password(thief) is StepName.TOTP
    assert await step_after_password(browser) is StepName.TOTP


async def test_cookie_from_before_the_sign_out_ends_the_trust(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    await trust_device(browser)
    thief = authz.browser()
    thief.handle = browser.handle
    await sign_out(browser)
    clock.tick(60)
    await thief.begin()

    assert await step_after_password(browser) is StepName.TOTP


async def test_overtaken_request_does_not_end_the_trust(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """Several tabs of a browser sign in at once, and one still sends the earlier cookie."""
    await trust_device(browser)
    tab = authz.browser()
    tab.handle = browser.handle
    clock.tick(2 * DAY)
    assert await step_after_password(browser) is StepName.DONE
    await tab.begin()
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.DONE


async def test_devices_are_listed_and_ended_one_by_one(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    """The next request gets a factor, also in a session of the device, and the start and the end are events."""
    other = authz.browser()
    await trust_device(other)
    clock.tick(60)
    await trust_device(browser)
    latest, first = await listed(authz)
    assert (latest.since - first.since, latest.until - latest.since) == (60, DAYS * DAY)

    clock.tick(DAY * 0.9)
    ends = [EndTrustedDevice(user_id=user, device_id=latest.device_id) for user in (BOB.user_id, ADA.user_id)]
    ended = [(await bus.call(END_TRUSTED_DEVICE, one)).ended for one in (*ends, ends[-1])]
    assert ended == [False, True, False]
    assert [device.device_id for device in await listed(authz)] == [first.device_id]
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "interaction_required"
    assert "code" in Landing(await other.authorize(prompt="none")).query
    await authz.publisher.settle()
    published = [subject for subject, body in bus.published if isinstance(body, events.LoginEvent)]
    trust = [subject for subject in published if ".trust." in subject]
    assert trust == [events.TRUST_STARTED.subject] * 2 + [events.TRUST_ENDED.subject]


async def test_ending_all_sessions_ends_all_trust(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    """One session, or all but one, keep it."""
    await trust_device(browser)
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id, but_session_id="another"))
    assert len(await listed(authz)) == 1

    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    assert await listed(authz) == ()
    assert await step_after_password(browser) is StepName.TOTP


async def test_list_has_only_what_is_trusted_now(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """Of a policy of fewer days the earlier end, and nothing after a change of credentials."""
    await trust_device(browser)
    set_days(authz, 7)
    clock.tick(2)
    [device] = await listed(authz)
    assert device.until - device.since == 7 * DAY

    authz.peers.people[ADA.user_id] = replace(authz.peers.people[ADA.user_id], trust_epoch=1)
    clock.tick(2)
    assert await listed(authz) == ()
    assert await listed(authz, "unknown") == ()
