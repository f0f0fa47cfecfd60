"""Enrolment at sign-in: a second factor is demanded, there is none, and the sign-in registers one (decision 0046)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_authz.domain.submission import RETRY_WINDOW_SECONDS
from portico_contracts import http
from portico_contracts.login import Problem, Step, StepName
from portico_contracts.users import EnrolmentDemand, Factor
from portico_fakes.authz_enrolment import APP_CODE, ENROLMENT_CODE, RECOVERY
from portico_fakes.authz_peers import PASSWORD
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

OFFERED = (StepName.ENROL_PASSKEY, StepName.ENROL_KEY, StepName.ENROL_TOTP)
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
    """The organization of Ada demands a second factor from now on."""
    authz.peers.set_policy("org-1", force_mfa=True, enrolment=enrolment)


@pytest.fixture
def forced(authz: AuthzService) -> None:
    demand(authz)


async def to_choice(browser: FakeBrowser, id: str) -> Step:
    """Name, password and emailed code."""
    return await browser.answer(id, await browser.log_in(id), code=ENROLMENT_CODE)


async def to_app(browser: FakeBrowser, id: str) -> Step:
    """The page that sets up the authenticator app."""
    return await browser.answer(id, await to_choice(browser, id), other=StepName.ENROL_TOTP)


async def assert_nothing_is_given(browser: FakeBrowser, id: str, step: StepName) -> None:
    """LG-08: not by the address, not silently, not by another request."""
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    assert resumed.headers["location"] == f"{http.LOGIN}?request={id}"
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"
    assert (await browser.ask(id)).name is step


@pytest.mark.usefixtures("forced")
async def test_a_sign_in_leads_through_the_enrolment_to_the_application(
    authz: AuthzService, browser: FakeBrowser
) -> None:
    """An emailed code, an authenticator app and recovery codes; the session has two factors."""
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
    """The methods of each live session of Ada."""
    sids = await authz.stores.sessions.list_sids(ADA.user_id)
    found = [await authz.stores.sessions.find(sid) for sid in sids]
    return [session.amr for session in found if session and not session.ended]


@pytest.mark.usefixtures("forced")
async def test_a_wrong_emailed_code_opens_nothing(authz: AuthzService, browser: FakeBrowser) -> None:
    """LG-07: users counts the guesses; another code can be requested, and replaces the first."""
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
async def test_the_emailed_code_is_good_for_its_own_sign_in_only(authz: AuthzService, browser: FakeBrowser) -> None:
    """A thief who knows the password begins a sign-in of their own: the code of the owner's opens nothing there."""
    thief = authz.browser()
    theirs = await thief.begin()
    shown = await thief.log_in(theirs)
    await browser.log_in(await browser.begin())
    refused = await thief.answer(theirs, shown, code=ENROLMENT_CODE)

    assert (refused.name, refused.problem) == (StepName.ENROL_EMAIL, Problem.WRONG_CODE)


@pytest.mark.usefixtures("forced")
@pytest.mark.parametrize("step", [StepName.ENROL, StepName.ENROL_TOTP, StepName.RECOVERY_CODES, StepName.TOTP])
async def test_no_step_is_answered_before_it_is_open(authz: AuthzService, browser: FakeBrowser, step: StepName) -> None:
    """Crafted posts: with everything right in them, the emailed code is still requested."""
    id = await browser.begin()
    shown = await browser.log_in(id)
    again = await browser.answer(id, shown, step=step, code=APP_CODE, other=StepName.ENROL_TOTP)

    assert again.name is StepName.ENROL_EMAIL
    assert (again.secret, again.uri, again.recovery_codes) == ("", "", ())
    assert authz.peers.enrolments.changes == 0


@pytest.mark.usefixtures("forced")
async def test_a_wrong_code_of_the_app_registers_nothing(authz: AuthzService, browser: FakeBrowser) -> None:
    """The page has the same secret again, and the right code is accepted afterwards; another way can be chosen."""
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
async def test_a_repeated_submission_is_a_replay(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """The answer was lost: the same form gets the same recovery codes and changes nothing; another one shows none."""
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
async def test_a_key_is_registered_by_its_answer(
    authz: AuthzService, browser: FakeBrowser, step: StepName, factor: Factor
) -> None:
    """LG-19: a challenge is good for one answer, a wrong one gets another; the session is of a key."""
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
    assert await sessions_of(authz) == [("pwd", "hwk", "user", "mfa")]


@pytest.mark.usefixtures("forced")
async def test_a_repeated_answer_of_a_key_is_a_replay(authz: AuthzService, browser: FakeBrowser) -> None:
    """The answer was lost: the same form gets the same page; a look with the old handle requests the key."""
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
async def test_only_factors_that_count_are_offered(authz: AuthzService, browser: FakeBrowser) -> None:
    """Nor is another one begun by a form that names it."""
    authz.peers.set_policy("org-1", factors=(Factor.PASSKEY, Factor.OTP_EMAIL))
    id = await browser.begin()
    shown = await to_choice(browser, id)
    again = await browser.answer(id, shown, other=StepName.ENROL_TOTP)

    assert shown.others == again.others == (StepName.ENROL_PASSKEY,)
    assert again.name is StepName.ENROL


@pytest.mark.usefixtures("forced")
async def test_a_factor_registered_elsewhere_meanwhile_is_requested(authz: AuthzService, browser: FakeBrowser) -> None:
    """Only who has no factor enrols: the other one's factor has to be verified, and no codes are shown."""
    id = await browser.begin()
    shown = await to_app(browser, id)
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    asked = await browser.answer(id, shown, code=APP_CODE)

    assert (asked.name, asked.recovery_codes) == (StepName.TOTP, ())
    assert authz.peers.enrolments.changes == 0
    assert (await browser.answer(id, asked, code="111111")).name is StepName.DONE


@pytest.mark.usefixtures("forced")
@pytest.mark.parametrize("enough", [0, 1, 2, 3])
async def test_every_page_can_be_cancelled(authz: AuthzService, browser: FakeBrowser, enough: int) -> None:
    """Back to the application without a session."""
    id = await browser.begin()
    shown = await browser.log_in(id)
    fields = ({"code": ENROLMENT_CODE}, {"other": StepName.ENROL_TOTP}, {"code": APP_CODE})
    for field in fields[:enough]:
        shown = await browser.answer(id, shown, **field)
    done = await browser.answer(id, shown, cancel=True)
    landing = Landing(await browser.get(done.continue_to))

    assert landing.query["error"] == "access_denied"
    assert await sessions_of(authz) == []


async def test_a_session_of_before_is_asked_for_the_enrolment(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """Silently it is refused with interaction_required; else the factor is added to it, and the other sessions end."""
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


async def test_acr_values_never_lead_to_an_enrolment(browser: FakeBrowser) -> None:
    """Without a demand of the organization, a wish of the application is no reason."""
    landing = await browser.sign_in(acr_values="urn:portico:acr:phr urn:portico:acr:mfa")

    assert "code" in landing.query


@pytest.mark.parametrize(
    ("enrolment", "verified", "factors"),
    [
        (EnrolmentDemand.NONE, True, (Factor.TOTP,)),
        (EnrolmentDemand.EMAIL, False, (Factor.TOTP,)),
        (EnrolmentDemand.EMAIL, True, (Factor.OTP_EMAIL,)),
    ],
)
async def test_who_cannot_enrol_is_told_so(
    authz: AuthzService, browser: FakeBrowser, enrolment: EnrolmentDemand, verified: bool, factors: tuple[Factor, ...]
) -> None:
    """No way to know who asks, or nothing that could be registered: an administrator has to act."""
    authz.peers.people[ADA.user_id] = replace(ADA, email_verified=verified)
    authz.peers.set_policy("org-1", force_mfa=True, enrolment=enrolment, factors=factors)
    shown = await browser.log_in(await browser.begin())

    assert shown.name is StepName.FACTOR_MISSING
    assert authz.peers.enrolments.begun == []


async def test_an_organization_can_do_without_the_emailed_code(authz: AuthzService, browser: FakeBrowser) -> None:
    """Then the password alone leads to the choice, also without a verified address."""
    authz.peers.people[ADA.user_id] = ADA
    authz.peers.enrolments.mail = ""
    demand(authz, EnrolmentDemand.PASSWORD)
    id = await browser.begin()
    shown = await browser.log_in(id)
    app = await browser.answer(id, shown, other=StepName.ENROL_TOTP)

    assert (shown.name, shown.others, app.name) == (StepName.ENROL, OFFERED, StepName.ENROL_TOTP)
    assert (await browser.answer(id, app, code=APP_CODE)).name is StepName.RECOVERY_CODES


async def test_a_session_alone_registers_nothing_without_a_code(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """Where the password opens the enrolment, a session of before has to enter it again: cookies are stolen (LG-08)."""
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


async def test_a_chosen_session_alone_registers_nothing_without_a_code(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The same for a session that was chosen among several accounts (LG-08)."""
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
