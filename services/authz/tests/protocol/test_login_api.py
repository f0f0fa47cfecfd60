"""The login API: steps, answers, CSRF values, browsers."""

from __future__ import annotations

import httpx
import pytest
from msgspec.structs import replace
from portico_authz.domain.auth_request import Progress
from portico_contracts import http
from portico_contracts.login import Answer, Problem, Step, StepName
from portico_contracts.subjects import decode
from portico_fakes.authz_service import (
    ADA,
    CALLBACK,
    LOGIN_KEY,
    PASSWORD,
    AuthzService,
    FakeBrowser,
    Landing,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_authz import MemoryAuthRequests
from portico_fakes.memory_bus import MemoryBus

STEP = f"{http.LOGIN_API}/00{'A' * 43}/step"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def assert_refused(response: httpx.Response, status: int, error_code: str) -> None:
    assert response.status_code == status
    assert response.json()["details"][0]["id"] == error_code
    assert response.headers["cache-control"] == "no-store"


async def test_the_first_step_has_client_name_and_return_uri(browser: FakeBrowser) -> None:
    """AZ-17: the form-action directive needs the verified redirect URI."""
    shown = await browser.ask(await browser.begin(login_hint="ada@example.test", ui_locales="de-CH en x"))

    assert shown.name is StepName.LOGIN_NAME
    assert (shown.client_name, shown.return_uri) == ("Demo shop", CALLBACK)
    assert shown.login_name == "ada@example.test"
    assert shown.ui_locales == ("de-CH", "en")
    assert shown.csrf


async def test_name_then_password_then_done(browser: FakeBrowser) -> None:
    """The steps of a login follow the whole step table."""
    id = await browser.begin()
    named = await browser.name(id, "  ada  ")
    done = await browser.answer(id, named, password=PASSWORD)

    assert (named.name, named.login_name) == (StepName.PASSWORD, "ada")
    assert done.name is StepName.DONE
    assert done.continue_to == f"{http.AUTHORIZE_RESUME}?request={id}"
    assert done.set_cookie.startswith("__Host-portico-ua-")


async def test_an_unknown_user_and_a_wrong_password_get_the_same_answer(authz: AuthzService) -> None:
    """LG-01: same status, headers, body and next page at both steps."""
    answers = []
    for name in ("ada", "nobody"):
        browser = authz.browser()
        id = await browser.begin()
        named = await browser.name(id, name)
        wrong = await browser.answer_raw(id, named, password="wrong")
        answers.append((_shape(named), wrong.status_code, _shape(decode(wrong.content, Step)), wrong.headers.keys()))

    assert answers[0] == answers[1]
    assert answers[0][2] == (StepName.PASSWORD, Problem.WRONG_CREDENTIALS, 0)


async def test_a_wrong_password_can_be_corrected(browser: FakeBrowser) -> None:
    """The right password is accepted after a wrong one."""
    id = await browser.begin()
    wrong = await browser.answer(id, await browser.name(id), password="wrong")
    done = await browser.answer(id, wrong, password=PASSWORD)

    assert wrong.login_name == "ada"
    assert done.name is StepName.DONE


async def test_too_many_attempts_get_a_delay(authz: AuthzService, browser: FakeBrowser) -> None:
    """LG-05: users counts the attempts; authz returns the delay."""
    authz.peers.wait_seconds = 17
    id = await browser.begin()
    shown = await browser.answer(id, await browser.name(id), password=PASSWORD)

    assert _shape(shown) == (StepName.PASSWORD, Problem.SLOW_DOWN, 17)


async def test_empty_answers_stay_where_they_are(authz: AuthzService, browser: FakeBrowser) -> None:
    """An empty password is wrong without asking users."""
    id = await browser.begin()
    unnamed = await browser.answer(id, await browser.ask(id), login_name="   ")
    named = await browser.answer(id, unnamed, login_name="ada")
    empty = await browser.answer(id, named, password="")

    assert unnamed.name is StepName.LOGIN_NAME
    assert empty.problem is Problem.WRONG_CREDENTIALS
    assert authz.peers.attempts == []


async def test_200_characters_are_accepted_and_201_are_not(authz: AuthzService, browser: FakeBrowser) -> None:
    """LG-15: longer texts are rejected before any request, and the form stays valid."""
    id = await browser.begin()
    shown = await browser.ask(id)
    assert_refused(await browser.answer_raw(id, shown, login_name="n" * 201), 400, "LOGIN-002")

    named = await browser.answer(id, shown, login_name="n" * 200)
    assert_refused(await browser.answer_raw(id, named, password="p" * 201), 400, "LOGIN-002")
    assert (await browser.answer_raw(id, named, password="p" * 100_000)).status_code == 413
    assert authz.peers.attempts == []


async def test_restart_returns_to_the_login_name(browser: FakeBrowser) -> None:
    """Another account can be entered, and the old name corrected."""
    id = await browser.begin()
    named = await browser.name(id, "adda")
    again = await browser.answer(id, named, restart=True)
    corrected = await browser.answer(id, again, login_name="ada")

    assert (again.name, again.login_name) == (StepName.LOGIN_NAME, "adda")
    assert (corrected.name, corrected.login_name) == (StepName.PASSWORD, "ada")


async def test_an_answer_to_another_step_changes_nothing(authz: AuthzService, browser: FakeBrowser) -> None:
    """A password without a login name is never verified; the open step is shown."""
    id = await browser.begin()
    shown = await browser.ask(id)
    early = await browser.answer(id, shown, step=StepName.PASSWORD, password=PASSWORD)
    late = await browser.answer(id, early, step=StepName.DONE)

    assert early.name is late.name is StepName.LOGIN_NAME
    assert authz.peers.attempts == []


@pytest.mark.parametrize("csrf", ["", "x", "00" + "A" * 43])
async def test_a_missing_or_foreign_csrf_value_is_refused(authz: AuthzService, browser: FakeBrowser, csrf: str) -> None:
    """LG-14: a wrong CSRF value gets 403 and changes no state."""
    id = await browser.begin()
    shown = await browser.ask(id)
    for fields in ({"login_name": "eve"}, {"cancel": True}, {"restart": True}):
        assert_refused(await browser.answer_raw(id, shown, **{**fields, "csrf": csrf}), 403, "LOGIN-001")

    stored = await authz.stores.requests.find(id)
    assert stored is not None
    assert (stored.progress, stored.denied, stored.csrf) == (Progress(), False, shown.csrf)


async def test_a_csrf_value_before_any_page_was_shown_is_refused(browser: FakeBrowser) -> None:
    """There is no value in force yet, so none matches, the empty one neither."""
    id = await browser.begin()
    never_shown = Step(name=StepName.LOGIN_NAME)

    assert_refused(await browser.answer_raw(id, never_shown, login_name="ada"), 403, "LOGIN-001")


async def test_a_csrf_value_is_good_for_one_answer(browser: FakeBrowser) -> None:
    """LG-14: used ones and those of another request are refused; each step has its own."""
    id = await browser.begin()
    shown = await browser.ask(id)
    named = await browser.answer(id, shown, login_name="ada")
    other = await browser.ask(await browser.begin())

    assert len({shown.csrf, named.csrf, other.csrf}) == 3
    assert_refused(await browser.answer_raw(id, shown, step=StepName.PASSWORD, password=PASSWORD), 403, "LOGIN-001")
    foreign = replace(named, csrf=other.csrf)
    assert_refused(await browser.answer_raw(id, foreign, password=PASSWORD), 403, "LOGIN-001")
    assert (await browser.answer(id, named, password=PASSWORD)).name is StepName.DONE


async def test_a_reload_does_not_invalidate_the_open_form(browser: FakeBrowser) -> None:
    """Two tabs show the same form, and one submission is accepted."""
    id = await browser.begin()
    first, second = await browser.ask(id), await browser.ask(id)

    assert first.csrf == second.csrf
    assert (await browser.answer(id, first, login_name="ada")).name is StepName.PASSWORD


async def test_an_unprocessed_form_may_be_submitted_again(browser: FakeBrowser, bus: MemoryBus) -> None:
    """P2: without users the answer is 503, and the same form works afterwards."""
    id = await browser.begin()
    named = await browser.name(id)
    bus.down = True
    away = await browser.answer_raw(id, named, password=PASSWORD)
    bus.down = False

    assert away.status_code == 503
    assert away.headers["retry-after"]
    assert (await browser.answer(id, named, password=PASSWORD)).name is StepName.DONE


async def test_without_the_store_it_is_503_and_recovers(authz: AuthzService, browser: FakeBrowser) -> None:
    """P2: an unreachable store is a 503, and the login continues afterwards."""
    id = await browser.begin()
    assert isinstance(authz.stores.requests, MemoryAuthRequests)
    authz.stores.requests.records.down = True
    assert (await browser.ask_raw(id)).status_code == 503

    authz.stores.requests.records.down = False
    assert (await browser.log_in(id)).name is StepName.DONE


async def test_another_browser_is_refused(authz: AuthzService, browser: FakeBrowser) -> None:
    """P3, LG-11: a login in which something was proven cannot continue, or start again, in a victim's browser."""
    authz.peers.people[ADA.user_id] = replace(ADA, password_change_required=True)
    id = await browser.begin()
    shown = await browser.log_in(id)
    victim = authz.browser()
    await victim.begin()

    assert_refused(await victim.ask_raw(id), 403, "AUTHZ-031")
    assert_refused(await victim.answer_raw(id, shown, new_password="x"), 403, "AUTHZ-031")
    assert (await victim.get(f"{http.AUTHORIZE_RESUME}?request={id}")).status_code == 403
    victim.handle = "00" + "A" * 43
    assert_refused(await victim.ask_raw(id), 404, "AUTHZ-030")


@pytest.mark.parametrize("id", ["x", "00" + "A" * 43, "%00", "a" * 3000])
async def test_an_unknown_request_is_refused(browser: FakeBrowser, id: str) -> None:
    """Expired, completed and made-up ids get the same error."""
    await browser.begin()

    assert_refused(await browser.ask_raw(id), 404, "AUTHZ-030")


async def test_a_login_completed_in_another_tab_counts(browser: FakeBrowser) -> None:
    """The step is decided again: the session of the other tab satisfies this request too."""
    first, second = await browser.begin(), await browser.begin()
    open_form = await browser.ask(second)
    await browser.log_in(first)

    assert (await browser.ask(second)).name is StepName.DONE
    assert (await browser.answer(second, open_form, login_name="ada")).name is StepName.DONE
    assert "code" in Landing(await browser.get(f"{http.AUTHORIZE_RESUME}?request={second}")).query


async def test_a_service_user_cannot_sign_in_here(authz: AuthzService, browser: FakeBrowser) -> None:
    """The login pages authenticate human users only."""
    authz.peers.people[ADA.user_id] = replace(ADA, human=False)

    assert (await browser.log_in(await browser.begin())).problem is Problem.WRONG_CREDENTIALS


async def test_a_handle_that_changed_meanwhile_ends_the_sign_in(authz: AuthzService, browser: FakeBrowser) -> None:
    """LG-11: of two sign-ins from one handle only one gets the browser."""
    id = await browser.begin()
    named = await browser.name(id)
    old = browser.handle
    other = await browser.begin(prompt="login")
    await browser.log_in(other)
    browser.handle = old

    assert (await browser.answer(id, named, password=PASSWORD)).set_cookie == ""


async def test_half_a_login_gives_nothing(browser: FakeBrowser) -> None:
    """LG-08: the resume address leads back to the pages until the last step is done."""
    id = await browser.begin()
    await browser.name(id)
    response = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")

    assert response.headers["location"] == f"{http.LOGIN}?request={id}"


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Bearer wrong", f"Basic {LOGIN_KEY}", "Bearer \u00fc"]
)
async def test_only_the_login_pages_may_call(browser: FakeBrowser, header: str | None) -> None:
    """The bearer key is compared before the body is read."""
    headers = {} if header is None else {b"Authorization": header.encode("latin-1")}
    response = await browser.http.post(STEP, content=b'{"browser":"x"}', headers=headers)

    assert_refused(response, 401, "LOGIN-004")


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"browser":1}', b'{"browser":"\\ud800"}', b"[" * 9000, b"\xff"])
async def test_a_body_that_is_no_message_is_refused(browser: FakeBrowser, body: bytes) -> None:
    """Never a 5xx on bad input."""
    response = await browser.http.post(STEP, content=body, headers={"Authorization": f"Bearer {LOGIN_KEY}"})

    assert_refused(response, 400, "PORT-005")


async def test_an_answer_shows_none_of_its_values() -> None:
    """The repr of an answer contains no secret."""
    answer = Answer(browser="h", csrf="c", step=StepName.PASSWORD, password=PASSWORD)

    assert PASSWORD not in repr(answer)


def _shape(step: Step) -> tuple[StepName, Problem, int]:
    return step.name, step.problem, step.retry_after
