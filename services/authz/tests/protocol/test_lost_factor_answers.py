"""Idempotent retries of a second factor: a password does not suffice (LG-08)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_authz.domain.submission import MAX_RETRIES, RETRY_WINDOW_SECONDS
from portico_contracts.authz import LIST_SESSIONS, ListSessions
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.login_messages import read_step
from portico_fakes.memory_bus import MemoryBus

CODES = {
    StepName.TOTP: (Factor.TOTP, "111111"),
    StepName.OTP_EMAIL: (Factor.OTP_EMAIL, "12345678"),
}


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def lose(browser: FakeBrowser, id: str, shown: Any, **fields: object) -> str:
    """Sends a form whose response is lost; returns the handle that the browser does not learn."""
    response = await browser.answer_raw(id, shown, **fields)
    step = read_step(response.content)
    assert step.name is StepName.DONE
    return str(step.set_cookie).partition(";")[0].partition("=")[2]


async def at_factor(authz: AuthzService, browser: FakeBrowser, factor: Factor) -> tuple[str, Any]:
    authz.peers.factors.give(ADA.user_id, factor)
    id = await browser.begin()
    return id, await browser.log_in(id)


@pytest.mark.parametrize("step", CODES)
@pytest.mark.parametrize("reloaded", [False, True])
async def test_same_code_is_accepted_again(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, step: StepName, reloaded: bool
) -> None:
    """A used code is recognized without users, in the identical form of the same browser."""
    factor, code = CODES[step]
    id, shown = await at_factor(authz, browser, factor)
    lost = await lose(browser, id, shown, code=code)
    before = authz.peers.factors.attempts
    page = await browser.ask(id) if reloaded else shown
    done = await browser.answer(id, page, code=code)

    assert (page.name, page.problem, page.others) == (step, Problem.NONE, ())
    assert (done.name, browser.handle) == (StepName.DONE, lost)
    assert "code" in Landing(await browser.get(done.continue_to)).query
    assert authz.peers.factors.attempts == before
    assert len((await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions) == 1


async def test_next_code_is_accepted_too(authz: AuthzService, browser: FakeBrowser) -> None:
    """The generator shows another code by then, and wrong ones are counted by users (LG-07)."""
    id, shown = await at_factor(authz, browser, Factor.TOTP)
    lost = await lose(browser, id, shown, code="111111")
    wrong = await browser.answer(id, await browser.ask(id), code="999999")
    done = await browser.answer(id, wrong, code="222222")

    assert (wrong.name, wrong.problem, wrong.set_cookie) == (StepName.TOTP, Problem.WRONG_CODE, "")
    assert authz.peers.factors.attempts == 3
    assert (done.name, browser.handle) == (StepName.DONE, lost)


@pytest.mark.parametrize("reloaded", [False, True])
@pytest.mark.parametrize("first", [False, True], ids=["second factor", "passkey"])
async def test_webauthn_response_is_accepted_again(
    authz: AuthzService, browser: FakeBrowser, reloaded: bool, first: bool
) -> None:
    """The identical response is accepted, or another one to the challenge of the reloaded page."""
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), passkey=True) if first else await browser.log_in(id)
    answer = signed(shown.options, KEY_OF[ADA.user_id])
    lost = await lose(browser, id, shown, credential=answer)
    if reloaded:
        shown_again = await browser.ask(id)
        assert shown_again.options not in ("", shown.options)
        shown, answer = shown_again, signed(shown_again.options, KEY_OF[ADA.user_id])
    done = await browser.answer(id, shown, credential=answer)

    assert (done.name, browser.handle) == (StepName.DONE, lost)
    assert "code" in Landing(await browser.get(done.continue_to)).query


async def test_webauthn_may_be_retried_after_a_wrong_response(authz: AuthzService, browser: FakeBrowser) -> None:
    """The page gets a new challenge, which authenticates no user by itself."""
    id, shown = await at_factor(authz, browser, Factor.U2F)
    lost = await lose(browser, id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))
    again = await browser.ask(id)
    wrong = await browser.answer(id, again, credential=signed(again.options, KEY_OF[BOB.user_id]))
    request = await authz.stores.requests.find(id)
    done = await browser.answer(id, wrong, credential=signed(wrong.options, KEY_OF[ADA.user_id]))

    assert (wrong.problem, wrong.set_cookie) == (Problem.WRONG_KEY, "")
    assert request is not None
    assert (request.progress.user_id, request.progress.amr) == ("", ())
    assert (done.name, browser.handle) == (StepName.DONE, lost)


async def test_passkey_of_another_user_is_rejected(authz: AuthzService, browser: FakeBrowser) -> None:
    """The passkey of another account does not open this user's session (LG-11)."""
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    await lose(browser, id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))
    again = await browser.ask(id)
    wrong = await browser.answer(id, again, credential=signed(again.options, KEY_OF[BOB.user_id]))

    assert (wrong.name, wrong.problem, wrong.set_cookie) == (StepName.PASSKEY, Problem.WRONG_KEY, "")


@pytest.mark.parametrize("step", [StepName.PASSWORD, StepName.CHANGE_PASSWORD, StepName.VERIFY_EMAIL, StepName.PASSKEY])
async def test_password_does_not_replace_the_factor(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, step: StepName
) -> None:
    """The old handle with the password is one factor of two (LG-08)."""
    id, shown = await at_factor(authz, browser, Factor.TOTP)
    await lose(browser, id, shown, code="111111")
    thief = authz.browser()
    thief.handle = browser.handle
    seen = await thief.ask(id)
    tried = await thief.answer_raw(id, seen, step=step, password=PASSWORD, new_password=PASSWORD, code="222222")
    empty = await thief.answer(id, seen, password=PASSWORD)

    assert seen.name is StepName.TOTP
    assert (tried.status_code, tried.json()["details"][0]["id"]) == (403, "LOGIN-001")
    assert (empty.name, empty.set_cookie) == (StepName.TOTP, "")
    assert Landing(await thief.authorize(prompt="none")).query["error"] == "login_required"


@pytest.mark.parametrize("extra", ["restart", "cancel"])
async def test_old_handle_cannot_select_or_request_factors(
    authz: AuthzService, browser: FakeBrowser, extra: str
) -> None:
    id, shown = await at_factor(authz, browser, Factor.OTP_EMAIL)
    await lose(browser, id, shown, code="12345678")
    resent = await browser.answer(id, shown, resend=True)
    other = await browser.answer(id, shown, other=StepName.RECOVERY_CODE)
    refused = await browser.answer_raw(id, shown, **{extra: True})

    assert (resent.name, other.name, refused.status_code) == (StepName.OTP_EMAIL, StepName.OTP_EMAIL, 403)
    assert len(authz.peers.factors.mailed) == 1


async def test_guessing_is_limited(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """Four attempts in half a minute are counted by users, and then the right code is refused too (LG-07)."""
    id, shown = await at_factor(authz, browser, Factor.TOTP)
    await lose(browser, id, shown, code="111111")
    for number in range(MAX_RETRIES):
        assert (await browser.answer(id, shown, code=f"{number:06}")).problem is Problem.WRONG_CODE
    late = await browser.answer_raw(id, shown, code="111111")
    clock.tick(RETRY_WINDOW_SECONDS)

    assert late.status_code == 403
    assert (await browser.ask_raw(id)).status_code == 404


async def test_wrong_code_is_not_a_retry(authz: AuthzService, browser: FakeBrowser) -> None:
    """A submitted form with a wrong code is used up, and a repeated one is ignored (LG-14)."""
    id, shown = await at_factor(authz, browser, Factor.TOTP)
    wrong = await browser.answer(id, shown, code="999999")
    again = [await browser.answer(id, shown, code=code) for code in ("999999", "111111")]

    assert [(step.name, step.csrf, step.set_cookie) for step in again] == [(StepName.TOTP, wrong.csrf, "")] * 2
    assert (await browser.answer(id, again[0], code="111111")).name is StepName.DONE


async def test_password_is_accepted_again_before_the_factor(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    id = await browser.begin()
    named = await browser.name(id)
    await browser.answer_raw(id, named, password=PASSWORD)
    seen = await browser.ask(id)
    factor = await browser.answer(id, named, password=PASSWORD)

    assert (seen.name, factor.name) == (StepName.PASSWORD, StepName.TOTP)
    assert (await browser.answer(id, factor, code="111111")).name is StepName.DONE
