"""Step-up of a session without a second factor (LG-08)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_authz.domain.session import Session
from portico_contracts.authz import (
    END_SESSIONS,
    LIST_SESSIONS,
    REDEEM_CODE,
    CodeGrant,
    EndSessions,
    ListSessions,
    RedeemCode,
)
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import VERIFY_TOTP, Factor, FactorVerified, VerifyTotp
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, CALLBACK, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.assurance import ACR_MULTI_FACTOR, ACR_PASSWORD, ACR_PHISHING_RESISTANT, ACR_VALUES

HOURS = 3_600


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus, session_idle_seconds=30 * 24 * HOURS)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


@pytest.fixture
async def signed_in(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> CodeGrant:
    """Ada signed in with her password and registered an authenticator app afterwards."""
    grant = await grant_of(authz, await browser.sign_in())
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    clock.tick(60)
    return grant


async def grant_of(authz: AuthzService, landing: Landing) -> CodeGrant:
    question = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await authz.bus.call(REDEEM_CODE, question)).grant
    assert grant is not None
    return grant


async def grant_after(authz: AuthzService, browser: FakeBrowser, done: Any) -> CodeGrant:
    assert done.name is StepName.DONE
    return await grant_of(authz, Landing(await browser.get(done.continue_to)))


async def sign_in_with_code(browser: FakeBrowser, code: str = "111111") -> Landing:
    id = await browser.begin()
    done = await browser.answer(id, await browser.log_in(id), code=code)
    return Landing(await browser.get(done.continue_to))


async def test_only_the_factor_is_requested(
    authz: AuthzService, browser: FakeBrowser, signed_in: CodeGrant, bus: MemoryBus
) -> None:
    """The session and its auth_time stay, and amr gains the method."""
    before = browser.handle
    id = await browser.begin()
    shown = await browser.ask(id)
    assert (shown.name, shown.login_name) == (StepName.TOTP, ADA.user_name)
    wrong = await browser.answer(id, shown, code="no code")
    assert (wrong.name, wrong.problem) == (StepName.TOTP, Problem.WRONG_CODE)

    grant = await grant_after(authz, browser, await browser.answer(id, wrong, code="111111"))
    assert (grant.session_id, grant.auth_time) == (signed_in.session_id, signed_in.auth_time)
    assert (grant.amr, grant.acr) == (("pwd", "otp", "mfa"), ACR_MULTI_FACTOR)
    assert browser.handle != before
    [session] = (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions
    assert session.amr == grant.amr
    assert "code" in Landing(await browser.authorize(prompt="none")).query


@pytest.mark.usefixtures("signed_in")
async def test_silent_step_up_is_interaction_required(browser: FakeBrowser) -> None:
    """The response is interaction_required (OIDC Core §3.1.2.6)."""
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "interaction_required"


@pytest.mark.usefixtures("signed_in")
async def test_requested_new_sign_in_needs_both_factors(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    for parameters in ({"prompt": "login"}, {"max_age": "30"}):
        clock.tick(31)
        id = await browser.begin(**parameters)
        shown = await browser.ask(id)
        assert shown.name is StepName.LOGIN_NAME
        assert (await browser.log_in(id)).name is StepName.TOTP


async def test_factor_alone_does_not_renew_auth_time(
    authz: AuthzService, browser: FakeBrowser, signed_in: CodeGrant
) -> None:
    id = await browser.begin()
    await grant_after(authz, browser, await browser.answer(id, await browser.ask(id), code="111111"))

    assert Landing(await browser.authorize(prompt="none", max_age="59")).query["error"] == "login_required"
    assert "code" in Landing(await browser.authorize(prompt="none", max_age="120")).query


@pytest.mark.parametrize(("hours", "asked"), [(17.9, False), (18, True), (48, True)])
async def test_factor_is_valid_for_18_hours(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, hours: float, asked: bool
) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    await sign_in_with_code(browser)
    clock.tick(hours * HOURS)
    if not asked:
        assert "code" in Landing(await browser.authorize()).query
        return

    assert Landing(await browser.authorize(prompt="none")).query["error"] == "interaction_required"
    id = await browser.begin()
    shown = await browser.ask(id)
    assert shown.name is StepName.TOTP
    grant = await grant_after(authz, browser, await browser.answer(id, shown, code="222222"))
    assert grant.amr == ("pwd", "otp", "mfa")


@pytest.mark.usefixtures("signed_in")
async def test_factor_without_session_is_insufficient(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """After a sign-out elsewhere the password and the factor are requested."""
    id = await browser.begin()
    shown = await browser.ask(id)
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    again = await browser.answer(id, shown, code="111111")
    assert again.name is not StepName.DONE
    assert authz.peers.factors.attempts == 0

    named = await browser.answer(id, again, login_name="ada")
    asked = await browser.answer(id, named, password=PASSWORD)
    assert (named.name, asked.name) == (StepName.PASSWORD, StepName.TOTP)


@pytest.mark.usefixtures("signed_in")
async def test_step_up_of_an_ended_session_is_insufficient(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    """Without the session the stored step-up does not replace the password."""
    authz.peers.factors.give(ADA.user_id, Factor.U2F)
    clock.tick(1)
    id = await browser.begin()
    shown = await browser.ask(id)
    request = await authz.stores.requests.find(id)
    assert request is not None
    assert request.progress.user_id == ADA.user_id
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    again = await browser.ask(id)
    tried = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))

    assert (again.name, again.login_name) == (StepName.PASSWORD, ADA.user_name)
    assert tried.name is StepName.PASSWORD
    assert authz.peers.factors.attempts == 0


@pytest.mark.usefixtures("signed_in")
async def test_session_ending_concurrently_is_not_stepped_up(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    id = await browser.begin()
    shown = await browser.ask(id)

    async def end_meanwhile(_ask: VerifyTotp) -> FactorVerified:
        await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
        return FactorVerified(user=authz.peers.people[ADA.user_id])

    bus.respond(VERIFY_TOTP, end_meanwhile)
    again = await browser.answer(id, shown, code="111111")

    assert again.name is StepName.PASSWORD
    assert (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions == ()


async def test_session_deleted_concurrently_is_not_stepped_up(
    authz: AuthzService, browser: FakeBrowser, signed_in: CodeGrant, bus: MemoryBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session whose logout was completed after the step-up read it stays deleted (IR-14)."""
    id = await browser.begin()
    shown = await browser.ask(id)
    save, sessions = authz.stores.sessions.save, authz.stores.sessions

    async def delete_before(session: Session, seconds: int, *, again: bool = False) -> bool:
        await sessions.end(session.sid, 60)
        await authz.stores.logout_queue.complete(session.sid)
        return await save(session, seconds, again=again)

    monkeypatch.setattr(sessions, "save", delete_before)
    asked = await browser.answer(id, shown, code="111111")

    assert asked.name is StepName.PASSWORD
    assert await sessions.find(signed_in.session_id) is None
    assert (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions == ()


@pytest.mark.usefixtures("signed_in")
async def test_another_account_can_be_used_instead(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin()
    other = await browser.answer(id, await browser.ask(id), restart=True)
    assert other.name is StepName.LOGIN_NAME

    named = await browser.answer(id, other, login_name="bob")
    grant = await grant_after(authz, browser, await browser.answer(id, named, password=PASSWORD))
    assert grant.user_id == BOB.user_id


@pytest.mark.usefixtures("signed_in")
async def test_chosen_account_needs_its_factor(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    await browser.sign_in("bob", prompt="login")
    clock.tick(1)
    id = await browser.begin()
    shown = await browser.ask(id)
    assert shown.name is StepName.SELECT_ACCOUNT
    assert all(account.signed_in for account in shown.accounts)
    ada = next(account for account in shown.accounts if account.login_name == ADA.user_name)
    asked = await browser.answer(id, shown, account=ada.id)
    assert asked.name is StepName.TOTP

    grant = await grant_after(authz, browser, await browser.answer(id, asked, code="111111"))
    assert (grant.user_id, grant.amr) == (ADA.user_id, ("pwd", "otp", "mfa"))


async def test_factor_verified_in_another_tab_counts(
    authz: AuthzService, browser: FakeBrowser, signed_in: CodeGrant
) -> None:
    first, second = await browser.begin(), await browser.begin()
    await browser.ask(first)
    await browser.answer(second, await browser.ask(second), code="111111")

    assert (await grant_after(authz, browser, await browser.ask(first))).session_id == signed_in.session_id


async def test_password_change_starts_a_new_session(
    authz: AuthzService, browser: FakeBrowser, signed_in: CodeGrant
) -> None:
    """A password change in between ends the session, and both factors are requested again (IR-14)."""
    authz.peers.people[ADA.user_id] = replace(authz.peers.people[ADA.user_id], password_change_required=True)
    id = await browser.begin()
    changing = await browser.answer(id, await browser.ask(id), code="111111")
    done = await browser.answer(id, changing, password=PASSWORD, new_password=PASSWORD * 2)
    grant = await grant_after(authz, browser, done)

    assert changing.name is StepName.CHANGE_PASSWORD
    assert grant.session_id != signed_in.session_id
    assert grant.auth_time > signed_in.auth_time
    assert grant.amr == ("pwd", "otp", "mfa")


LEVELS = {
    "a key, asked for": ((Factor.TOTP, Factor.U2F), ACR_PHISHING_RESISTANT, StepName.SECURITY_KEY),
    "any of those named": ((Factor.TOTP, Factor.U2F), " ".join(ACR_VALUES), None),
    "one that is reached": ((Factor.TOTP, Factor.U2F), ACR_MULTI_FACTOR, None),
    "no key": ((Factor.TOTP,), ACR_PHISHING_RESISTANT, None),
    "unknown": ((Factor.TOTP, Factor.U2F), "1 2 urn:portico:acr:best", None),
}


@pytest.mark.parametrize(("factors", "acr_values", "step"), LEVELS.values(), ids=LEVELS)
async def test_acr_values_requests_a_level_but_no_enrolment(
    authz: AuthzService,
    browser: FakeBrowser,
    clock: FrozenClock,
    factors: tuple[Factor, ...],
    acr_values: str,
    step: StepName | None,
) -> None:
    """The level is voluntary for users with factors, and silent requests return the reached level (OIDC Core
    §3.1.2.1).
    """
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    await sign_in_with_code(browser)
    authz.peers.factors.give(ADA.user_id, *factors)
    clock.tick(1)
    silent = await grant_of(authz, Landing(await browser.authorize(prompt="none", acr_values=acr_values)))
    assert silent.acr == ACR_MULTI_FACTOR
    response = await browser.authorize(acr_values=acr_values)
    if step is None:
        assert (await grant_of(authz, Landing(response))).acr == ACR_MULTI_FACTOR
        return

    id = response.headers["location"].partition("request=")[2]
    shown = await browser.ask(id)
    assert shown.name is step
    done = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))
    grant = await grant_after(authz, browser, done)
    assert (grant.amr, grant.acr) == (("pwd", "pop", "user", "mfa"), ACR_PHISHING_RESISTANT)


async def test_weaker_factor_satisfies_a_voluntary_request(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.TOTP, Factor.U2F)
    id = await browser.begin(acr_values=ACR_PHISHING_RESISTANT)
    shown = await browser.answer(id, await browser.log_in(id), other=StepName.TOTP)
    done = await browser.answer(id, shown, code="111111")

    assert (await grant_after(authz, browser, done)).acr == ACR_MULTI_FACTOR


async def test_without_factors_no_page_is_shown(authz: AuthzService, browser: FakeBrowser) -> None:
    landing = await browser.sign_in(acr_values=ACR_PHISHING_RESISTANT)

    assert (await grant_of(authz, landing)).acr == ACR_PASSWORD
    assert "code" in Landing(await browser.authorize(acr_values=ACR_PHISHING_RESISTANT)).query
