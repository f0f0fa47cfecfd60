"""Enrolment at sign-in: a second factor is required and the user registers one (decision 0046)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_authz.domain.submission import RETRY_WINDOW_SECONDS
from portico_contracts import http
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import EnrolmentDemand, Factor
from portico_fakes.authz_enrolment import APP_CODE, ENROLMENT_CODE, RECOVERY
from portico_fakes.authz_peers import PASSWORD
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

REGISTERED = (StepName.ENROL_PASSKEY, StepName.ENROL_KEY, StepName.ENROL_TOTP)
OFFERED = (*REGISTERED, StepName.OTP_EMAIL)
KEYS = [(StepName.ENROL_PASSKEY, Factor.PASSKEY), (StepName.ENROL_KEY, Factor.U2F)]


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.people[ADA.user_id] = replace(ADA, email_verified=True)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def demand(authz: AuthzService, enrolment: EnrolmentDemand = EnrolmentDemand.EMAIL) -> None:
    authz.peers.set_policy("org-1", force_mfa=True, enrolment=enrolment)


@pytest.fixture
def forced(authz: AuthzService) -> None:
    demand(authz)


async def to_choice(browser: FakeBrowser, id: str) -> Any:
    return await browser.answer(id, await browser.log_in(id), code=ENROLMENT_CODE)


async def to_app(browser: FakeBrowser, id: str) -> Any:
    return await browser.answer(id, await to_choice(browser, id), other=StepName.ENROL_TOTP)


async def assert_nothing_is_given(browser: FakeBrowser, id: str, step: StepName) -> None:
    """LG-08: not by the resume URL, not silently, not by another request."""
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    assert resumed.headers["location"] == f"{http.LOGIN}?request={id}"
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"
    assert (await browser.ask(id)).name is step


@pytest.mark.usefixtures("forced")
async def test_enrolment_during_sign_in(authz: AuthzService, browser: FakeBrowser) -> None:
    """The user enters an emailed code, sets up an authenticator app and gets recovery codes, and the session has
    two factors.
    """
    id = await browser.begin()
    mailed = await browser.log_in(id)
    await assert_nothing_is_given(browser, id, StepName.ENROL_EMAIL)
    choice = await browser.answer(id, await browser.ask(id), code=ENROLMENT_CODE)
    await assert_nothing_is_given(browser, id, StepName.ENROL)
    app = await browser.answer(id, await browser.ask(id), other=StepName.ENROL_TOTP)
    await assert_nothing_is_given(browser, id, StepName.ENROL_TOTP)
    codes = await browser.answer(id, await browser.ask(id), code=APP_CODE)
    await assert_nothing_is_given(browser, id, StepName.RECOVERY_CODES)
    done = await browser.answer(id, await browser.ask(id))
    landing = Landing(await browser.get(done.continue_to))

    assert (mailed.name, mailed.mail) == (StepName.ENROL_EMAIL, "a\u2026@mail.test")
    assert (choice.name, choice.others) == (StepName.ENROL, OFFERED)
    assert (app.name, app.secret, app.uri[:8]) == (StepName.ENROL_TOTP, "SECRETOF1", "otpauth:")
    assert (codes.name, codes.recovery_codes) == (StepName.RECOVERY_CODES, RECOVERY)
    assert "code" in landing.query
    assert await sessions_of(authz) == [("pwd", "otp", "mfa")]
    assert len(authz.peers.enrolments.begun) == authz.peers.enrolments.changes == 1


async def sessions_of(authz: AuthzService) -> list[tuple[str, ...]]:
    """Returns the methods of each live session of Ada."""
    sids = await authz.stores.sessions.list_sids(ADA.user_id)
    found = [await authz.stores.sessions.find(sid) for sid in sids]
    return [session.amr for session in found if session and not session.ended]


@pytest.mark.usefixtures("forced")
async def test_wrong_emailed_code_is_refused(authz: AuthzService, browser: FakeBrowser) -> None:
    """Users counts the attempts, and a newly requested code replaces the first (LG-07)."""
    id = await browser.begin()
    shown = await browser.log_in(id)
    for code in ("", "00000000"):
        shown = await browser.answer(id, shown, code=code)
        assert (shown.name, shown.problem) == (StepName.ENROL_EMAIL, Problem.WRONG_CODE)
    shown = await browser.answer(id, shown, resend=True)
    authz.peers.wait_seconds = 9
    waiting = await browser.answer(id, shown, code=ENROLMENT_CODE)
    authz.peers.wait_seconds = 0

    assert (waiting.problem, waiting.retry_after) == (Problem.SLOW_DOWN, 9)
    assert (await browser.answer(id, waiting, code=ENROLMENT_CODE)).name is StepName.ENROL
    assert len(authz.peers.enrolments.begun) == 2


@pytest.mark.usefixtures("forced")
async def test_emailed_code_is_bound_to_its_sign_in(authz: AuthzService, browser: FakeBrowser) -> None:
    """A thief with the password cannot use the code emailed for the owner's sign-in."""
    thief = authz.browser()
    theirs = await thief.begin()
    shown = await thief.log_in(theirs)
    await browser.log_in(await browser.begin())
    refused = await thief.answer(theirs, shown, code=ENROLMENT_CODE)

    assert (refused.name, refused.problem) == (StepName.ENROL_EMAIL, Problem.WRONG_CODE)


@pytest.mark.usefixtures("forced")
@pytest.mark.parametrize("step", [StepName.ENROL, StepName.ENROL_TOTP, StepName.RECOVERY_CODES, StepName.TOTP])
async def test_no_step_is_answered_before_it_is_open(authz: AuthzService, browser: FakeBrowser, step: StepName) -> None:
    """Crafted posts with every right value still get the page of the emailed code."""
    id = await browser.begin()
    shown = await browser.log_in(id)
    again = await browser.answer(id, shown, step=step, code=APP_CODE, other=StepName.ENROL_TOTP)

    assert again.name is StepName.ENROL_EMAIL
    assert (again.secret, again.uri, again.recovery_codes) == ("", "", ())
    assert authz.peers.enrolments.changes == 0


@pytest.mark.usefixtures("forced")
async def test_wrong_app_code_registers_nothing(authz: AuthzService, browser: FakeBrowser) -> None:
    """The page keeps its secret, the right code is accepted afterwards, and another method can be chosen."""
    id = await browser.begin()
    shown = await to_app(browser, id)
    for code in ("", "000000"):
        wrong = await browser.answer(id, shown, code=code)
        assert (wrong.name, wrong.problem, wrong.secret) == (StepName.ENROL_TOTP, Problem.WRONG_CODE, shown.secret)
        shown = wrong
    back = await browser.answer(id, shown, other=StepName.ENROL)
    app = await browser.answer(id, back, other=StepName.ENROL_TOTP)

    assert (back.name, app.name) == (StepName.ENROL, StepName.ENROL_TOTP)
    assert authz.peers.enrolments.changes == 0
    assert (await browser.answer(id, app, code=APP_CODE)).name is StepName.RECOVERY_CODES


@pytest.mark.usefixtures("forced")
async def test_repeated_submission_is_a_replay(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """After a lost response the same form gets the same recovery codes, and another form gets none."""
    id = await browser.begin()
    shown = await to_app(browser, id)
    before = browser.handle
    lost = await browser.answer(id, shown, code=APP_CODE)
    browser.handle = before
    seen = await browser.ask(id)
    other = await browser.answer(id, shown, code="000000")
    browser.handle = before
    again = await browser.answer(id, shown, code=APP_CODE)
    clock.tick(RETRY_WINDOW_SECONDS)

    assert (seen.name, seen.secret, seen.recovery_codes) == (StepName.TOTP, "", ())
    assert (other.name, other.recovery_codes) == (StepName.TOTP, ())
    assert (again.name, again.recovery_codes, again.set_cookie) == (lost.name, RECOVERY, lost.set_cookie)
    assert authz.peers.enrolments.changes == 1
    assert (await browser.answer(id, again)).name is StepName.DONE


@pytest.mark.usefixtures("forced")
@pytest.mark.parametrize(("step", "factor"), KEYS)
async def test_security_key_is_registered_by_its_response(
    authz: AuthzService, browser: FakeBrowser, step: StepName, factor: Factor
) -> None:
    """A challenge is valid for one response, a wrong one gets a new challenge, and the session has a security
    key (LG-19).
    """
    id = await browser.begin()
    first = await browser.answer(id, await to_choice(browser, id), other=step)
    none = await browser.answer(id, first)
    wrong = await browser.answer(id, none, credential="key-2:broken")
    late = await browser.answer(id, wrong, credential="key-2:made")
    codes = await browser.answer(id, late, credential=f"{late.options.removeprefix('options of ')}:made")
    done = await browser.answer(id, codes)

    assert (first.name, first.options) == (step, "options of key-1")
    assert [one.problem for one in (none, wrong, late)] == [Problem.WRONG_KEY] * 3
    assert (codes.name, codes.recovery_codes, done.name) == (StepName.RECOVERY_CODES, RECOVERY, StepName.DONE)
    assert set(authz.peers.enrolments.keys) == {factor}
    assert await sessions_of(authz) == [("pwd", "pop", "user", "mfa")]


@pytest.mark.usefixtures("forced")
async def test_repeated_security_key_response_is_a_replay(authz: AuthzService, browser: FakeBrowser) -> None:
    """After a lost response the same form gets the same page, and a reload with the old handle requests the key."""
    id = await browser.begin()
    shown = await browser.answer(id, await to_choice(browser, id), other=StepName.ENROL_PASSKEY)
    before = browser.handle
    lost = await browser.answer(id, shown, credential="key-1:made")
    browser.handle = before
    seen = await browser.ask(id)
    again = await browser.answer(id, shown, credential="key-1:made")

    assert (seen.name, seen.recovery_codes) == (StepName.SECURITY_KEY, ())
    assert (again.name, again.recovery_codes, again.set_cookie) == (lost.name, RECOVERY, lost.set_cookie)
    assert authz.peers.enrolments.changes == 1


@pytest.mark.usefixtures("forced")
async def test_only_accepted_factors_are_offered(authz: AuthzService, browser: FakeBrowser) -> None:
    """A form that names another factor starts no enrolment."""
    authz.peers.set_policy("org-1", factors=(Factor.PASSKEY, Factor.OTP_EMAIL))
    id = await browser.begin()
    shown = await to_choice(browser, id)
    again = await browser.answer(id, shown, other=StepName.ENROL_TOTP)

    assert shown.others == again.others == (StepName.ENROL_PASSKEY, StepName.OTP_EMAIL)
    assert again.name is StepName.ENROL


@pytest.mark.usefixtures("forced")
async def test_factor_registered_elsewhere_is_requested(authz: AuthzService, browser: FakeBrowser) -> None:
    """Enrolment is only for users without a factor, so a factor registered meanwhile must be verified."""
    id = await browser.begin()
    shown = await to_app(browser, id)
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    asked = await browser.answer(id, shown, code=APP_CODE)

    assert (asked.name, asked.recovery_codes) == (StepName.TOTP, ())
    assert authz.peers.enrolments.changes == 0
    assert (await browser.answer(id, asked, code="111111")).name is StepName.DONE


@pytest.mark.usefixtures("forced")
@pytest.mark.parametrize("enough", [0, 1, 2, 3])
async def test_enrolment_can_be_cancelled(authz: AuthzService, browser: FakeBrowser, enough: int) -> None:
    id = await browser.begin()
    shown = await browser.log_in(id)
    fields = ({"code": ENROLMENT_CODE}, {"other": StepName.ENROL_TOTP}, {"code": APP_CODE})
    for field in fields[:enough]:
        shown = await browser.answer(id, shown, **field)
    done = await browser.answer(id, shown, cancel=True)
    landing = Landing(await browser.get(done.continue_to))

    assert landing.query["error"] == "access_denied"
    assert await sessions_of(authz) == []


async def test_existing_session_needs_enrolment(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """A silent request gets interaction_required; otherwise the factor is added to the session and the other
    sessions end.
    """
    elsewhere = authz.browser()
    await elsewhere.sign_in()
    await browser.sign_in()
    demand(authz)
    clock.tick(2)  # what authz knows of a policy is a second old at most
    silent = Landing(await browser.authorize(prompt="none"))
    id = await browser.begin()
    shown = await browser.ask(id)
    for field in ({"code": ENROLMENT_CODE}, {"other": StepName.ENROL_TOTP}, {"code": APP_CODE}, {}):
        shown = await browser.answer(id, shown, **field)
    landing = Landing(await browser.get(shown.continue_to))

    assert silent.query["error"] == "interaction_required"
    assert "code" in landing.query
    assert "code" in Landing(await browser.authorize(prompt="none")).query
    assert Landing(await elsewhere.authorize(prompt="none")).query["error"] == "login_required"
    assert await sessions_of(authz) == [("pwd", "otp", "mfa")]


async def test_acr_values_never_require_enrolment(browser: FakeBrowser) -> None:
    landing = await browser.sign_in(acr_values="urn:portico:acr:phr urn:portico:acr:mfa")

    assert "code" in landing.query


@pytest.mark.parametrize(
    ("enrolment", "verified", "factors"),
    [
        (EnrolmentDemand.NONE, True, (Factor.TOTP,)),
        (EnrolmentDemand.EMAIL, False, (Factor.TOTP,)),
        (EnrolmentDemand.EMAIL, True, (Factor.OTP_SMS,)),
        (EnrolmentDemand.PASSWORD, True, (Factor.OTP_EMAIL,)),
    ],
)
async def test_impossible_enrolment_is_explained(
    authz: AuthzService, browser: FakeBrowser, enrolment: EnrolmentDemand, verified: bool, factors: tuple[Factor, ...]
) -> None:
    """Without an email address or a possible factor, the page refers to an administrator."""
    authz.peers.people[ADA.user_id] = replace(ADA, email_verified=verified)
    authz.peers.set_policy("org-1", force_mfa=True, enrolment=enrolment, factors=factors)
    shown = await browser.log_in(await browser.begin())

    assert (shown.name, shown.emailed) == (StepName.FACTOR_MISSING, False)
    assert authz.peers.enrolments.begun == []


async def test_emailed_code_can_be_disabled_for_enrolment(authz: AuthzService, browser: FakeBrowser) -> None:
    """Without the code, the password alone leads to the choice, even without a verified address."""
    authz.peers.people[ADA.user_id] = ADA
    authz.peers.enrolments.mail = ""
    demand(authz, EnrolmentDemand.PASSWORD)
    id = await browser.begin()
    shown = await browser.log_in(id)
    app = await browser.answer(id, shown, other=StepName.ENROL_TOTP)

    assert (shown.name, shown.others, app.name) == (StepName.ENROL, REGISTERED, StepName.ENROL_TOTP)
    assert (await browser.answer(id, app, code=APP_CODE)).name is StepName.RECOVERY_CODES


async def test_session_alone_registers_no_factor(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """Where the password opens the enrolment, an existing session must enter it again, because cookies can be
    stolen (LG-08).
    """
    await browser.sign_in()
    authz.peers.enrolments.mail = ""
    demand(authz, EnrolmentDemand.PASSWORD)
    clock.tick(2)  # what authz knows of a policy is a second old at most
    silent = Landing(await browser.authorize(prompt="none"))
    id = await browser.begin()
    asked = await browser.ask(id)
    begun = list(authz.peers.enrolments.begun)
    shown = await browser.answer(id, asked, password=PASSWORD)

    assert silent.query["error"] == "interaction_required"
    assert (asked.name, begun, shown.name) == (StepName.PASSWORD, [], StepName.ENROL)


async def test_chosen_session_alone_registers_no_factor(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """A session chosen among several accounts must enter the password again too (LG-08)."""
    await browser.sign_in()
    authz.peers.enrolments.mail = ""
    demand(authz, EnrolmentDemand.PASSWORD)
    clock.tick(2)  # what authz knows of a policy is a second old at most
    id = await browser.begin(prompt="select_account")
    choice = await browser.ask(id)
    asked = await browser.answer(id, choice, account=choice.accounts[0].id)

    assert (choice.name, asked.name) == (StepName.SELECT_ACCOUNT, StepName.PASSWORD)
    assert (await browser.ask(id)).name is StepName.PASSWORD
    assert authz.peers.enrolments.begun == []
