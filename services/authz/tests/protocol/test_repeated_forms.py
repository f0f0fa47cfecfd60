"""One form submitted twice concurrently, or again after a replica died (LG-11, LG-14)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from portico_authz.domain.browser import Browser
from portico_authz.domain.submission import RETRY_WINDOW_SECONDS
from portico_contracts import events
from portico_contracts.authz import LIST_SESSIONS, ListSessions
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import VERIFY_PASSWORD, PasswordVerified, VerifyPassword
from portico_fakes.authz_service import ADA, BOB, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.login_messages import read_step
from portico_fakes.memory_authz import MemoryAuthRequests, MemoryBrowsers, memory_authz_stores
from portico_fakes.memory_bus import MemoryBus
from portico_harness.eventually import HANGS


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def handle_in(step: Any) -> str:
    return str(step.set_cookie).partition(";")[0].partition("=")[2]


async def test_form_submitted_twice_concurrently_signs_in_once(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """Both submissions are verified and get the same handle and one session."""
    id = await browser.begin()
    shown = await browser.name(id)
    both = asyncio.Barrier(2)

    async def verify(_: VerifyPassword) -> PasswordVerified:
        await both.wait()
        return PasswordVerified(user=ADA)

    bus.respond(VERIFY_PASSWORD, verify)
    async with asyncio.timeout(HANGS):
        answers = await asyncio.gather(*(browser.answer_raw(id, shown, password=PASSWORD) for _ in range(2)))
    steps = [read_step(answer.content) for answer in answers]
    browser.handle = handle_in(steps[1])
    await authz.publisher.settle()

    assert [step.name for step in steps] == [StepName.DONE] * 2
    assert steps[0].set_cookie == steps[1].set_cookie != ""
    assert "code" in Landing(await browser.get(steps[1].continue_to)).query
    assert len((await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions) == 1
    assert [subject for subject, _ in bus.published].count(events.SESSION_STARTED.subject) == 1


async def test_two_users_of_one_form_do_not_share_a_browser(browser: FakeBrowser, bus: MemoryBus) -> None:
    """If a login name changes its owner in between, the second user is rejected (LG-11)."""
    id = await browser.begin()
    shown = await browser.name(id)
    both, users = asyncio.Barrier(2), [ADA, BOB]

    async def verify(_: VerifyPassword) -> PasswordVerified:
        user = users.pop()
        await both.wait()
        return PasswordVerified(user=user)

    bus.respond(VERIFY_PASSWORD, verify)
    async with asyncio.timeout(HANGS):
        answers = await asyncio.gather(*(browser.answer_raw(id, shown, password=PASSWORD) for _ in range(2)))

    assert sorted(answer.status_code for answer in answers) == [200, 400]


async def test_replica_dying_before_the_rotation_loses_nothing(
    browser: FakeBrowser, authz: AuthzService, bus: MemoryBus
) -> None:
    """Only the CSRF value is used up, so the form may be resubmitted or the page reloaded."""
    id = await browser.begin()
    shown = await browser.name(id)
    stored = await authz.stores.requests.find(id)
    bus.silent.add(VERIFY_PASSWORD.subject)
    await browser.answer_raw(id, shown, password=PASSWORD)
    assert stored is not None
    await authz.stores.requests.replace_csrf(id, shown.csrf, "the next one, which nobody was told")
    bus.silent.clear()

    assert (await browser.ask(id)).csrf == "the next one, which nobody was told"
    assert (await browser.answer(id, shown, password=PASSWORD)).name is StepName.DONE


async def test_wrong_password_sent_again_is_wrong_again(authz: AuthzService, browser: FakeBrowser) -> None:
    """Each submission counts as an attempt, and the newest form is valid (LG-05)."""
    id = await browser.begin()
    shown = await browser.name(id)
    first, second = [await browser.answer(id, shown, password="wrong") for _ in range(2)]

    assert first.problem is second.problem is Problem.WRONG_CREDENTIALS
    assert first.csrf == second.csrf != shown.csrf
    assert len(authz.peers.attempts) == 2
    assert (await browser.answer(id, second, password=PASSWORD)).name is StepName.DONE


@pytest.mark.parametrize(
    ("changes", "status"), [({"cancel": True}, 200), ({"restart": True}, 200), ({"step": StepName.LOGIN_NAME}, 403)]
)
async def test_only_a_password_form_is_accepted_twice(
    authz: AuthzService, browser: FakeBrowser, changes: dict[str, object], status: int
) -> None:
    """A used CSRF value of any other form changes nothing (LG-14)."""
    id = await browser.begin()
    shown = await browser.name(id)
    await browser.answer(id, shown, password="wrong")
    before = await authz.stores.requests.find(id)
    again = await browser.answer_raw(id, shown, **{"login_name": "bob", "password": PASSWORD, **changes})

    assert again.status_code == status
    assert await authz.stores.requests.find(id) == before


async def test_form_of_another_step_is_not_a_password_form(authz: AuthzService, browser: FakeBrowser) -> None:
    """The used value of the login name page is not accepted for a password (LG-14)."""
    id = await browser.begin()
    first = await browser.ask(id)
    await browser.answer(id, first, login_name="ada")

    assert (await browser.answer_raw(id, first, step=StepName.PASSWORD, password=PASSWORD)).status_code == 403
    assert authz.peers.attempts == []


async def test_form_is_accepted_again_for_half_a_minute(browser: FakeBrowser, clock: FrozenClock) -> None:
    """Afterwards its CSRF value is used up like any other (LG-14)."""
    id = await browser.begin()
    shown = await browser.name(id)
    await browser.answer(id, shown, password="wrong")
    clock.tick(RETRY_WINDOW_SECONDS)

    assert (await browser.answer_raw(id, shown, password=PASSWORD)).status_code == 403


async def test_form_before_another_sign_in_is_refused(browser: FakeBrowser) -> None:
    """The form was submitted with a handle that has been rotated (LG-11)."""
    id = await browser.begin(prompt="login")
    shown = await browser.name(id)
    await browser.answer(id, shown, password="wrong")
    await browser.sign_in("bob")
    again = await browser.answer_raw(id, shown, password=PASSWORD)

    assert (await browser.ask(id)).name is StepName.PASSWORD
    assert again.status_code == 403


class Overtaken(MemoryBrowsers):
    """Runs a step before the next lookup of a browser."""

    before: Callable[[], Awaitable[object]] | None = None

    async def find(self, handle: str) -> Browser | None:
        before, self.before = self.before, None
        if before is not None:
            await before()
        return await super().find(handle)


async def test_form_arriving_during_the_rotation_is_accepted(clock: FrozenClock, bus: MemoryBus) -> None:
    """The request is read before the rotation and the browser after it, and both get the same handle."""
    stores = memory_authz_stores(clock)
    assert isinstance(stores.requests, MemoryAuthRequests)
    browsers = Overtaken(clock, stores.requests)
    authz = AuthzService(clock, bus, replace(stores, browsers=browsers))
    fast, slow = authz.browser(), authz.browser()
    id = await fast.begin()
    shown = await fast.name(id)
    old = slow.handle = fast.handle
    browsers.before = partial(fast.answer, id, shown, password=PASSWORD)
    step = await slow.answer(id, shown, password=PASSWORD)

    assert step.name is StepName.DONE
    assert slow.handle == fast.handle != old
