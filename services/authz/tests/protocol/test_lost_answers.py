"""Idempotent retries: only an identical authentication restores a lost response (LG-11, LG-14)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_authz.domain.submission import MAX_RETRIES, RETRY_WINDOW_SECONDS
from portico_contracts import events
from portico_contracts.authz import LIST_SESSIONS, ListSessions
from portico_contracts.login import Problem, Step
from portico_contracts.login_steps.register import Registration
from portico_contracts.step_names import StepName
from portico_contracts.users import VERIFY_PASSWORD
from portico_fakes.authz_service import (
    ADA,
    BOB,
    PASSWORD,
    RIGHT_CODE,
    AuthzService,
    FakeBrowser,
    Landing,
    request_in,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.login_messages import read_step
from portico_fakes.memory_bus import MemoryBus

NEW = "another horse battery"
BOBS = "what only Bob knows"
EVE = Registration(email="eve@mail.test", first_name="Eve", last_name="Adams", password="a long enough one")


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.passwords[BOB.user_id] = BOBS
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def lose(browser: FakeBrowser, id: str, shown: Any, **fields: object) -> str:
    """Sends a form whose response is lost; returns the handle that the browser does not learn."""
    response = await browser.answer_raw(id, shown, **fields)
    assert response.status_code == 200, response.text
    return handle_in(read_step(response.content))


def handle_in(step: Any) -> str:
    return str(step.set_cookie).partition(";")[0].partition("=")[2]


async def named_and_lost(browser: FakeBrowser) -> tuple[str, Step, str]:
    """Loses the response to Ada's right password; her browser has the old handle."""
    id = await browser.begin()
    shown = await browser.name(id)
    return id, shown, await lose(browser, id, shown, password=PASSWORD)


async def sessions_of(bus: MemoryBus, user_id: str) -> int:
    return len((await bus.call(LIST_SESSIONS, ListSessions(user_id=user_id))).sessions)


async def refused(browser: FakeBrowser, id: str, shown: Any, **fields: object) -> str:
    response = await browser.answer_raw(id, shown, **fields)
    assert response.status_code in (403, 404), response.text
    return str(response.json()["details"][0]["id"])


async def test_resubmitted_form_signs_in(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    """The browser gets the lost handle, with one session and one event."""
    id, shown, lost = await named_and_lost(browser)
    done = await browser.answer(id, shown, password=PASSWORD)
    landing = Landing(await browser.get(done.continue_to))
    await authz.publisher.settle()
    events_published = [subject for subject, _ in bus.published]

    assert (done.name, browser.handle) == (StepName.DONE, lost)
    assert "code" in landing.query
    assert await sessions_of(bus, ADA.user_id) == 1
    assert (
        events_published.count(events.SESSION_STARTED.subject)
        == events_published.count(events.LOGIN_SUCCEEDED.subject)
        == 1
    )


async def test_reload_requests_the_password_and_signs_in(browser: FakeBrowser) -> None:
    id, shown, lost = await named_and_lost(browser)
    again = await browser.ask(id)
    wrong = await browser.answer(id, again, password="mistyped")
    done = await browser.answer(id, wrong, password=PASSWORD)

    assert (again.name, again.problem, again.login_name) == (StepName.PASSWORD, Problem.NONE, shown.login_name)
    assert (again.set_cookie, wrong.set_cookie) == ("", "")
    assert wrong.problem is Problem.WRONG_CREDENTIALS
    assert (done.name, browser.handle) == (StepName.DONE, lost)


async def test_old_handle_is_useless_without_the_password(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """An attacker may have planted handle, request and CSRF value, so users counts every attempt (LG-11)."""
    id, shown, _ = await named_and_lost(browser)
    thief = authz.browser()
    thief.handle = browser.handle
    before = len(authz.peers.attempts)
    wrong = [await thief.answer(id, shown, password=guess) for guess in ("wrong", "also wrong")]
    empty = await thief.answer(id, shown, password="")

    assert [step.problem for step in wrong] == [Problem.WRONG_CREDENTIALS] * 2
    assert (empty.name, empty.problem) == (StepName.PASSWORD, Problem.NONE)
    assert not any(step.set_cookie for step in (*wrong, empty))
    assert len(authz.peers.attempts) == before + 2
    assert (await thief.get(f"/oauth/v2/authorize/resume?request={id}")).status_code == 404
    assert Landing(await thief.authorize(prompt="none")).query["error"] == "login_required"


async def test_another_users_password_is_rejected(authz: AuthzService, browser: FakeBrowser) -> None:
    """The password of another account does not open this user's session (LG-11)."""
    id, shown, _ = await named_and_lost(browser)
    bobs = await browser.answer(id, shown, login_name="bob", password=BOBS)
    renamed = replace(ADA, user_name="ada-before", login_name="ada-before@example.test")
    authz.peers.people |= {ADA.user_id: renamed, BOB.user_id: replace(BOB, user_name="ada")}
    authenticated = await browser.answer(id, shown, password=BOBS)

    assert [step.problem for step in (bobs, authenticated)] == [Problem.WRONG_CREDENTIALS] * 2
    assert not bobs.set_cookie
    assert not authenticated.set_cookie
    assert authz.peers.proved[-1] == BOB.user_id


@pytest.mark.parametrize("seconds", [RETRY_WINDOW_SECONDS, RETRY_WINDOW_SECONDS + 1, 600])
async def test_retry_is_refused_after_half_a_minute(browser: FakeBrowser, clock: FrozenClock, seconds: int) -> None:
    """The old handle is unknown from then on, for forms and pages."""
    id, shown, _ = await named_and_lost(browser)
    clock.tick(seconds)

    assert await refused(browser, id, shown, password=PASSWORD) == "AUTHZ-030"
    assert (await browser.ask_raw(id)).status_code == 404


async def test_retry_is_accepted_within_the_window(browser: FakeBrowser, clock: FrozenClock) -> None:
    id, shown, lost = await named_and_lost(browser)
    clock.tick(RETRY_WINDOW_SECONDS - 0.5)
    await browser.answer(id, shown, password=PASSWORD)

    assert browser.handle == lost


async def test_form_is_retried_a_few_times_only(browser: FakeBrowser) -> None:
    """Each retry returns the same handle, and the next one is refused even with the password (LG-14)."""
    id, shown, lost = await named_and_lost(browser)
    old = browser.handle
    handles = []
    for _ in range(MAX_RETRIES):
        browser.handle = old
        handles.append(handle_in(await browser.answer(id, shown, password=PASSWORD)))
    browser.handle = old

    assert handles == [lost] * MAX_RETRIES
    assert await refused(browser, id, shown, password=PASSWORD) == "LOGIN-001"


@pytest.mark.parametrize(
    "changes",
    [
        {"csrf": ""},
        {"csrf": "00" + "A" * 43},
        {"step": StepName.LOGIN_NAME, "login_name": "bob"},
        {"step": StepName.VERIFY_EMAIL, "code": RIGHT_CODE},
        {"step": StepName.CHANGE_PASSWORD, "new_password": PASSWORD},
        {"cancel": True},
        {"restart": True},
    ],
)
async def test_only_the_same_form_is_accepted_with_the_old_handle(
    authz: AuthzService, browser: FakeBrowser, changes: dict[str, object]
) -> None:
    """Any other form gets 403, and neither users nor the stored request is touched (LG-14)."""
    id, shown, _ = await named_and_lost(browser)
    before, attempts = await authz.stores.requests.find(id), len(authz.peers.attempts)

    assert await refused(browser, id, shown, **{"password": PASSWORD, **changes}) == "LOGIN-001"
    assert await authz.stores.requests.find(id) == before
    assert len(authz.peers.attempts) == attempts


async def test_earlier_form_is_not_accepted_again(browser: FakeBrowser) -> None:
    """Only the last submitted form can be retried (LG-14)."""
    id = await browser.begin()
    first = await browser.name(id)
    second = await browser.answer(id, first, password="wrong")
    await lose(browser, id, second, password=PASSWORD)

    assert await refused(browser, id, first, password=PASSWORD) == "LOGIN-001"


async def test_other_handle_is_not_accepted(authz: AuthzService, browser: FakeBrowser) -> None:
    """An invented handle, an earlier one and another browser's are refused (LG-11)."""
    await browser.sign_in()
    older = browser.handle
    await browser.sign_in(prompt="login")
    id = await browser.begin(prompt="login")
    shown = await browser.name(id)
    await lose(browser, id, shown, password=PASSWORD)
    stranger = authz.browser()
    await stranger.begin()
    errors = []
    for handle in ("00" + "A" * 43, older, stranger.handle):
        browser.handle = handle
        errors.append(await refused(browser, id, shown, password=PASSWORD))

    assert errors == ["AUTHZ-030", "AUTHZ-030", "AUTHZ-031"]


async def test_another_request_is_not_opened(browser: FakeBrowser) -> None:
    """With the old handle another request starts again as in a new browser."""
    other = await browser.begin()
    other_form = await browser.name(other)
    await named_and_lost(browser)
    step = await browser.answer(other, other_form, password=PASSWORD)
    begun = await browser.ask(request_in(await browser.get(step.continue_to)))

    assert step.set_cookie == ""
    assert (begun.name, begun.login_name, begun.accounts) == (StepName.LOGIN_NAME, "", ())


async def test_retry_ends_with_the_session(authz: AuthzService, browser: FakeBrowser) -> None:
    """After a logout or another sign-in the old form restores nothing."""
    id, shown, lost = await named_and_lost(browser)
    old, browser.handle = browser.handle, lost
    logout = (await browser.end_session()).headers["location"].partition("=")[2]
    await browser.confirm_logout(logout, (await browser.get_logout(logout)).csrf)
    browser.handle = old

    assert await refused(browser, id, shown, password=PASSWORD) == "AUTHZ-030"


async def test_later_handle_ends_the_retry(browser: FakeBrowser) -> None:
    """A lost handle that was rotated in turn is not restored (LG-11)."""
    id, shown, lost = await named_and_lost(browser)
    old, browser.handle = browser.handle, lost
    await browser.sign_in(prompt="login")
    browser.handle = old

    assert await refused(browser, id, shown, password=PASSWORD) == "AUTHZ-030"


async def test_retry_after_users_was_unavailable(browser: FakeBrowser, bus: MemoryBus) -> None:
    """Users being unavailable gives 503, and the same form works afterwards (P2)."""
    id, shown, lost = await named_and_lost(browser)
    bus.silent.add(VERIFY_PASSWORD.subject)
    away = await browser.answer_raw(id, shown, password=PASSWORD)
    bus.silent.clear()
    await browser.answer(id, shown, password=PASSWORD)

    assert away.status_code == 503
    assert browser.handle == lost


async def test_retry_after_a_password_change(authz: AuthzService, browser: FakeBrowser) -> None:
    """The retried form is verified with the new password, and the change is not repeated."""
    authz.peers.people[ADA.user_id] = replace(ADA, password_change_required=True)
    id = await browser.begin()
    shown = await browser.log_in(id)
    lost = await lose(browser, id, shown, password=PASSWORD, new_password=NEW)
    wrong = await browser.answer(id, shown, password=PASSWORD, new_password="not that one")
    done = await browser.answer(id, shown, password=PASSWORD, new_password=NEW)

    assert (wrong.problem, wrong.set_cookie) == (Problem.WRONG_CREDENTIALS, "")
    assert (done.name, browser.handle) == (StepName.DONE, lost)
    assert "code" in Landing(await browser.get(done.continue_to)).query


async def test_response_between_two_factors_is_restored(authz: AuthzService, browser: FakeBrowser) -> None:
    """The next step is shown for the lost handle and not for the old one."""
    authz.peers.set_policy("org-1", verified_mail=True)
    id, shown, lost = await named_and_lost(browser)
    seen = await browser.ask(id)
    following = await browser.answer(id, shown, password=PASSWORD)

    assert (seen.name, seen.mail) == (StepName.PASSWORD, "")
    assert (following.name, following.mail) == (StepName.VERIFY_EMAIL, "ada@mail.test")
    assert following.csrf not in ("", shown.csrf)
    assert (browser.handle, len(authz.peers.mailed)) == (lost, 1)


async def test_registration_code_restores_its_response(authz: AuthzService, browser: FakeBrowser) -> None:
    """Only the identical code restores it, and with another code the password is requested."""
    id = await browser.begin(prompt="create")
    shown = await browser.answer(id, await browser.ask(id), registration=EVE)
    lost = await lose(browser, id, shown, code=RIGHT_CODE)
    wrong = await browser.answer(id, shown, code="000000")
    done = await browser.answer(id, shown, code=f" {RIGHT_CODE} ")

    assert (wrong.name, wrong.login_name, wrong.set_cookie) == (StepName.PASSWORD, EVE.email, "")
    assert (done.name, browser.handle) == (StepName.DONE, lost)


async def test_completed_login_is_restored(authz: AuthzService, browser: FakeBrowser) -> None:
    """A sign-in completed because its last requirement was withdrawn is restored."""
    authz.peers.set_policy("org-1", verified_mail=True)
    id = await browser.begin()
    await browser.log_in(id)
    authz.peers.people[ADA.user_id] = replace(ADA, email_verified=True)
    lost = handle_in(await browser.ask(id))
    again = await browser.ask(id)
    await browser.answer(id, again, password=PASSWORD)

    assert again.name is StepName.PASSWORD
    assert browser.handle == lost
