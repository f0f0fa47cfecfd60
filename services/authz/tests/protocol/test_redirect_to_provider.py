"""Login names that lead to the provider of their organization without a page (decision 0144)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import (
    BEGIN_EXTERNAL,
    BeginExternal,
    ExternalBegun,
    LoginPolicy,
    OfferedProvider,
    ProviderRedirect,
)
from portico_fakes.authz_external import ACME, DIRECTORY, ENDPOINT, GATE, REFUSED
from portico_fakes.authz_service import ADA, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.login_messages import read_step
from portico_fakes.memory_bus import MemoryBus

NAME = "ada@example.test"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.policies[""] = LoginPolicy(redirects_somewhere=True)
    offer(authz, ACME)
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, ADA)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def offer(authz: AuthzService, *providers: OfferedProvider, redirects: bool = True) -> None:
    authz.peers.policies["org-1"] = LoginPolicy(providers=providers, redirect_to_provider=redirects)


async def came_back(browser: FakeBrowser, address: str, code: str = "right") -> Any:
    state = address.split("state=")[1]
    return (await browser.come_back(provider_id=ACME.id, parameters={"state": state, "code": code})).step


async def test_typed_name_leads_to_the_only_provider(authz: AuthzService, browser: FakeBrowser) -> None:
    """The name is sent along, so that it need not be typed again; whether it has an account does not matter (LG-01)."""
    for name in (NAME, "nobody@example.test"):
        visitor = authz.browser()
        away = await visitor.name(await visitor.begin(), name)
        assert str(away.leave_to).startswith(ENDPOINT)
    assert [one.login_hint for one in authz.peers.providers.begun] == [NAME, "nobody@example.test"]

    id = await browser.begin()
    done = await came_back(browser, str((await browser.name(id, NAME)).leave_to))
    assert done.name is StepName.DONE


async def test_hint_leads_there_without_a_page(authz: AuthzService, browser: FakeBrowser) -> None:
    """The same decision as for a typed name, at the authorization endpoint."""
    away = await browser.authorize(login_hint=NAME)
    address = away.headers["location"]

    assert address.startswith(ENDPOINT)
    assert (await came_back(browser, address)).name is StepName.DONE


@pytest.mark.parametrize(
    ("providers", "redirects"), [((ACME, GATE), True), ((), True), ((DIRECTORY,), True), ((ACME,), False)]
)
@pytest.mark.parametrize("hinted", [False, True])
async def test_page_is_shown_unless_exactly_one_provider_is_left(
    authz: AuthzService, browser: FakeBrowser, providers: tuple[OfferedProvider, ...], redirects: bool, hinted: bool
) -> None:  # fmt: skip
    """Also where the only one is a directory, which is a page of its own, or the rule is off."""
    offer(authz, *providers, redirects=redirects)
    id = await browser.begin(login_hint=NAME if hinted else None)
    page = await (browser.ask(id) if hinted else browser.name(id, NAME))

    assert page.name is (StepName.LOGIN_NAME if hinted else StepName.PASSWORD)
    assert not page.leave_to
    assert authz.peers.providers.begun == []


@pytest.mark.parametrize("name", ["ada", "ada@other.example", "ada@", "@", "ada@mail.example"])
async def test_name_of_another_domain_stays_here(authz: AuthzService, browser: FakeBrowser, name: str) -> None:
    id = await browser.begin(login_hint=name)
    page = await browser.name(id, name)

    assert (page.name, page.leave_to) == (StepName.PASSWORD, "")


@pytest.mark.parametrize("hinted", [False, True])
async def test_who_cancels_at_the_provider_gets_the_page(
    authz: AuthzService, browser: FakeBrowser, hinted: bool
) -> None:
    """The page for this name, with the other ways; it stays a page when it is reloaded."""
    if hinted:
        address = (await browser.authorize(login_hint=NAME)).headers["location"]
    else:
        address = str((await browser.name(await browser.begin(), NAME)).leave_to)
    state = address.split("state=")[1]
    back = await browser.come_back(provider_id=ACME.id, parameters={"state": state, "error": "access_denied"})
    again = await browser.ask(back.request_id)

    for page in (back.step, again):
        assert (page.name, page.login_name, page.leave_to) == (StepName.PASSWORD, NAME, "")
        assert page.providers == (ACME,)
    assert len(authz.peers.providers.begun) == 1


async def test_refused_identity_leads_to_no_loop(authz: AuthzService, browser: FakeBrowser) -> None:
    """A user who may not sign in with the identity enters the name again, and gets the page."""
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN)
    id = await browser.begin()
    refused = await came_back(browser, str((await browser.name(id, NAME)).leave_to))
    page = await browser.name(id, NAME)

    assert (refused.name, refused.problem) == (StepName.LOGIN_NAME, Problem.EXTERNAL_FAILED)
    assert (page.name, page.leave_to, page.providers) == (StepName.PASSWORD, "", (ACME,))


async def test_second_press_of_a_name_leads_there_too(authz: AuthzService, browser: FakeBrowser) -> None:
    """The browser follows the response to the second press; five presses at most leave."""
    id = await browser.begin()
    shown = await browser.ask(id)
    answers = [await browser.answer_raw(id, shown, login_name=NAME) for _ in range(6)]
    address = str(read_step(answers[1].content).leave_to)

    assert [one.status_code for one in answers] == [200] * 5 + [403]
    assert (await came_back(browser, address)).name is StepName.DONE


async def test_second_press_after_a_refused_identity_shows_the_page(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN)
    id = await browser.begin()
    await came_back(browser, str((await browser.name(id, NAME)).leave_to))
    shown = await browser.ask(id)
    pages = [read_step((await browser.answer_raw(id, shown, login_name=NAME)).content) for _ in range(2)]

    assert [(page.name, page.leave_to) for page in pages] == [(StepName.PASSWORD, "")] * 2


async def test_silent_request_stays_silent(authz: AuthzService, browser: FakeBrowser) -> None:
    landing = Landing(await browser.authorize(login_hint=NAME, prompt="none"))

    assert landing.query["error"] == "login_required"
    assert authz.peers.providers.begun == []


@pytest.mark.parametrize(("org_id", "leaves"), [("org-1", True), ("org-2", False)])
async def test_requested_organization_must_be_that_of_the_domain(
    authz: AuthzService, browser: FakeBrowser, org_id: str, leaves: bool
) -> None:
    """Also where the other organization offers the same provider."""
    authz.peers.policies["org-2"] = LoginPolicy(providers=(ACME,))
    id = await browser.begin(scope=f"openid urn:portico:org:id:{org_id}")
    page = await browser.name(id, NAME)

    assert bool(page.leave_to) is leaves


async def test_account_selection_comes_before_the_hint(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """A request that demands it shows the accounts of the browser first."""
    offer(authz, ACME, redirects=False)
    await browser.sign_in()
    clock.tick(5)  # the cached policies expire
    offer(authz, ACME)
    page = await browser.ask(await browser.begin(login_hint=NAME, prompt="select_account"))

    assert page.name is StepName.SELECT_ACCOUNT


async def test_provider_that_cannot_be_reached_leads_to_the_page(authz: AuthzService, browser: FakeBrowser) -> None:
    """The page has the reason, the name and the button; it stays a page when it is reloaded."""

    async def refuse(_ask: BeginExternal) -> ExternalBegun:
        raise REFUSED.error()

    authz.bus.respond(BEGIN_EXTERNAL, refuse)
    id = await browser.begin(login_hint=NAME)
    first, again = await browser.ask(id), await browser.ask(id)

    assert (first.name, first.problem, first.login_name) == (StepName.PASSWORD, Problem.EXTERNAL_FAILED, NAME)
    assert (again.name, again.leave_to) == (StepName.PASSWORD, "")


async def test_page_without_the_rule_is_as_before(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.policies[""] = LoginPolicy()
    offer(authz, ACME, redirects=False)
    id = await browser.begin(login_hint=NAME)
    page = await browser.ask(id)

    assert (page.name, replace(page, csrf="").leave_to) == (StepName.LOGIN_NAME, "")
    assert (await browser.answer(id, await browser.name(id, "ada"), password=PASSWORD)).name is StepName.DONE
