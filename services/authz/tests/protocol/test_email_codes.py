"""Sign-in with an emailed code instead of a password (decision 0099)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.events import LOGIN_FAILED, LOGIN_SUCCEEDED
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import EnrolmentDemand, Factor
from portico_fakes.authz_service import ADA, CALLBACK, ISSUER, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.login_messages import read_step
from portico_fakes.memory_bus import MemoryBus

LOWEST, MFA = "urn:portico:acr:pwd", "urn:portico:acr:mfa"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    for org_id in ("", "org-1", "org-2"):
        authz.peers.set_policy(org_id, email_code_sign_in=True)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def request_code(browser: FakeBrowser, id: str, name: str = "ada", **fields: object) -> Any:
    return await browser.answer(id, await browser.name(id, name), email_code=True, **fields)


async def sign_in(authz: AuthzService, browser: FakeBrowser, id: str) -> Any:
    shown = await request_code(browser, id)
    return await browser.answer(id, shown, code=authz.peers.email_codes.newest)


async def grant_of(authz: AuthzService, browser: FakeBrowser, done: Any) -> CodeGrant:
    assert done.name is StepName.DONE, done
    landing = Landing(await browser.get(done.continue_to))
    question = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await authz.bus.call(REDEEM_CODE, question)).grant
    assert grant is not None
    return grant


async def test_code_replaces_the_password(authz: AuthzService, browser: FakeBrowser) -> None:
    """The amr is otp, the acr the lowest; users learns name, network and languages."""
    id = await browser.begin()
    page = await browser.name(id)
    shown = await browser.answer(id, page, email_code=True, languages=("de",), address="192.0.2.1")
    [asked] = authz.peers.email_codes.asked
    done = await browser.answer(id, shown, code=f" {authz.peers.email_codes.newest} ")
    grant = await grant_of(authz, browser, done)

    assert (page.may_use_email_code, shown.name, shown.mail) == (True, StepName.EMAIL_CODE, "")
    assert (asked.login_name, asked.languages, asked.sender, asked.earlier) == ("ada", ("de",), "192.0.2.1", "")
    assert (grant.user_id, grant.amr, grant.acr) == (ADA.user_id, ("otp",), LOWEST)


async def test_unknown_name_gets_the_same_pages(authz: AuthzService, browser: FakeBrowser) -> None:
    """After the request and after a code nothing distinguishes it, except that no code works (LG-01)."""
    heard = []
    for name in ("ada", "nobody"):
        visitor = authz.browser()
        id = await visitor.begin()
        shown = await request_code(visitor, id, name)
        wrong = await visitor.answer(id, shown, code="00000000")
        heard.append([replace(one, csrf="", login_name="") for one in (shown, wrong)])

    assert heard[0] == heard[1]
    assert [one.problem for one in heard[0]] == [Problem.NONE, Problem.WRONG_CODE]


async def test_code_is_refused_where_the_policy_is_off(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The page does not offer it, a forged form has no effect, and a policy changed since sends no further code."""
    id = await browser.begin()
    shown = await request_code(browser, id)
    for org_id in ("", "org-1", "org-2"):
        authz.peers.set_policy(org_id, email_code_sign_in=False)
    clock.tick(2)
    again = await browser.answer(id, shown, resend=True)
    second = await browser.begin()
    page = await browser.name(second)
    forged = await browser.answer(second, page, email_code=True)

    assert again.problem is Problem.NOT_SENT
    assert (page.may_use_email_code, forged.name) == (False, StepName.PASSWORD)
    assert len(authz.peers.email_codes.asked) == 1


async def test_code_of_another_browser_is_refused(authz: AuthzService) -> None:
    """Each request has its own challenge, which no page shows: a code works where it was requested (LG-07)."""
    mine, other = authz.browser(), authz.browser()
    id, id_of_other = await mine.begin(), await other.begin()
    shown = await request_code(mine, id)
    code = authz.peers.email_codes.newest
    shown_to_other = await request_code(other, id_of_other)
    refused = await other.answer(id_of_other, shown_to_other, code=code)
    foreign = await other.answer_raw(id, shown, code=code)

    assert refused.problem is Problem.WRONG_CODE
    assert read_step(foreign.content).set_cookie == ""
    assert (await mine.answer(id, shown, code=code)).name is StepName.DONE


async def test_another_code_replaces_the_first(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin()
    shown = await request_code(browser, id)
    first = authz.peers.email_codes.newest
    again = await browser.answer(id, shown, resend=True)
    refused = await browser.answer(id, again, code=first)
    asked = authz.peers.email_codes.asked

    assert [one.earlier for one in asked] == ["", "sign-in-code-1"]
    assert refused.problem is Problem.WRONG_CODE
    assert (await browser.answer(id, refused, code=authz.peers.email_codes.newest)).name is StepName.DONE


async def test_password_can_be_used_instead(authz: AuthzService, browser: FakeBrowser) -> None:
    """The page of the code leads back to that of the password; the code is then worthless."""
    id = await browser.begin()
    shown = await request_code(browser, id)
    page = await browser.answer(id, shown, other=StepName.PASSWORD)
    stale = await browser.answer_raw(id, replace(page, name=StepName.EMAIL_CODE), code=authz.peers.email_codes.newest)
    done = await browser.answer(id, await browser.ask(id), password=PASSWORD)

    assert (page.name, page.may_use_email_code, page.login_name) == (StepName.PASSWORD, True, "ada")
    assert b'"done"' not in stale.content
    assert (await grant_of(authz, browser, done)).amr == ("pwd",)


@pytest.mark.parametrize("press", ["request", "resend"])
async def test_delay_is_shown(authz: AuthzService, browser: FakeBrowser, press: str) -> None:
    """The page stays, with the seconds to wait; the earlier code stays valid."""
    id = await browser.begin()
    shown = await browser.name(id)
    if press == "resend":
        shown = await browser.answer(id, shown, email_code=True)
    authz.peers.wait_seconds = 60
    refused = await browser.answer(id, shown, **({"email_code": True} if press == "request" else {"resend": True}))
    authz.peers.wait_seconds = 0

    assert (refused.name, refused.problem, refused.retry_after) == (shown.name, Problem.SLOW_DOWN, 60)
    if press == "resend":
        code = authz.peers.email_codes.newest
        assert (await browser.answer(id, refused, code=code)).name is StepName.DONE


async def test_attempts_are_events(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    """A wrong code is a failed sign-in of the user, as a wrong password is."""
    id = await browser.begin()
    shown = await request_code(browser, id)
    wrong = await browser.answer(id, shown, code="00000000")
    await browser.answer(id, wrong, code=authz.peers.email_codes.newest)
    await authz.publisher.settle()
    failed = [body.user_id for event, body in bus.published if event == LOGIN_FAILED.subject]
    succeeded = [(body.user_id, body.methods) for event, body in bus.published if event == LOGIN_SUCCEEDED.subject]

    assert failed == [ADA.user_id]
    assert succeeded == [(ADA.user_id, ("otp",))]


@pytest.mark.parametrize("factor", [Factor.TOTP, Factor.U2F])
async def test_second_factor_is_requested(authz: AuthzService, browser: FakeBrowser, factor: Factor) -> None:
    """No session exists before it; an authenticator app adds mfa to the amr."""
    authz.peers.factors.give(ADA.user_id, factor, Factor.OTP_EMAIL)
    id = await browser.begin()
    shown = await sign_in(authz, browser, id)
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")

    assert shown.name is (StepName.TOTP if factor is Factor.TOTP else StepName.SECURITY_KEY)
    assert shown.others == ()
    assert resumed.headers["location"] == f"{http.LOGIN}?request={id}"
    if factor is Factor.TOTP:
        grant = await grant_of(authz, browser, await browser.answer(id, shown, code="111111"))
        assert (grant.amr, grant.acr) == (("otp", "mfa"), MFA)


async def test_emailed_code_is_not_both_factors(authz: AuthzService, browser: FakeBrowser) -> None:
    """A user whose second factor is email proves the password instead: the mailbox alone is one factor (LG-08)."""
    authz.peers.people[ADA.user_id] = replace(ADA, factors=(Factor.OTP_EMAIL,), has_password=True)
    id = await browser.begin()
    shown = await sign_in(authz, browser, id)
    forged = await browser.answer(id, replace(shown, name=StepName.OTP_EMAIL), code="12345678")
    wrong = await browser.answer(id, await browser.ask(id), password="not it")
    grant = await grant_of(authz, browser, await browser.answer(id, wrong, password=PASSWORD))

    assert (shown.name, shown.may_use_email_code, forged.name) == (StepName.PASSWORD, False, StepName.PASSWORD)
    assert wrong.problem is Problem.WRONG_CREDENTIALS
    assert authz.peers.factors.mailed == []
    assert (grant.amr, grant.acr) == (("pwd", "otp", "mfa"), MFA)


async def test_mailbox_alone_is_not_enough_for_a_factor_by_email(authz: AuthzService, browser: FakeBrowser) -> None:
    """Without a password there is no second factor, and none can be enrolled by another emailed code."""
    authz.peers.people[ADA.user_id] = replace(ADA, factors=(Factor.OTP_EMAIL,), email_verified=True)
    shown = await sign_in(authz, browser, await browser.begin())

    assert (shown.name, shown.emailed) == (StepName.FACTOR_MISSING, True)


@pytest.mark.parametrize("has_password", [False, True])
async def test_mailbox_alone_enrols_no_factor_of_a_user_with_a_password(
    authz: AuthzService, browser: FakeBrowser, has_password: bool
) -> None:
    """The password comes before the enrolment, and is no second factor: email was not set up as one."""
    authz.peers.people[ADA.user_id] = replace(ADA, has_password=has_password, email_verified=True)
    authz.peers.set_policy("org-1", force_mfa=True, enrolment=EnrolmentDemand.EMAIL)
    id = await browser.begin()
    shown = await sign_in(authz, browser, id)
    if has_password:
        assert shown.name is StepName.PASSWORD
        shown = await browser.answer(id, shown, password=PASSWORD)

    assert shown.name is StepName.ENROL_EMAIL


@pytest.mark.parametrize(
    ("factors", "step"), [((Factor.TOTP,), StepName.TOTP), ((Factor.OTP_EMAIL,), StepName.PASSWORD)]
)
async def test_session_is_stepped_up_by_another_factor(
    authz: AuthzService, browser: FakeBrowser, factors: tuple[Factor, ...], step: StepName
) -> None:
    """A factor registered since is requested alone, or the password of the current login name; email never is one."""
    before = await grant_of(authz, browser, await sign_in(authz, browser, await browser.begin()))
    renamed = replace(ADA, login_name="lovelace@example.test")
    authz.peers.people[ADA.user_id] = replace(renamed, factors=factors, has_password=True, version="2")
    id = await browser.begin(acr_values=MFA)
    shown = await browser.ask(id)
    proof = {"code": "111111"} if step is StepName.TOTP else {"password": PASSWORD}
    after = await grant_of(authz, browser, await browser.answer(id, shown, **proof))

    assert shown.name is step
    assert after.session_id == before.session_id
    assert after.auth_time == before.auth_time
    assert (after.amr, after.acr) == (("otp", "mfa") if step is StepName.TOTP else ("pwd", "otp", "mfa"), MFA)


async def test_essential_acr_fails_without_a_second_factor(authz: AuthzService, browser: FakeBrowser) -> None:
    """An emailed code reaches only the lowest level."""
    claims = f'{{"id_token":{{"acr":{{"essential":true,"values":["{MFA}"]}}}}}}'
    done = await sign_in(authz, browser, await browser.begin(claims=claims))

    assert Landing(await browser.get(done.continue_to)).query["error"] == "unmet_authentication_requirements"


@pytest.mark.parametrize("parameters", [{"prompt": "login"}, {"max_age": "0"}])
async def test_code_is_a_new_sign_in(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, parameters: dict[str, str]
) -> None:
    """prompt=login and max_age are satisfied by a code that was requested since."""
    before = await grant_of(authz, browser, await sign_in(authz, browser, await browser.begin()))
    clock.tick(100)
    id = await browser.begin(**parameters)
    shown = await browser.ask(id)
    if shown.name is StepName.LOGIN_NAME:
        shown = await browser.name(id)
    code_page = await browser.answer(id, shown, email_code=True)
    after = await grant_of(authz, browser, await browser.answer(id, code_page, code=authz.peers.email_codes.newest))

    assert after.auth_time == before.auth_time + 100
    assert after.session_id == before.session_id


@pytest.mark.parametrize(
    ("by_code", "has_password", "step"),
    [
        (True, False, StepName.EMAIL_CODE),
        (True, True, StepName.PASSWORD),
        (False, False, StepName.PASSWORD),
    ],
)
async def test_selected_user_without_a_password_gets_a_code_at_once(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, by_code: bool, has_password: bool, step: StepName
) -> None:
    """Where the session began with one: the account page names only users of this browser, so that is no secret."""
    authz.peers.people[ADA.user_id] = replace(ADA, has_password=has_password)
    if by_code:
        await grant_of(authz, browser, await sign_in(authz, browser, await browser.begin()))
    else:
        await browser.sign_in()
    clock.tick(100)
    id = await browser.begin(prompt="select_account", max_age="50")
    page = await browser.ask(id)
    before = len(authz.peers.email_codes.asked)
    shown = await browser.answer(id, page, account=page.accounts[0].id)

    assert shown.name is step
    assert len(authz.peers.email_codes.asked) - before == (step is StepName.EMAIL_CODE)


async def test_user_without_a_password_confirms_with_a_code_at_once(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The first page is that of the code, which a reload does not send again; the code counts for its browser."""
    await grant_of(authz, browser, await sign_in(authz, browser, await browser.begin()))
    clock.tick(100)
    id = await browser.begin(id_token_hint=authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id}), prompt="login")
    await browser.ask(id)
    shown = await browser.ask(id)
    refused = await browser.answer(id, shown, other=StepName.PASSWORD)
    done = await browser.answer(id, refused, code=authz.peers.email_codes.newest)

    assert (shown.name, shown.confirms, shown.others) == (StepName.EMAIL_CODE, True, ())
    assert refused.name is StepName.EMAIL_CODE
    assert len(authz.peers.email_codes.asked) == 2
    assert authz.peers.email_codes.asked[-1].sender
    assert (await grant_of(authz, browser, done)).auth_time == clock.now()


async def test_lost_response_is_repeated(authz: AuthzService, browser: FakeBrowser) -> None:
    """The same code with the old handle restores the session; another one, and a password, do not (LG-14)."""
    id = await browser.begin()
    shown = await request_code(browser, id)
    code, handle = authz.peers.email_codes.newest, browser.handle
    await browser.answer(id, shown, code=code)
    browser.handle = handle
    page = await browser.ask(id)
    wrong = await browser.answer(id, page, code="00000000")
    restored = await browser.answer(id, wrong, code=code)

    assert (page.name, wrong.problem) == (StepName.EMAIL_CODE, Problem.WRONG_CODE)
    assert (await grant_of(authz, browser, restored)).amr == ("otp",)


async def test_double_click_sends_one_code(authz: AuthzService, browser: FakeBrowser) -> None:
    """Two forms at once: the second one gets the page of the first."""
    id = await browser.begin()
    page = await browser.name(id)
    heard = await asyncio.gather(*(browser.answer(id, page, email_code=True) for _ in range(2)))

    assert {one.name for one in heard} == {StepName.EMAIL_CODE}
    assert len(authz.peers.email_codes.asked) == 1
