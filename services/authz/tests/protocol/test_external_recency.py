"""Tests of prompt, max_age and auth_time with external identity providers (OIDC Core §3.1.2.1)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import EnrolmentDemand, Factor, LoginPolicy, ProviderRedirect
from portico_fakes.authz_external import ACME, DIRECTORY, GATE
from portico_fakes.authz_service import ADA, BOB, CALLBACK, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

TWO_HOURS: Final = 7_200.0
DEMANDS: Final = ({"prompt": "login"}, {"max_age": "30"}, {"max_age": "0"}, {"prompt": "login", "max_age": "99999"})


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.policies |= {org: LoginPolicy(providers=(ACME, GATE, DIRECTORY)) for org in ("", "org-1", "org-2")}
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, ADA)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def through(browser: FakeBrowser, id: str) -> Any:
    """Goes to the provider and returns with a valid response."""
    state = await browser.leave(id, ACME.id)
    return (await browser.come_back(provider_id=ACME.id, parameters={"state": state, "code": "right"})).step


async def landed(browser: FakeBrowser, step: Any) -> Landing:
    assert step.name is StepName.DONE
    return Landing(await browser.get(step.continue_to))


async def grant_of(authz: AuthzService, landing: Landing) -> CodeGrant:
    question = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await authz.bus.call(REDEEM_CODE, question)).grant
    assert grant is not None
    return grant


def give_password(authz: AuthzService) -> None:
    ada = replace(ADA, has_password=True)
    authz.peers.people[ADA.user_id] = ada
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, ada)


async def test_demands_of_the_application_are_forwarded(authz: AuthzService, browser: FakeBrowser) -> None:
    """With prompt=login, max_age is sent too, because providers omit auth_time without it; other prompts are not
    sent.
    """
    rows: dict[str, tuple[dict[str, str], tuple[str, int | None]]] = {
        "nothing": ({}, ("", None)),
        "login": ({"prompt": "login"}, ("login", 0)),
        "select_account": ({"prompt": "select_account"}, ("select_account", None)),
        "both": ({"prompt": "select_account login", "max_age": "600"}, ("login select_account", 600)),
        "max_age": ({"max_age": "30"}, ("", 30)),
        "max_age 0": ({"max_age": "0"}, ("", 0)),
        "consent": ({"prompt": "consent"}, ("", None)),
    }
    for sent, _ in rows.values():
        for provider in (ACME, GATE):
            await browser.leave(await browser.begin(**sent), provider.id)
    asked = [(one.prompt, one.max_age) for one in authz.peers.providers.begun]

    assert dict(zip(rows, zip(asked[::2], asked[1::2], strict=True), strict=True)) == {
        name: (right, right) for name, (_, right) in rows.items()
    }


async def test_auth_time_is_that_of_the_provider(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """A second factor verified here does not make auth_time newer."""
    stated = clock.now() - TWO_HOURS
    authz.peers.providers.state_time(stated)
    grant = await grant_of(authz, await landed(browser, await through(browser, await browser.begin())))
    later = [Landing(await browser.authorize(prompt="none", max_age=age)).query for age in ("7199", "7300")]
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, authz.peers.people[ADA.user_id])
    other = authz.browser()
    await through(other, id := await other.begin())
    done = await other.answer(id, await other.ask(id), code="111111")

    assert (grant.auth_time, grant.auth_time_proven) == (int(stated), True)
    assert [("code" in one, one.get("error")) for one in later] == [(False, "login_required"), (True, None)]
    assert (await grant_of(authz, await landed(other, done))).auth_time == int(stated)


async def test_fresh_sign_in_at_the_provider_is_accepted(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The provider's clock may be some seconds behind and has whole seconds."""
    for demand in DEMANDS:
        id = await browser.begin(**demand)
        clock.tick(60)
        authz.peers.providers.state_time(clock.now() - 65 if demand == {"prompt": "login"} else clock.now() - 1)
        await landed(browser, await through(browser, id))


async def test_stale_sign_in_is_repeated_once_then_refused(authz: AuthzService, clock: FrozenClock) -> None:
    """A provider that ignores prompt or max_age twice signs no user in."""
    authz.peers.providers.state_time(clock.now() - TWO_HOURS)
    for demand in ({"prompt": "login"}, {"max_age": "30"}, {"max_age": "0"}, {"prompt": "login", "max_age": "99999"}):
        browser = authz.browser()
        id = await browser.begin(**demand)
        again = await through(browser, id)
        early = Landing(await browser.get(f"/oauth/v2/authorize/resume?request={id}"))
        refused = await landed(browser, await through(browser, id))

        assert (again.name, again.problem) == (StepName.LOGIN_NAME, Problem.EXTERNAL_TOO_OLD), demand
        assert early.response.headers["location"].startswith("/ui/login"), demand
        assert refused.query["error"] == "login_required", demand


async def test_local_password_proves_recency(authz: AuthzService, clock: FrozenClock) -> None:
    """If the provider states no time, or an old one, the password of the account is requested."""
    give_password(authz)
    for stated in (0.0, clock.now() - TWO_HOURS):
        authz.peers.providers.state_time(stated)
        for demand in DEMANDS:
            browser = authz.browser()
            id = await browser.begin(**demand)
            page = await through(browser, id)
            grant = await grant_of(authz, await landed(browser, await browser.answer(id, page, password=PASSWORD)))

            assert (page.name, page.problem, page.login_name) == (
                StepName.PASSWORD,
                Problem.EXTERNAL_TOO_OLD,
                ADA.login_name,
            )
            assert (grant.user_id, grant.amr, grant.auth_time) == (ADA.user_id, ("pwd",), int(clock.now()))


async def test_local_factor_proves_recency_without_auth_time(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """A second factor verified now is a proof only if the provider stated no time."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, authz.peers.people[ADA.user_id])
    id = await browser.begin(max_age="30")
    factor = await through(browser, id)
    done = await browser.answer(id, await browser.ask(id), code="111111")
    grant = await grant_of(authz, await landed(browser, done))
    silent = Landing(await browser.authorize(prompt="none", max_age="30"))
    authz.peers.providers.state_time(clock.now() - TWO_HOURS)
    other = authz.browser()
    await through(other, id := await other.begin(max_age="30"))
    again = await other.answer(id, await other.ask(id), code="222222")

    assert factor.name is StepName.TOTP
    assert (grant.auth_time, grant.auth_time_proven) == (int(clock.now()), True)
    assert "code" in silent.query
    assert (again.name, again.problem) == (StepName.LOGIN_NAME, Problem.EXTERNAL_TOO_OLD)


async def test_repetition_has_the_rules_of_the_users_organization(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The page offers the provider again where the application's organization does not have it."""
    authz.peers.policies["org-1"] = LoginPolicy()
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, BOB)
    authz.peers.providers.state_time(clock.now() - TWO_HOURS)
    id = await browser.begin(max_age="30")
    await browser.name(id, BOB.login_name)
    page = await through(browser, id)

    assert (page.name, page.problem, page.providers) == (
        StepName.LOGIN_NAME,
        Problem.EXTERNAL_TOO_OLD,
        (ACME, GATE, DIRECTORY),
    )


async def test_enrolment_has_the_rules_of_the_users_organization(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """A session alone enrols no factor, and the page offers the provider to users without a password."""
    authz.peers.policies["org-1"] = LoginPolicy()
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, BOB)
    id = await browser.begin()
    await browser.name(id, BOB.login_name)
    await landed(browser, await through(browser, id))
    authz.peers.set_policy(BOB.org_id, force_mfa=True, enrolment=EnrolmentDemand.PASSWORD)
    clock.tick(2)  # policies are remembered for a second
    page = await browser.ask(await browser.begin())

    assert (page.name, page.providers) == (StepName.PASSWORD, (ACME, GATE, DIRECTORY))


async def test_request_fails_without_any_proof_of_recency(authz: AuthzService, browser: FakeBrowser) -> None:
    for demand in DEMANDS:
        refused = await landed(browser, await through(browser, await browser.begin(**demand)))

        assert refused.query["error"] == "login_required", demand


async def test_session_of_unknown_age_satisfies_no_max_age(authz: AuthzService, browser: FakeBrowser) -> None:
    """Such a session serves requests without max_age, and their grants state that the time is unproven."""
    grant = await grant_of(authz, await landed(browser, await through(browser, await browser.begin())))
    demanded = Landing(await browser.authorize(prompt="none", max_age="3600")).query
    plain = Landing(await browser.authorize(prompt="none")).query

    assert not grant.auth_time_proven
    assert demanded["error"] == "login_required"
    assert "code" in plain


async def test_new_account_needs_the_proof_too(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.providers.find(ProviderRedirect.COMPLETE)
    id = await browser.begin(prompt="login")
    page = await through(browser, id)
    assert page.profile is not None
    done = await browser.answer(id, page, profile=page.profile)

    assert page.name is StepName.COMPLETE_EXTERNAL
    assert (await landed(browser, done)).query["error"] == "login_required"


async def test_ldap_password_has_the_present_time(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    id = await browser.begin(prompt="login", max_age="0")
    page = await browser.answer(id, await browser.ask(id), provider=DIRECTORY.id)
    authz.peers.providers.state_time(clock.now())
    done = await browser.answer(id, page, login_name="ada", password="right")

    assert (await grant_of(authz, await landed(browser, done))).auth_time == int(clock.now())
