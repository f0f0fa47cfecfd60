"""Consent before an application gets a code (OpenID Connect Core section 3.1.2.4, decision 0092)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts import http
from portico_contracts.authz import REDEEM_CODE, RedeemCode
from portico_contracts.step_names import StepName
from portico_contracts.users import Api, ApiScope, Consent, DescribedScope
from portico_fakes.authz_service import ADA, BOB, CALLBACK, AuthzService, FakeBrowser, Landing, request_in
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

PLACE = (ADA.user_id, "web")
READ, WRITE = "orders.read", "orders.write"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    service = AuthzService(clock, bus)
    service.peers.register("web", consent=Consent.ONCE)
    service.peers.apis["web"] = (Api(client_id="orders", scopes=(READ, WRITE)),)
    service.peers.texts[READ] = DescribedScope(READ, "Orders", "Read your orders", "All of them.", "orders")
    return service


@pytest.fixture
async def browser(authz: AuthzService) -> FakeBrowser:
    return await authz.browser_signed_in_elsewhere()


async def shown(browser: FakeBrowser, **parameters: str) -> tuple[str, Any]:
    id = await browser.begin(**parameters)
    return id, await browser.ask(id)


async def allow(browser: FakeBrowser, id: str, step: Any, **fields: Any) -> Any:
    return await browser.answer(id, step, scopes=tuple(one.scope for one in step.scopes), **fields)


async def resumed(browser: FakeBrowser, id: str) -> Landing:
    return Landing(await browser.get(http.AUTHORIZE_RESUME, {"request": id}))


async def test_page_shows_each_scope_and_allows_them(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    """The code has what was shown, users keep it, and the next request needs no page."""
    id, step = await shown(browser, scope=f"openid {READ} urn:portico:org:id:{ADA.org_id}")
    done = await allow(browser, id, step)
    code = (await resumed(browser, id)).query["code"]
    redeemed = await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))
    again = Landing(await browser.authorize(scope=f"openid {READ}"))

    assert (step.name, step.org_name, step.client_name) == (StepName.CONSENT, "Acme", "Demo shop")
    assert [(one.scope, one.api, one.title, one.allowed) for one in step.scopes] == [
        ("openid", "", "", False),
        (READ, "Orders", "Read your orders", False),
    ]
    assert done.name is StepName.DONE
    assert redeemed.grant is not None
    assert redeemed.grant.scope[:2] == ("openid", READ)
    assert authz.peers.consents[PLACE] == ("openid", ApiScope("orders", READ))
    assert "code" in again.query


async def test_further_scopes_are_asked_for(authz: AuthzService, browser: FakeBrowser) -> None:
    """The page marks what was allowed before."""
    authz.peers.consents[PLACE] = ("openid", ApiScope("orders", READ))
    _, step = await shown(browser, scope=f"openid {READ} {WRITE}")

    assert [(one.scope, one.allowed) for one in step.scopes] == [("openid", True), (READ, True), (WRITE, False)]


async def test_consent_follows_a_sign_in(authz: AuthzService) -> None:
    """Without a session the page comes after the sign-in, and before the response."""
    browser = authz.browser()
    id = await browser.begin()
    await browser.log_in(id)
    waiting = await browser.get(http.AUTHORIZE_RESUME, {"request": id})
    step = await browser.ask(id)
    await allow(browser, id, step)

    assert request_in(waiting) == id
    assert step.name is StepName.CONSENT
    assert "code" in (await resumed(browser, id)).query


@pytest.mark.parametrize("signed_in", [True, False])
async def test_another_account_can_be_used_instead(authz: AuthzService, bus: MemoryBus, signed_in: bool) -> None:
    """The session that the page asks about is left, also one that this request has started."""
    browser = authz.browser()
    if signed_in:
        await browser.sign_in(client_id="other")
    id = await browser.begin()
    if not signed_in:
        await browser.log_in(id)
    asked = await browser.ask(id)
    again = await browser.answer(id, asked, restart=True)
    await browser.log_in(id, "bob")
    await allow(browser, id, await browser.ask(id))
    code = (await resumed(browser, id)).query["code"]
    redeemed = await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))

    assert (asked.name, again.name) == (StepName.CONSENT, StepName.LOGIN_NAME)
    assert redeemed.grant is not None
    assert redeemed.grant.user_id == BOB.user_id


async def test_cancelled_page_denies_access(authz: AuthzService, browser: FakeBrowser) -> None:
    """Nothing is stored, and the application gets access_denied."""
    id, step = await shown(browser)
    await browser.answer(id, step, cancel=True)

    assert (await resumed(browser, id)).query["error"] == "access_denied"
    assert authz.peers.consents == {}


async def test_prompt_none_requires_consent(authz: AuthzService, browser: FakeBrowser) -> None:
    """A silent request gets consent_required until everything it requests was allowed (OIDC Core section 3.1.2.6)."""
    before = Landing(await browser.authorize(prompt="none"))
    authz.peers.consents[PLACE] = ("openid",)
    more = Landing(await browser.authorize(prompt="none", scope=f"openid {READ}"))

    assert (before.query["error"], more.query["error"]) == ("consent_required", "consent_required")
    await authz.assembly.traces.settle()
    checks = [
        one.checks[-1] for _, message in authz.bus.reported for one in message.traces if one.error_id == "AUTHZ-252"
    ]
    assert [(one.name, one.given) for one in checks] == [("consent", "openid"), ("consent", f"openid {READ}")]


async def test_single_claims_are_allowed_as_the_scopes_that_contain_them(
    authz: AuthzService, browser: FakeBrowser
) -> None:
    """The page shows each scope once, and names in no scope, such as acr, are not shown (decision 0092)."""
    authz.peers.consents[PLACE] = ("openid",)
    wanted = {
        "scope": "openid email",
        "claims": '{"userinfo":{"email":null,"address":null},"id_token":{"phone_number":null,"acr":null}}',
    }
    silent = Landing(await browser.authorize(prompt="none", scope="openid", claims='{"userinfo":{"email":null}}'))
    id, step = await shown(browser, **wanted)
    await allow(browser, id, step)

    assert silent.query["error"] == "consent_required"
    assert [one.scope for one in step.scopes] == ["openid", "email", "phone", "address"]
    assert "code" in Landing(await browser.authorize(prompt="none", **wanted)).query


@pytest.mark.parametrize(("consent", "prompt"), [(Consent.ALWAYS, None), (Consent.ONCE, "consent")])
async def test_consent_is_asked_for_again(
    authz: AuthzService, browser: FakeBrowser, consent: Consent, prompt: str | None
) -> None:
    """Where the application or the request requires it, once per request, whatever was allowed before."""
    authz.peers.register("web", consent=consent)
    authz.peers.consents[PLACE] = ("openid",)
    id, step = await shown(browser, **({"prompt": prompt} if prompt else {}))
    await allow(browser, id, step)

    assert step.name is StepName.CONSENT
    assert "code" in (await resumed(browser, id)).query


async def test_only_shown_scopes_are_allowed(authz: AuthzService, browser: FakeBrowser) -> None:
    """An answer for other scopes than the requested ones shows the page again, and stores nothing."""
    id, step = await shown(browser, scope=f"openid {READ}")
    again = await browser.answer(id, step, scopes=("openid",))

    assert (again.name, len(again.scopes)) == (StepName.CONSENT, 2)
    assert authz.peers.consents == {}


async def test_prompt_consent_changes_nothing_elsewhere(authz: AuthzService, browser: FakeBrowser) -> None:
    """An application that requests no consent shows no page, as before."""
    assert "code" in Landing(await browser.authorize(client_id="other", prompt="consent")).query
