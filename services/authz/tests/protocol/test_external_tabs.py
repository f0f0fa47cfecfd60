"""Coming back from a provider after another tab of the browser has signed in (decision 0047)."""

from __future__ import annotations

import pytest
from portico_contracts import http
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import GRANTABLE, Consent, Factor, LoginPolicy, ProviderRedirect
from portico_fakes.authz_external import ACME
from portico_fakes.authz_service import ADA, BOB, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    policy = LoginPolicy(providers=(ACME,), factors=GRANTABLE)
    authz.peers.policies |= dict.fromkeys(("", "org-1", "org-2"), policy)
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, BOB)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def leave_then_sign_in(browser: FakeBrowser, **parameters: str) -> tuple[str, str]:
    """Leaves to the provider and signs Ada in in another tab; returns request and ``state``."""
    id, other = await browser.begin(**parameters), await browser.begin()
    state = await browser.leave(id, ACME.id)
    await browser.get((await browser.log_in(other, "ada")).continue_to)
    return id, state


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [({"error": "access_denied"}, Problem.EXTERNAL_CANCELLED), ({"code": "wrong"}, Problem.EXTERNAL_FAILED)],
)
@pytest.mark.parametrize("lacks", ["nothing", "consent", "factor"])
async def test_error_is_shown_despite_a_login_in_another_tab(
    authz: AuthzService,
    browser: FakeBrowser,
    clock: FrozenClock,
    lacks: str,
    parameters: dict[str, str],
    problem: Problem,
) -> None:
    """The application does not get the user of the other tab, and the form of the page works."""
    id, state = await leave_then_sign_in(browser)
    if lacks == "consent":
        authz.peers.register("web", consent=Consent.ONCE)
    if lacks == "factor":
        authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    clock.tick(2)
    shown = (await browser.come_back(provider_id=ACME.id, parameters={"state": state, **parameters})).step
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    named = await browser.answer(id, shown, login_name="bob")

    assert (shown.name, shown.problem, shown.login_name) == (StepName.LOGIN_NAME, problem, "")
    assert shown.providers == (ACME,)
    assert resumed.headers["location"] == f"{http.LOGIN}?request={id}"
    assert (named.name, named.login_name) == (StepName.PASSWORD, "bob")


async def test_refused_identity_is_not_replaced_by_another_tab(authz: AuthzService, browser: FakeBrowser) -> None:
    """Bob, who comes back, is not of the requested organization; Ada has not signed in for this request."""
    id, state = await leave_then_sign_in(browser, scope="openid urn:portico:org:id:org-1")
    shown = (await browser.come_back(provider_id=ACME.id, parameters={"state": state, "code": "right"})).step
    named = await browser.answer(id, shown, login_name="ada")

    assert (shown.name, shown.problem) == (StepName.LOGIN_NAME, Problem.EXTERNAL_FAILED)
    assert named.name is StepName.PASSWORD


async def test_refused_link_is_not_replaced_by_another_tab(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.providers.find(ProviderRedirect.PROVE, BOB)
    authz.peers.providers.refuses_links = True
    id, state = await leave_then_sign_in(browser)
    proof = (await browser.come_back(provider_id=ACME.id, parameters={"state": state, "code": "right"})).step
    shown = await browser.answer(id, proof, password="correct horse battery")
    named = await browser.answer(id, shown, login_name="bob")

    assert (shown.name, shown.problem) == (StepName.LOGIN_NAME, Problem.EXTERNAL_FAILED)
    assert named.name is StepName.PASSWORD


async def test_page_after_the_identity_is_of_its_user(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The page is not that of the other tab's user, whose consent the application would need."""
    authz.peers.factors.give(BOB.user_id, Factor.TOTP)
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, authz.peers.people[BOB.user_id])
    _, state = await leave_then_sign_in(browser)
    authz.peers.register("web", consent=Consent.ONCE)
    clock.tick(2)
    shown = (await browser.come_back(provider_id=ACME.id, parameters={"state": state, "code": "right"})).step

    assert (shown.name, shown.login_name, shown.scopes) == (StepName.TOTP, BOB.login_name, ())


async def test_error_after_the_answer_is_ignored(authz: AuthzService, browser: FakeBrowser) -> None:
    """The user has signed in for this request while the provider's page was open."""
    id = await browser.begin()
    state = await browser.leave(id, ACME.id)
    await browser.log_in(id)
    parameters = {"state": state, "error": "access_denied"}
    back = await browser.come_back(provider_id=ACME.id, parameters=parameters)

    assert "code" in Landing(await browser.get(back.step.continue_to)).query


@pytest.mark.parametrize("parameters", [{"code": "right"}, {"error": "access_denied"}])
@pytest.mark.parametrize("selected", [False, True])
async def test_callback_is_ignored_while_consent_is_open(
    authz: AuthzService, browser: FakeBrowser, parameters: dict[str, str], selected: bool
) -> None:
    """The user has signed in for this request, or selected a session, and its consent page is shown again."""
    authz.peers.register("web", consent=Consent.ONCE)
    if selected:
        await browser.sign_in(client_id="other")
    id = await browser.begin(**({"prompt": "select_account"} if selected else {}))
    state = await browser.leave(id, ACME.id)
    if selected:
        accounts = await browser.ask(id)
        await browser.answer(id, accounts, account=accounts.accounts[0].id)
    else:
        await browser.log_in(id)
    back = await browser.come_back(provider_id=ACME.id, parameters={"state": state, **parameters})
    page = back.step
    done = await browser.answer(id, page, scopes=tuple(one.scope for one in page.scopes))

    assert (page.name, page.login_name, page.problem) == (StepName.CONSENT, "ada", Problem.NONE)
    assert (done.name, authz.peers.providers.finished) == (StepName.DONE, [])
    assert authz.peers.consents == {(ADA.user_id, "web"): ("openid",)}
