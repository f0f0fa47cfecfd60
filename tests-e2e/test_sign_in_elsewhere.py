"""Signing in through external identity providers: an injected JWT, and a third-party OpenID provider."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.async_api import Page as Tab
from portico_scenarios import elsewhere as journey
from portico_scenarios import intents
from portico_scenarios.agent import Agent, Page
from portico_scenarios.elsewhere import BUTTONS, OPENID, PORTAL, Elsewhere
from portico_scenarios.federated import Federated
from portico_scenarios.id_token import checked_claims
from portico_scenarios.login_pages import RelyingPartyPages
from portico_scenarios.participants import CAROL
from portico_scenarios.relying_party import Begun
from portico_scenarios.world import code_in

pytestmark = pytest.mark.e2e

RACERS = min(int(os.environ.get("PORTICO_TEST_RACERS", "10")), 200)
AT_ONCE = 16
"""Browsers that visit a provider concurrently."""

EITHER = pytest.mark.parametrize("provider_id", [PORTAL, OPENID])


@pytest.fixture(scope="module")
async def elsewhere(federated: Federated, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Elsewhere]:
    async with journey.running(federated, tmp_path_factory.mktemp("provider")) as stage:
        yield stage


async def claims_of(elsewhere: Elsewhere, begun: Begun, page: Page) -> dict[str, Any]:
    answer = await elsewhere.world.redeem("basic", code_in(page), code_verifier=begun.verifier)
    assert answer.status_code == 200, answer.text
    return await checked_claims(elsewhere.world.http, elsewhere.world.metadata, answer.json()["id_token"], "e2e-basic")


async def complete(agent: Agent, login: str) -> Page:
    return await agent.press(
        "register-submit",
        register_username=login,
        register_email=f"{login}@elsewhere.example",
        register_firstname="Eve",
        register_lastname="Elsewhere",
    )


@EITHER
async def test_first_sign_in_completes_details_and_second_does_not(elsewhere: Elsewhere, provider_id: str) -> None:
    """The account is created after the details are confirmed, and then the provider signs in to it (IP-06)."""
    await elsewhere.offer()
    login = f"eve-{provider_id}"
    begun = elsewhere.begin()
    async with elsewhere.world.agent() as agent:
        asked = await elsewhere.sign_in(agent, begun, provider_id, login)
        shown = asked.shows("complete-external-page")
        first = await claims_of(elsewhere, begun, await complete(agent, login))
    again = elsewhere.begin()
    async with elsewhere.world.agent() as agent:
        second = await claims_of(elsewhere, again, await elsewhere.sign_in(agent, again, provider_id, login))

    assert shown
    assert first["sub"] == second["sub"]
    assert "amr" not in second


async def test_reauthentication_is_proven_by_the_providers_auth_time(elsewhere: Elsewhere) -> None:
    """With prompt=login or max_age the provider's auth_time is required; a JWT without one gives login_required."""
    await elsewhere.offer()
    stated: list[dict[str, Any]] = []
    for provider_id in (OPENID, PORTAL):
        async with elsewhere.world.agent() as agent:
            await elsewhere.sign_in(agent, elsewhere.begin(), provider_id, f"renewed-{provider_id}")
            await complete(agent, f"renewed-{provider_id}")
    for demand in ({"prompt": "login"}, {"max_age": "30"}):
        begun = elsewhere.begin(**demand)
        async with elsewhere.world.agent() as agent:
            page = await elsewhere.sign_in(agent, begun, OPENID, f"renewed-{OPENID}")
            stated.append(await claims_of(elsewhere, begun, page))
    async with elsewhere.world.agent() as agent:
        page = await elsewhere.sign_in(agent, elsewhere.begin(prompt="login"), PORTAL, f"renewed-{PORTAL}")

    assert all(claims["iat"] - 30 <= claims["auth_time"] <= claims["iat"] for claims in stated)
    assert page.returned is not None
    assert page.returned["error"] == "login_required"


async def test_chromium_signs_in_through_the_openid_provider(elsewhere: Elsewhere, tab: Tab) -> None:
    """In Chromium button, interstitial, provider pages and details lead to a signed-in application."""
    await elsewhere.offer()
    pages = RelyingPartyPages(tab, elsewhere.world.rp_url("basic"))
    await pages.begin()
    await tab.click(f"#{BUTTONS[OPENID]}")
    await elsewhere.openid.sign_in_with(tab, "chromium")
    await tab.fill("#register-username", "chromium")
    await tab.fill("#register-email", "chromium@elsewhere.example")
    await tab.fill("#register-firstname", "Eve")
    await tab.fill("#register-lastname", "Elsewhere")
    await tab.click("#register-submit")
    await pages.expect_signed_in()


async def test_existing_account_is_linked_after_its_password(elsewhere: Elsewhere) -> None:
    """A matching user name signs in to no account until its password links it, and then the provider does (IP-06)."""
    await elsewhere.offer_by_user_name()
    subjects = []
    async with elsewhere.world.agent() as agent:
        unproven = await elsewhere.sign_in(agent, elsewhere.begin(), PORTAL, CAROL.login_name)
    for asks in (True, False):
        begun = elsewhere.begin()
        async with elsewhere.world.agent() as agent:
            page = await elsewhere.sign_in(agent, begun, PORTAL, CAROL.login_name)
            assert page.shows("external-link") == asks
            if asks:
                page = await agent.press("password-submit", password=CAROL.password)
            subjects.append((await claims_of(elsewhere, begun, page))["sub"])

    assert (unproven.returned, unproven.shows("external-link")) == (None, True)
    assert subjects == [CAROL.id, CAROL.id]


@EITHER
async def test_no_account_is_created_where_not_allowed(elsewhere: Elsewhere, provider_id: str) -> None:
    """Where creation is disabled the page reports that there is no account, and the browser is not signed in."""
    await elsewhere.offer(is_creation_allowed=False, is_linking_allowed=False)
    async with elsewhere.world.agent() as agent:
        page = await elsewhere.sign_in(agent, elsewhere.begin(), provider_id, "stranger")
        after = await agent.open(elsewhere.begin().url)

    assert (page.shows("external-no-account-page"), page.shows("external-start-link")) == (True, False)
    assert (after.returned, after.shows("loginname")) == (None, True)


async def test_callback_is_bound_to_the_browser(elsewhere: Elsewhere) -> None:
    """Another browser and a cross-site POST are refused without using up the callback (LG-14)."""
    await elsewhere.offer()
    async with elsewhere.world.agent() as agent, elsewhere.world.agent() as other:
        back = await elsewhere.way_back(agent, elsewhere.begin(), OPENID, "owner")
        address = urlsplit(back)
        posted = await elsewhere.world.http.post(
            address._replace(query="").geturl(),
            data=dict(parse_qsl(address.query)),
            headers={"Origin": elsewhere.openid.issuer, "Sec-Fetch-Site": "cross-site"},
        )
        await other.open(elsewhere.begin().url)
        stolen = await other.open(back)
        page = await agent.open(back)

    assert (posted.status_code, "AUTHZ-060" in posted.text) == (404, True)
    assert (stolen.status, "AUTHZ-061" in stolen.response.text) == (403, True)
    assert page.shows("complete-external-page")


async def test_callback_is_accepted_once(elsewhere: Elsewhere) -> None:
    """Of concurrent identical callbacks at two replicas one continues the sign-in, and the others are refused."""
    await elsewhere.offer()
    async with elsewhere.world.agent() as agent:
        await elsewhere.sign_in(agent, elsewhere.begin(), OPENID, "racer")
        await complete(agent, "racer")
    async with elsewhere.world.agent() as agent:
        back = await elsewhere.way_back(agent, elsewhere.begin(), OPENID, "racer")
        answers = await asyncio.gather(*(agent.http.get(back) for _ in range(RACERS)))
    outcomes = Counter(answer.status_code for answer in answers)

    assert outcomes[200] == 1, outcomes
    assert all("AUTHZ-060" in answer.text for answer in answers if answer.status_code != 200), outcomes


async def test_one_identity_becomes_one_account(elsewhere: Elsewhere) -> None:
    """Concurrent completions of one identity in many browsers end in the same account."""
    await elsewhere.offer()
    gate = asyncio.Semaphore(AT_ONCE)
    agents = [elsewhere.world.agent() for _ in range(RACERS)]
    requests = [elsewhere.begin() for _ in agents]

    async def arrive(agent: Agent, begun: Begun) -> bool:
        async with gate:
            return (await elsewhere.sign_in(agent, begun, PORTAL, "twin")).shows("complete-external-page")

    assert all(await asyncio.gather(*(arrive(*pair) for pair in zip(agents, requests, strict=True))))
    pages = await asyncio.gather(*(complete(agent, "twin") for agent in agents))
    done = [(begun, page) for begun, page in zip(requests, pages, strict=True) if page.returned]
    subjects = Counter([(await claims_of(elsewhere, *each))["sub"] for each in done])
    for agent in agents:
        await agent.http.aclose()

    assert len(subjects) == 1, subjects
    assert {page.status for page in pages if not page.returned} <= {200, 409, 503}


async def way_back_of_intent(elsewhere: Elsewhere, address: str, provider_id: str, login: str) -> str:
    """Signs in at the provider in a browser without cookies of Portico; returns the redirect."""
    if provider_id == PORTAL:
        return (await elsewhere.portal.person.sign_in(address, login)).url
    return await elsewhere.openid.sign_in(address, login)


@EITHER
async def test_intent_returns_the_identity_once(elsewhere: Elsewhere, provider_id: str) -> None:
    """Only the caller that began the intent gets the identity for the token that the browser brings (IP-06)."""
    await elsewhere.offer()
    pages = await intents.pages_of(elsewhere.world)
    started = await pages.start(provider_id)
    back = await way_back_of_intent(elsewhere, started.body["authUrl"], provider_id, "guest")
    page, query = intents.page_opened(await elsewhere.world.http.get(back))
    again = await elsewhere.world.http.get(back)
    other = await (await intents.pages_of(elsewhere.world)).retrieve(query)
    found, second = [await pages.retrieve(query) for _ in range(2)]

    assert (page, query["id"]) == (intents.SUCCESS, started.body["idpIntentId"])
    assert (again.status_code, "LOGIN-102" in again.text) == (400, True)
    assert [other.error_code, second.error_code] == ["USER-985", "USER-985"]
    assert found.body["idpInformation"]["idpId"] == provider_id
    assert found.body["idpInformation"]["userId"] == "guest"
    assert "userId" not in found.body


async def test_intent_callback_starts_no_session(elsewhere: Elsewhere) -> None:
    """A browser with a pending sign-in is redirected to the intent's page and gets no session (LG-14)."""
    await elsewhere.offer()
    pages = await intents.pages_of(elsewhere.world)
    started = await pages.start(OPENID)
    back = await way_back_of_intent(elsewhere, started.body["authUrl"], OPENID, "guest")
    async with elsewhere.world.agent() as agent:
        await agent.open(elsewhere.begin().url)
        away = await agent.open(back)
        after = await agent.open(elsewhere.begin().url)

    assert away.location.startswith(f"{intents.SUCCESS}?id=")
    assert (after.returned, after.shows("loginname")) == (None, True)
