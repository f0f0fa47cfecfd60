"""Signing in through a JWT provider: a proxy on another host injects a JWT, and the sign-in ends at the application."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest
from playwright.async_api import Page, expect
from portico_contracts.apply import Document, JwtIdp, LoginPolicy, Organization, ProviderOptions
from portico_scenarios import jwt_proxy
from portico_scenarios.agent import Agent
from portico_scenarios.agent import Page as Landing
from portico_scenarios.federated import Federated
from portico_scenarios.id_token import checked_claims
from portico_scenarios.jwt_proxy import AUTHORIZE, JwtProxy
from portico_scenarios.login_pages import RelyingPartyPages
from portico_scenarios.relying_party import Begun, begin
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

ORG = "org-external"
SCOPE = f"openid profile email urn:portico:org:id:{ORG}"
STRAIGHT = f"{SCOPE} urn:portico:idp:id:gate"


@dataclass(frozen=True)
class Place:
    world: World
    proxy: JwtProxy

    def begin(self, scope: str = STRAIGHT) -> Begun:
        return begin(self.world.metadata, self.world.clients["basic"], scope=scope)

    async def come_back(self, agent: Agent, away: Landing, login: str) -> Landing:
        return await agent.open((await self.proxy.person.sign_in(away.location, login)).url)


@pytest.fixture(scope="module")
async def place(federated: Federated) -> AsyncIterator[Place]:
    world = federated.world
    async with (
        httpx.AsyncClient(trust_env=False) as http,
        jwt_proxy.running(federated.listeners["gate"], world.issuer, http, "x-auth-token") as proxy,
    ):
        gate = JwtIdp(
            id="gate",
            name="Gate",
            jwt_endpoint=proxy.endpoint,
            issuer=proxy.address,
            keys_endpoint=proxy.keys_endpoint,
            header_name="x-auth-token",
            provider_options=ProviderOptions(),
        )
        policy = LoginPolicy(idps=("gate",))
        organization = Organization(id=ORG, name="External", jwt_idps=(gate,), login_policy=policy)
        await world.stack.apply(Document(organizations=(organization,)))
        yield Place(world, proxy)


async def test_new_user_signs_in_through_a_provider(either_tab: Page, place: Place) -> None:
    """The first sign-in completes the user's details, and the next one has nothing to complete."""
    login = f"eve{secrets.token_hex(4)}"
    pages = RelyingPartyPages(either_tab, place.world.rp_url("basic"))
    await _leave(either_tab, pages)
    await place.proxy.person.sign_in_with(either_tab, login)
    await expect(either_tab.locator("#register-username")).to_have_value(login)
    await either_tab.locator("#register-submit").click()
    await pages.expect_signed_in()
    first = await pages.session()
    await either_tab.context.clear_cookies()
    await _leave(either_tab, pages)
    await place.proxy.person.sign_in_with(either_tab, login)
    await pages.expect_signed_in()
    second = await pages.session()

    assert first["claims"]["sub"] == second["claims"]["sub"]
    assert (second["userinfo"]["given_name"], second["claims"]["acr"]) == (login.title(), "urn:portico:acr:pwd")
    assert not second["claims"].get("amr")


async def _leave(tab: Page, pages: RelyingPartyPages) -> None:
    await pages.begin(f"scope={SCOPE.replace(' ', '%20')}")
    await tab.locator("#provider-1").click()
    await expect(tab.locator("#login")).to_be_visible()


async def test_provider_scope_redirects_without_a_page(place: Place) -> None:
    """The provider's scope redirects without a login page, and afterwards the user is signed in without one."""
    login = f"eve{secrets.token_hex(4)}"
    async with place.world.agent() as agent:
        await place.come_back(agent, await agent.open(place.begin().url), login)
        created = code_in(await agent.press("register-submit"))
    begun = place.begin()
    async with place.world.agent() as agent:
        known = await place.come_back(agent, await agent.open(begun.url), login)
    tokens = (await place.world.redeem("basic", code_in(known), code_verifier=begun.verifier)).json()
    claims = await checked_claims(place.world.http, place.world.metadata, tokens["id_token"], "e2e-basic")

    assert created
    assert claims["acr"] == "urn:portico:acr:pwd"


async def test_provider_response_is_bound_to_browser_and_used_once(place: Place) -> None:
    """LG-14: in another browser, or a second time in the same one, a callback gives an error and no session."""
    async with place.world.agent() as agent, place.world.agent() as stranger:
        away = await agent.open(place.begin().url)
        await stranger.open(place.begin().url)
        back = (await place.proxy.person.sign_in(away.location, "mallory")).url
        stolen = await stranger.open(back)
        own = await agent.open(back)
        again = await agent.open(back)

    assert (stolen.status, stolen.shows("error-page")) == (403, True)
    assert own.shows("register-username")
    assert (again.status, again.shows("error-page")) == (404, True)


async def test_request_without_the_proxy_is_refused(place: Place) -> None:
    """Forged parameters or a missing JWT get an error page, and nothing is stored."""
    async with place.world.agent() as agent:
        await agent.open(place.begin().url)
        made_up = await agent.open(f"{place.world.issuer}{AUTHORIZE}?authRequestID=x&userAgentID=y")

    assert (made_up.status, made_up.shows("error-page")) == (404, True)
