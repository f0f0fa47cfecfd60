from __future__ import annotations

from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from portico_authz.domain.progress import Progress
from portico_contracts import http
from portico_contracts.login import Problem
from portico_contracts.login_steps.password import PasswordAnswer
from portico_contracts.step_names import StepName
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
from portico_fakes.login_messages import read_step, step_of
from portico_fakes.memory_authz import MemoryAuthRequests
from portico_fakes.memory_bus import MemoryBus
from portico_harness.rows import row

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


async def test_first_step_has_client_name_and_return_uri(browser: FakeBrowser) -> None:
    """The form-action directive needs the verified redirect URI (AZ-17)."""
    shown = await browser.ask(await browser.begin(login_hint="ada@example.test", ui_locales="de-CH en x"))

    assert shown.name is StepName.LOGIN_NAME
    assert (shown.client_name, shown.return_uri) == ("Demo shop", CALLBACK)
    assert shown.login_name == "ada@example.test"
    assert shown.ui_locales == ("de-CH", "en")
    assert shown.csrf


async def test_login_name_then_password_then_done(browser: FakeBrowser) -> None:
    id = await browser.begin()
    named = await browser.name(id, "  ada  ")
    done = await browser.answer(id, named, password=PASSWORD)

    assert (named.name, named.login_name) == (StepName.PASSWORD, "ada")
    assert done.name is StepName.DONE
    assert done.continue_to == f"{http.AUTHORIZE_RESUME}?request={id}"
    assert done.set_cookie.startswith("__Host-portico-ua-")


async def test_unknown_user_and_wrong_password_look_the_same(authz: AuthzService) -> None:
    """Status, headers, body and next page are equal at both steps (LG-01)."""
    answers = []
    for name in ("ada", "nobody"):
        browser = authz.browser()
        id = await browser.begin()
        named = await browser.name(id, name)
        wrong = await browser.answer_raw(id, named, password="wrong")
        answers.append((_shape(named), wrong.status_code, _shape(read_step(wrong.content)), wrong.headers.keys()))

    assert answers[0] == answers[1]
    assert answers[0][2] == (StepName.PASSWORD, Problem.WRONG_CREDENTIALS, 0)


async def test_wrong_password_can_be_corrected(browser: FakeBrowser) -> None:
    id = await browser.begin()
    wrong = await browser.answer(id, await browser.name(id), password="wrong")
    done = await browser.answer(id, wrong, password=PASSWORD)

    assert wrong.login_name == "ada"
    assert done.name is StepName.DONE


async def test_too_many_attempts_get_a_delay(authz: AuthzService, browser: FakeBrowser) -> None:
    """Users counts the attempts, and authz returns the delay (LG-05)."""
    authz.peers.wait_seconds = 17
    id = await browser.begin()
    shown = await browser.answer(id, await browser.name(id), password=PASSWORD)

    assert _shape(shown) == (StepName.PASSWORD, Problem.SLOW_DOWN, 17)


async def test_empty_password_is_not_sent_to_users(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin()
    unnamed = await browser.answer(id, await browser.ask(id), login_name="   ")
    named = await browser.answer(id, unnamed, login_name="ada")
    empty = await browser.answer(id, named, password="")

    assert unnamed.name is StepName.LOGIN_NAME
    assert empty.problem is Problem.WRONG_CREDENTIALS
    assert authz.peers.attempts == []


async def test_login_name_has_at_most_200_characters(authz: AuthzService, browser: FakeBrowser) -> None:
    """Longer texts are rejected before any request, and the form stays valid (LG-15)."""
    id = await browser.begin()
    shown = await browser.ask(id)
    assert_refused(await browser.answer_raw(id, shown, login_name="n" * 201), 400, "LOGIN-002")

    named = await browser.answer(id, shown, login_name="n" * 200)
    assert_refused(await browser.answer_raw(id, named, password="p" * 201), 400, "LOGIN-002")
    assert (await browser.answer_raw(id, named, password="p" * 100_000)).status_code == 413
    assert authz.peers.attempts == []


async def test_restart_returns_to_the_login_name(browser: FakeBrowser) -> None:
    id = await browser.begin()
    named = await browser.name(id, "adda")
    again = await browser.answer(id, named, restart=True)
    corrected = await browser.answer(id, again, login_name="ada")

    assert (again.name, again.login_name) == (StepName.LOGIN_NAME, "adda")
    assert (corrected.name, corrected.login_name) == (StepName.PASSWORD, "ada")


async def test_submission_for_another_step_changes_nothing(authz: AuthzService, browser: FakeBrowser) -> None:
    """A password without a login name is never verified, and the open step is shown."""
    id = await browser.begin()
    shown = await browser.ask(id)
    early = await browser.answer(id, shown, step=StepName.PASSWORD, password=PASSWORD)
    late = await browser.answer(id, early, step=StepName.DONE)

    assert early.name is late.name is StepName.LOGIN_NAME
    assert authz.peers.attempts == []


@pytest.mark.parametrize("csrf", ["", "x", "00" + "A" * 43])
async def test_wrong_csrf_value_is_refused(authz: AuthzService, browser: FakeBrowser, csrf: str) -> None:
    """A missing or foreign CSRF value gets 403 and changes no state (LG-14)."""
    id = await browser.begin()
    shown = await browser.ask(id)
    for fields in ({"login_name": "eve"}, {"cancel": True}, {"restart": True}):
        assert_refused(await browser.answer_raw(id, shown, **{**fields, "csrf": csrf}), 403, "LOGIN-001")

    stored = await authz.stores.requests.find(id)
    assert stored is not None
    assert (stored.progress, stored.denied, stored.csrf) == (Progress(), False, shown.csrf)


async def test_csrf_value_before_any_page_is_refused(browser: FakeBrowser) -> None:
    """Before a page was shown no CSRF value matches, not even an empty one."""
    id = await browser.begin()
    never_shown = step_of(StepName.LOGIN_NAME)

    assert_refused(await browser.answer_raw(id, never_shown, login_name="ada"), 403, "LOGIN-001")


async def test_csrf_value_is_valid_for_one_submission(browser: FakeBrowser) -> None:
    """Used values and those of another request are refused, and each step has its own (LG-14)."""
    id = await browser.begin()
    shown = await browser.ask(id)
    named = await browser.answer(id, shown, login_name="ada")
    other = await browser.ask(await browser.begin())

    assert len({shown.csrf, named.csrf, other.csrf}) == 3
    assert_refused(await browser.answer_raw(id, shown, step=StepName.PASSWORD, password=PASSWORD), 403, "LOGIN-001")
    foreign = replace(named, csrf=other.csrf)
    assert_refused(await browser.answer_raw(id, foreign, password=PASSWORD), 403, "LOGIN-001")
    assert (await browser.answer(id, named, password=PASSWORD)).name is StepName.DONE


async def test_reload_does_not_invalidate_the_open_form(browser: FakeBrowser) -> None:
    id = await browser.begin()
    first, second = await browser.ask(id), await browser.ask(id)

    assert first.csrf == second.csrf
    assert (await browser.answer(id, first, login_name="ada")).name is StepName.PASSWORD


async def test_unprocessed_form_may_be_resubmitted(browser: FakeBrowser, bus: MemoryBus) -> None:
    """Without users the response is 503, and the same form works afterwards (P2)."""
    id = await browser.begin()
    named = await browser.name(id)
    bus.down = True
    away = await browser.answer_raw(id, named, password=PASSWORD)
    bus.down = False

    assert away.status_code == 503
    assert away.headers["retry-after"]
    assert (await browser.answer(id, named, password=PASSWORD)).name is StepName.DONE


async def test_without_the_store_login_is_503_and_recovers(authz: AuthzService, browser: FakeBrowser) -> None:
    """An unavailable store is a 503, and the login continues afterwards (P2)."""
    id = await browser.begin()
    assert isinstance(authz.stores.requests, MemoryAuthRequests)
    authz.stores.requests.records.down = True
    assert (await browser.ask_raw(id)).status_code == 503

    authz.stores.requests.records.down = False
    assert (await browser.log_in(id)).name is StepName.DONE


async def test_login_in_progress_is_refused_in_another_browser(authz: AuthzService, browser: FakeBrowser) -> None:
    """A login with a verified factor can neither continue nor restart in a victim's browser (P3, LG-11)."""
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
async def test_unknown_request_is_refused(browser: FakeBrowser, id: str) -> None:
    """Expired, completed and invented ids get the same error."""
    await browser.begin()

    assert_refused(await browser.ask_raw(id), 404, "AUTHZ-030")


async def test_login_completed_in_another_tab_counts(browser: FakeBrowser) -> None:
    first, second = await browser.begin(), await browser.begin()
    open_form = await browser.ask(second)
    await browser.log_in(first)

    assert (await browser.ask(second)).name is StepName.DONE
    assert (await browser.answer(second, open_form, login_name="ada")).name is StepName.DONE
    assert "code" in Landing(await browser.get(f"{http.AUTHORIZE_RESUME}?request={second}")).query


async def test_open_form_is_cancelled_despite_a_login_in_another_tab(browser: FakeBrowser) -> None:
    """The application gets access_denied; a form that was used before cancels nothing."""
    first, second = await browser.begin(), await browser.begin()
    used, open_form = await browser.ask(first), await browser.ask(second)
    await browser.log_in(first)
    done = await browser.answer(first, used, cancel=True)
    cancelled = await browser.answer(second, open_form, cancel=True)

    assert "code" in Landing(await browser.get(done.continue_to)).query
    assert Landing(await browser.get(cancelled.continue_to)).query["error"] == "access_denied"


async def test_service_user_cannot_sign_in_here(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.people[ADA.user_id] = replace(ADA, human=False)

    assert (await browser.log_in(await browser.begin())).problem is Problem.WRONG_CREDENTIALS


async def test_concurrent_sign_ins_of_one_handle(authz: AuthzService, browser: FakeBrowser) -> None:
    """Of two sign-ins from one handle only one succeeds (LG-11)."""
    id = await browser.begin()
    named = await browser.name(id)
    old = browser.handle
    other = await browser.begin(prompt="login")
    await browser.log_in(other)
    browser.handle = old

    assert (await browser.answer(id, named, password=PASSWORD)).set_cookie == ""


async def test_incomplete_login_gives_nothing(browser: FakeBrowser) -> None:
    """The resume URL redirects to the pages until the last step is done (LG-08)."""
    id = await browser.begin()
    await browser.name(id)
    response = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")

    assert response.headers["location"] == f"{http.LOGIN}?request={id}"


KEYS: list[str | None] = [None, "", "Bearer", "Bearer ", "Bearer wrong", f"Basic {LOGIN_KEY}", "Bearer \u00fc"]


async def test_only_the_login_pages_may_call(browser: FakeBrowser) -> None:
    for header in KEYS:
        with row(header):
            headers = {} if header is None else {b"Authorization": header.encode("latin-1")}
            response = await browser.http.post(STEP, content=b'{"browser":"x"}', headers=headers)

            assert_refused(response, 401, "LOGIN-004")


BODIES: list[bytes] = [b"", b"[]", b"{}", b'{"browser":1}', b'{"browser":"\\ud800"}', b"[" * 9000, b"\xff"]


async def test_malformed_body_is_refused(browser: FakeBrowser) -> None:
    for body in BODIES:
        with row(body):
            response = await browser.http.post(STEP, content=body, headers={"Authorization": f"Bearer {LOGIN_KEY}"})

            assert_refused(response, 400, "PORT-005")


async def test_repr_of_a_submission_contains_no_secret() -> None:
    answer = PasswordAnswer(browser="h", csrf="c", password=PASSWORD)

    assert PASSWORD not in repr(answer)


def _shape(step: Any) -> tuple[StepName, Problem, int]:
    return step.name, step.problem, step.retry_after
