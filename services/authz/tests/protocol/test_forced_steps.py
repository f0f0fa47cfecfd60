"""Forced steps after the password: password change and email verification."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_authz.domain.submission import RETRY_WINDOW_SECONDS
from portico_contracts import http
from portico_contracts.authz import LIST_SESSIONS, ListSessions
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import GET_LOGIN_POLICY, SEND_EMAIL_CODE, Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, PASSWORD, RIGHT_CODE, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

NEW = "another horse battery"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


@pytest.fixture
def must_change(authz: AuthzService) -> None:
    authz.peers.people[ADA.user_id] = replace(ADA, password_change_required=True)


@pytest.fixture
def must_verify(authz: AuthzService) -> None:
    authz.peers.set_policy("org-1", verified_mail=True)


async def assert_nothing_is_given(browser: FakeBrowser, id: str, step: StepName) -> None:
    """LG-08: not by the resume URL, not silently, not by another request, and there is no session."""
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    assert resumed.headers["location"] == f"{http.LOGIN}?request={id}"
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"
    assert (await browser.ask(await browser.begin())).name is StepName.LOGIN_NAME
    assert (await browser.ask(id)).name is step


async def code_after(browser: FakeBrowser, done: Any) -> str:
    assert done.name is StepName.DONE
    return Landing(await browser.get(done.continue_to)).query["code"]


@pytest.mark.usefixtures("must_change")
async def test_required_password_change_comes_first(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    """The old password opens only this page (LG-08)."""
    id = await browser.begin()
    shown = await browser.log_in(id)
    assert (shown.name, shown.problem) == (StepName.CHANGE_PASSWORD, Problem.NONE)
    await assert_nothing_is_given(browser, id, StepName.CHANGE_PASSWORD)
    assert (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions == ()

    shown = await browser.ask(id)
    done = await browser.answer(id, shown, password=PASSWORD, new_password=NEW)
    assert await code_after(browser, done)
    assert authz.peers.passwords[ADA.user_id] == NEW


@pytest.mark.usefixtures("must_change")
@pytest.mark.parametrize(
    ("fields", "problem", "detail"),
    [
        ({"password": "wrong", "new_password": NEW}, Problem.WRONG_CREDENTIALS, ""),
        ({"password": PASSWORD, "new_password": "short"}, Problem.INVALID_PASSWORD, "TEST-011"),
        ({"password": PASSWORD}, Problem.WRONG_CREDENTIALS, ""),
        ({"new_password": NEW}, Problem.WRONG_CREDENTIALS, ""),
        ({}, Problem.WRONG_CREDENTIALS, ""),
    ],
)
async def test_refused_new_password_changes_nothing(
    browser: FakeBrowser, fields: dict[str, str], problem: Problem, detail: str
) -> None:
    """The current password is required, and users applies the password policy (LG-24)."""
    id = await browser.begin()
    shown = await browser.answer(id, await browser.log_in(id), **fields)

    assert (shown.name, shown.problem, shown.detail) == (StepName.CHANGE_PASSWORD, problem, detail)
    await assert_nothing_is_given(browser, id, StepName.CHANGE_PASSWORD)


@pytest.mark.usefixtures("must_change")
async def test_too_long_new_password_is_refused_unread(browser: FakeBrowser) -> None:
    """A new password of 201 characters is rejected before it is sent to users (LG-15)."""
    id = await browser.begin()
    shown = await browser.log_in(id)
    refused = await browser.answer_raw(id, shown, password=PASSWORD, new_password="p" * 201)

    assert (refused.status_code, refused.json()["details"][0]["id"]) == (400, "LOGIN-002")


async def test_password_change_ends_the_other_sessions(authz: AuthzService, browser: FakeBrowser) -> None:
    """Sessions of the old password end with their tokens, and sessions of other users do not (IR-14)."""
    elsewhere, bobs = authz.browser(), authz.browser()
    await elsewhere.sign_in()
    await bobs.sign_in("bob")
    authz.peers.people[ADA.user_id] = replace(ADA, password_change_required=True)
    id = await browser.begin()
    await browser.answer(id, await browser.log_in(id), password=PASSWORD, new_password=NEW)

    assert Landing(await elsewhere.authorize(prompt="none")).query["error"] == "login_required"
    assert "code" in Landing(await bobs.authorize(prompt="none")).query
    assert "code" in Landing(await browser.authorize(prompt="none")).query
    assert len(authz.peers.revoked) == 1


@pytest.mark.usefixtures("must_verify")
async def test_required_email_verification_comes_first(authz: AuthzService, browser: FakeBrowser) -> None:
    """The code is sent once, to the user of the verified password."""
    id = await browser.begin()
    shown = await browser.answer(id, await browser.name(id), password=PASSWORD, languages=("de", "en"))
    assert (shown.name, shown.mail) == (StepName.VERIFY_EMAIL, "ada@mail.test")
    await assert_nothing_is_given(browser, id, StepName.VERIFY_EMAIL)

    done = await browser.answer(id, await browser.ask(id), code=f" {RIGHT_CODE} ")
    assert await code_after(browser, done)
    [mailed] = authz.peers.mailed
    assert (mailed.user_id, mailed.challenge, mailed.languages) == (ADA.user_id, "", ("de", "en"))


@pytest.mark.usefixtures("must_verify")
async def test_verified_address_needs_no_code(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.people[ADA.user_id] = replace(ADA, email_verified=True)

    assert "code" in (await browser.sign_in()).query
    assert "code" in (await browser.sign_in("bob", prompt="login")).query


@pytest.mark.usefixtures("must_verify")
async def test_wrong_code_can_be_corrected(browser: FakeBrowser) -> None:
    """Users counts the attempts, and the right code is accepted afterwards (LG-07)."""
    id = await browser.begin()
    shown = await browser.log_in(id)
    for code in ("", "000000", "x" * 200):
        shown = await browser.answer(id, shown, code=code)
        assert (shown.name, shown.problem) == (StepName.VERIFY_EMAIL, Problem.WRONG_CODE)

    assert (await browser.answer(id, shown, code=RIGHT_CODE)).name is StepName.DONE


@pytest.mark.usefixtures("must_verify")
async def test_another_code_can_be_requested(authz: AuthzService, browser: FakeBrowser) -> None:
    """A new code replaces the previous one, and too many requests get a delay."""
    id = await browser.begin()
    shown = await browser.answer(id, await browser.log_in(id), resend=True)
    assert (shown.name, shown.problem) == (StepName.VERIFY_EMAIL, Problem.NONE)
    assert [bool(mailed.challenge) for mailed in authz.peers.mailed] == [False, True]

    authz.peers.wait_seconds = 30
    waiting = await browser.answer(id, shown, resend=True)
    assert (waiting.problem, waiting.retry_after) == (Problem.SLOW_DOWN, 30)


@pytest.mark.usefixtures("must_verify")
async def test_code_of_another_user_is_rejected(authz: AuthzService, browser: FakeBrowser) -> None:
    """An emailed code is bound to the user of the password (LG-10)."""
    id = await browser.begin()
    shown = await browser.log_in(id)
    [challenge] = authz.peers.challenges
    authz.peers.challenges[challenge] = BOB.user_id
    wrong = await browser.answer(id, shown, code=RIGHT_CODE)

    assert (wrong.name, wrong.problem) == (StepName.VERIFY_EMAIL, Problem.WRONG_CODE)


@pytest.mark.usefixtures("must_change", "must_verify")
async def test_requirements_are_requested_in_order(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin()
    changing = await browser.log_in(id)
    verifying = await browser.answer(id, changing, password=PASSWORD, new_password=NEW)
    done = await browser.answer(id, verifying, code=RIGHT_CODE)

    assert [changing.name, verifying.name] == [StepName.CHANGE_PASSWORD, StepName.VERIFY_EMAIL]
    assert await code_after(browser, done)
    assert len(authz.peers.mailed) == 1


@pytest.mark.usefixtures("must_change", "must_verify")
@pytest.mark.parametrize("step", [step for step in StepName if step is not StepName.CHANGE_PASSWORD])
async def test_no_other_step_can_be_answered_instead(browser: FakeBrowser, step: StepName) -> None:
    id = await browser.begin()
    shown = await browser.log_in(id)
    again = await browser.answer(
        id, shown, step=step, password=PASSWORD, code=RIGHT_CODE, login_name="ada", account="", register=True
    )

    assert again.name is StepName.CHANGE_PASSWORD
    await assert_nothing_is_given(browser, id, StepName.CHANGE_PASSWORD)


@pytest.mark.usefixtures("must_verify")
async def test_handle_rotates_with_the_first_factor(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """A handle planted before the password cannot continue the login after it (LG-11)."""
    id = await browser.begin()
    thief = authz.browser()
    thief.handle = browser.handle
    await browser.log_in(id)
    seen = await thief.ask(id)
    tried = await thief.answer_raw(id, seen, step=StepName.VERIFY_EMAIL, code=RIGHT_CODE)
    clock.tick(RETRY_WINDOW_SECONDS)

    assert (seen.name, seen.mail) == (StepName.PASSWORD, "")
    assert tried.status_code == 403
    assert (await thief.ask_raw(id)).status_code == 404
    assert browser.handle != thief.handle


@pytest.mark.usefixtures("must_verify")
async def test_user_deactivated_meanwhile_cannot_continue(authz: AuthzService, browser: FakeBrowser) -> None:
    """An authentication is invalid once its user is deactivated (P3)."""
    id = await browser.begin()
    shown = await browser.log_in(id)
    del authz.peers.people[ADA.user_id]

    assert (await browser.ask(id)).name is StepName.PASSWORD
    assert (await browser.answer(id, shown, code=RIGHT_CODE)).name is StepName.PASSWORD


@pytest.mark.usefixtures("must_verify")
async def test_withdrawn_requirement_completes_the_login(authz: AuthzService, browser: FakeBrowser) -> None:
    """An address verified elsewhere completes the login on reload, with one sign-in."""
    id = await browser.begin()
    await browser.log_in(id)
    authz.peers.people[ADA.user_id] = replace(ADA, email_verified=True)
    back = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    assert back.headers["location"] == f"{http.LOGIN}?request={id}"

    done = await browser.ask(id)
    browser.handle = done.set_cookie.partition(";")[0].partition("=")[2]
    assert await code_after(browser, done)


async def test_new_requirement_is_requested(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """A policy change during another step adds its step, and the code is sent when that step is shown."""
    authz.peers.people[ADA.user_id] = replace(ADA, password_change_required=True)
    id = await browser.begin()
    await browser.log_in(id)
    authz.peers.people[ADA.user_id] = ADA
    authz.peers.set_policy("org-1", verified_mail=True)
    clock.tick(1)
    shown = await browser.ask(id)

    assert (shown.name, shown.mail) == (StepName.VERIFY_EMAIL, "ada@mail.test")
    assert len(authz.peers.mailed) == 1
    assert (await browser.answer(id, shown, code=RIGHT_CODE)).name is StepName.DONE


@pytest.mark.usefixtures("must_verify")
async def test_restart_discards_the_authentication(browser: FakeBrowser) -> None:
    id = await browser.begin()
    again = await browser.answer(id, await browser.log_in(id), restart=True)

    assert again.name is StepName.LOGIN_NAME
    assert (await browser.answer(id, again, login_name="ada")).name is StepName.PASSWORD


@pytest.mark.usefixtures("must_verify")
async def test_without_email_the_password_may_be_resubmitted(browser: FakeBrowser, bus: MemoryBus) -> None:
    """A 503 stores nothing of the authentication, and the form stays valid (P2)."""
    id = await browser.begin()
    named = await browser.name(id)
    bus.silent.add(SEND_EMAIL_CODE.subject)
    away = await browser.answer_raw(id, named, password=PASSWORD)
    bus.silent.clear()

    assert away.status_code == 503
    assert (await browser.answer(id, named, password=PASSWORD)).name is StepName.VERIFY_EMAIL


async def test_without_the_policy_no_user_signs_in(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """An unavailable login policy is never guessed (P2)."""
    id = await browser.begin()
    named = await browser.name(id)
    clock.tick(2)
    authz.bus.silent.add(GET_LOGIN_POLICY.subject)
    refused = await browser.answer_raw(id, named, password=PASSWORD)

    assert refused.status_code == 503
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"


@pytest.mark.parametrize("factors", [(), (Factor.RECOVERY_CODE,)])
async def test_required_factor_has_no_replacement(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, factors: tuple[Factor, ...]
) -> None:
    """The page names the missing factor, and nothing submitted passes it."""
    authz.peers.set_policy("org-1", force_mfa=True)
    authz.peers.factors.give(ADA.user_id, *factors)
    id = await browser.begin()
    shown = await browser.log_in(id)
    assert shown.name is StepName.FACTOR_MISSING
    again = await browser.answer(id, shown, code="AAAA-BBBB", password=PASSWORD, other=StepName.RECOVERY_CODE)
    assert again.name is StepName.FACTOR_MISSING
    await assert_nothing_is_given(browser, id, StepName.FACTOR_MISSING)

    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    clock.tick(1)
    asked = await browser.ask(id)
    assert asked.name is StepName.TOTP
    assert (await browser.answer(id, asked, code="111111")).name is StepName.DONE


async def test_forced_factor_depends_on_the_users_organization(authz: AuthzService, browser: FakeBrowser) -> None:
    """Bob's organization requires none, and a passkey satisfies any."""
    authz.peers.set_policy("org-1", force_mfa=True)
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    assert "code" in (await browser.sign_in("bob")).query

    id = await browser.begin(prompt="login")
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    assert (
        await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))
    ).name is StepName.DONE
