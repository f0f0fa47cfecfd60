"""What an application demands of a sign-in for every request: its age, its session, its acr (decision 0148)."""

from __future__ import annotations

import json

import pytest
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor, LoginPolicy, ProviderRedirect
from portico_fakes.authz_external import ACME
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, CALLBACK, ISSUER, AuthzService, FakeBrowser, Landing, request_in
from portico_fakes.clock import FrozenClock
from portico_fakes.device_sign_in import authz_for_devices, begin, enter
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.trusted_browser import DAY, step_after_password, trust_device, trusting_authz
from portico_oauth.assurance import ACR_MULTI_FACTOR, ACR_PASSWORD, ACR_PHISHING_RESISTANT, ACR_PHR
from portico_oauth.grant_types import DEVICE_CODE


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def grant_of(authz: AuthzService, landing: Landing, client_id: str) -> CodeGrant:
    question = RedeemCode(code=landing.query["code"], client_id=client_id, redirect_uri=CALLBACK)
    grant = (await authz.bus.call(REDEEM_CODE, question)).grant
    assert grant is not None
    return grant


async def silent(browser: FakeBrowser, client_id: str = "strict", **parameters: str) -> str:
    """The error of a silent request, or "code"."""
    query = Landing(await browser.authorize(client_id=client_id, prompt="none", **parameters)).query
    return query.get("error") or ("code" if "code" in query else "")


async def test_default_max_age_counts_where_none_is_sent(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """OpenID Connect registration, default_max_age: a request overrides it, and auth_time is in the ID token."""
    authz.peers.register("strict", default_max_age_seconds=300)
    await browser.sign_in()
    young = await grant_of(authz, Landing(await browser.authorize(client_id="strict", prompt="none")), "strict")
    clock.tick(301)

    assert young.auth_time
    assert await silent(browser) == "login_required"
    assert await silent(browser, max_age="600") == "code"
    assert await silent(browser, "web") == "code"


async def test_session_counts_for_the_time_of_the_application(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    authz.peers.register("strict", session_seconds=600)
    await browser.sign_in()
    clock.tick(599)
    in_time = await silent(browser)
    clock.tick(2)
    late = [await silent(browser, client_id) for client_id in ("strict", "web")]
    id = await browser.begin(client_id="strict")
    shown = await browser.ask(id)
    done = await browser.log_in(id)

    assert (in_time, late) == ("code", ["login_required", "code"])
    assert shown.name is StepName.LOGIN_NAME
    assert done.name is StepName.DONE
    assert await silent(browser) == "code"


async def test_unused_session_ends_for_the_application(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """Each use at any application counts."""
    authz.peers.register("strict", session_idle_seconds=600)
    await browser.sign_in()
    clock.tick(500)
    await silent(browser, "web")
    clock.tick(500)
    used = await silent(browser)
    clock.tick(601)

    assert (used, await silent(browser), await silent(browser, "web")) == ("code", "login_required", "code")


@pytest.mark.parametrize("name", ["session_seconds", "session_idle_seconds"])
async def test_known_user_confirms_the_session(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, name: str
) -> None:
    """As with max_age: the browser shows the user already, so that the password is enough."""
    authz.peers.register("strict", **{name: 600})
    await browser.sign_in()
    hint = authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id})
    clock.tick(601)
    shown = await browser.ask(await browser.begin(client_id="strict", id_token_hint=hint))

    assert (shown.name, shown.confirms) == (StepName.PASSWORD, True)


async def test_session_time_begins_with_the_sign_in_here(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """A provider states when the user signed in there, hours ago; otherwise each visit would lead there again."""
    authz.peers.register("strict", session_seconds=600)
    authz.peers.policies |= {org: LoginPolicy(providers=(ACME,)) for org in ("", "org-1")}
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, ADA)
    authz.peers.providers.state_time(clock.now() - 7_200)
    state = await browser.leave(await browser.begin(client_id="strict"), ACME.id)
    await browser.come_back(provider_id=ACME.id, parameters={"state": state, "code": "right"})
    at_once = await silent(browser)
    clock.tick(601)

    assert (at_once, await silent(browser)) == ("code", "login_required")


async def test_minimum_acr_is_reached_or_refused(authz: AuthzService, browser: FakeBrowser) -> None:
    """A stronger acr of a request stays voluntary; a weaker essential one lowers nothing."""
    authz.peers.register("strict", minimum_acr=ACR_MULTI_FACTOR)
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    id = await browser.begin(client_id="strict")
    done = await browser.answer(id, await browser.log_in(id), code="111111")
    landing = Landing(await browser.get(done.continue_to))
    weaker = json.dumps({"id_token": {"acr": {"essential": True, "value": ACR_PASSWORD}}})
    stronger = json.dumps({"id_token": {"acr": {"value": ACR_PHISHING_RESISTANT}}})

    assert (await grant_of(authz, landing, "strict")).acr == ACR_MULTI_FACTOR
    assert await silent(browser, claims=weaker) == await silent(browser, claims=stronger) == "code"


@pytest.mark.parametrize("claims", ["", json.dumps({"id_token": {"acr": {"essential": True, "value": ACR_PASSWORD}}})])
async def test_weaker_session_is_never_enough(authz: AuthzService, browser: FakeBrowser, claims: str) -> None:
    authz.peers.register("strict", minimum_acr=ACR_PHR)
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    id = await browser.begin()
    await browser.answer(id, await browser.log_in(id), code="111111")
    parameters = {"claims": claims} if claims else {}
    refused = [await silent(browser, **parameters)]
    authz.peers.factors.give(ADA.user_id, Factor.U2F, Factor.TOTP)
    refused.append(await silent(browser, **parameters))
    id = await browser.begin(client_id="strict", **parameters)
    done = await browser.answer(
        id, await browser.ask(id), credential=signed((await browser.ask(id)).options, KEY_OF[ADA.user_id])
    )
    landing = Landing(await browser.get(done.continue_to))

    assert refused == ["unmet_authentication_requirements", "interaction_required"]
    assert "code" in landing.query


async def test_user_without_a_factor_registers_one(authz: AuthzService, browser: FakeBrowser) -> None:
    """As where the organization requires it; elsewhere the user needs none."""
    authz.peers.register("strict", minimum_acr=ACR_MULTI_FACTOR)
    elsewhere = await browser.sign_in()
    alone = await silent(browser)
    id = await browser.begin(client_id="strict")
    shown = await browser.ask(id)

    assert "code" in elsewhere.query
    assert alone == "interaction_required"
    assert shown.name not in (StepName.DONE, StepName.LOGIN_NAME, StepName.PASSWORD)


async def test_trusted_browser_does_not_replace_the_minimum(clock: FrozenClock, bus: MemoryBus) -> None:
    authz = trusting_authz(clock, bus)
    authz.peers.register("strict", minimum_acr=ACR_MULTI_FACTOR)
    browser = authz.browser()
    await trust_device(browser)
    clock.tick(2 * DAY)
    shown = await browser.log_in(await browser.begin(client_id="strict"))
    elsewhere = await step_after_password(browser)

    assert (elsewhere, shown.name) == (StepName.DONE, StepName.TOTP)


async def test_device_sends_no_max_age_and_gets_that_of_its_application(clock: FrozenClock, bus: MemoryBus) -> None:
    authz = authz_for_devices(clock, bus)
    browser = authz.browser()
    authz.peers.register("tv", grant_types=(DEVICE_CODE,), default_max_age_seconds=300)
    await browser.sign_in(client_id="other")
    shown = []
    for seconds in (0, 301):
        clock.tick(seconds)
        device = await begin(bus, "openid")
        id = request_in(await browser.get((await enter(browser, device.user_code)).continue_to))
        shown.append((await browser.ask(id)).name)

    assert shown == [StepName.CONSENT, StepName.LOGIN_NAME]
