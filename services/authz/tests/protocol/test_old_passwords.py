from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_authz.login.steps.change_password import DAY_SECONDS
from portico_contracts import http
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

NEW = "another horse battery"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    """Ada and Bob set their passwords a short time ago; they must change them after 90 days and one day."""
    authz = AuthzService(clock, bus)
    authz.peers.set_policy("org-1", password_max_age_days=90)
    authz.peers.set_policy("org-2", password_max_age_days=1)
    for user in (ADA, BOB):
        authz.peers.people[user.user_id] = replace(user, password_changed=clock.now())
    authz.peers.now = clock.now()
    return authz


async def step_after(browser: FakeBrowser, password: str) -> StepName:
    id = await browser.begin()
    return StepName((await browser.answer(id, await browser.name(id), password=password)).name)


async def test_expired_password_is_changed_first(authz: AuthzService, clock: FrozenClock) -> None:
    """The maximum age applies to the second, and nothing is granted before the change (LG-08)."""
    clock.tick(90 * DAY_SECONDS - 1)
    young = await step_after(authz.browser(), PASSWORD)
    clock.tick(1)
    browser = authz.browser()
    id = await browser.begin()
    shown = await browser.log_in(id)
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    silent = Landing(await browser.authorize(prompt="none")).query

    assert young is StepName.DONE
    assert (shown.name, shown.problem) == (StepName.CHANGE_PASSWORD, Problem.NONE)
    assert resumed.headers["location"] == f"{http.LOGIN}?request={id}"
    assert silent["error"] == "login_required"
    assert (await browser.ask(id)).name is StepName.CHANGE_PASSWORD


async def test_changed_password_starts_a_new_period(authz: AuthzService, clock: FrozenClock) -> None:
    clock.tick(90 * DAY_SECONDS)
    authz.peers.now = clock.now()
    browser = authz.browser()
    id = await browser.begin()
    done = await browser.answer(id, await browser.log_in(id), password=PASSWORD, new_password=NEW)
    steps = []
    for days in (89, 1):
        clock.tick(days * DAY_SECONDS)
        steps.append(await step_after(authz.browser(), NEW))

    assert done.name is StepName.DONE
    assert steps == [StepName.DONE, StepName.CHANGE_PASSWORD]


async def test_maximum_age_is_the_users_organizations(authz: AuthzService, clock: FrozenClock) -> None:
    """The application's organization does not matter, and 0 days disable the rule."""
    clock.tick(89 * DAY_SECONDS)
    id = await (browser := authz.browser()).begin()
    named = await browser.answer(id, await browser.ask(id), login_name="bob")
    shown = await browser.answer(id, named, password=PASSWORD)
    assert shown.name is StepName.CHANGE_PASSWORD
    assert await step_after(authz.browser(), PASSWORD) is StepName.DONE

    authz.peers.set_policy("org-1", password_max_age_days=0)
    clock.tick(4_000 * DAY_SECONDS)
    assert await step_after(authz.browser(), PASSWORD) is StepName.DONE


async def test_passkey_needs_no_password_change(authz: AuthzService, clock: FrozenClock) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    clock.tick(400 * DAY_SECONDS)
    browser = authz.browser()
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    done = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))

    assert done.name is StepName.DONE


async def test_password_of_unknown_age_needs_no_change(authz: AuthzService, clock: FrozenClock) -> None:
    """An earlier release of users returns no time of change."""
    authz.peers.people[ADA.user_id] = ADA
    clock.tick(400 * DAY_SECONDS)

    assert await step_after(authz.browser(), PASSWORD) is StepName.DONE


async def test_session_ignores_the_password_age(authz: AuthzService, clock: FrozenClock) -> None:
    clock.tick(90 * DAY_SECONDS - 1)
    browser = authz.browser()
    await browser.sign_in()
    clock.tick(1)

    assert "code" in Landing(await browser.authorize(prompt="none")).query
