"""Pages that rules by network show (decision 0145): a refused place, and one that demands a second factor."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect
from portico_contracts.apply import LoginPolicy, PlaceActionName, PlaceRule, SignInFrom
from portico_scenarios.login_pages import LoginPages
from portico_scenarios.relying_party import begin
from portico_scenarios.second_factor_user import PASSWORD, second_factor_user
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

REFUSED = "Your organization does not allow sign-ins from this network or country."
HERE = ("127.0.0.0/8", "::/64")
"""Where the browsers of this machine are."""


def policy_of(here: PlaceActionName, elsewhere: PlaceActionName) -> LoginPolicy:
    rule = PlaceRule(action=here, networks=HERE)
    return LoginPolicy(sign_in_from=SignInFrom(rules=(rule,), elsewhere=elsewhere))


async def sign_in(tab: Page, world: World, policy: LoginPolicy) -> None:
    """Enters the right password of a new user whose organization has these rules."""
    user = await second_factor_user(world, "finn", policy=policy)
    await tab.goto(begin(world.metadata, world.clients["basic"]).url)
    await LoginPages(tab).sign_in(user.id, PASSWORD)


async def test_refused_place_has_a_page_with_the_reason(either_tab: Page, world: World) -> None:
    """The right password gives no session there, and no session remains (decision 0145)."""
    await sign_in(either_tab, world, policy_of(PlaceActionName.REFUSE, PlaceActionName.ALLOW))
    await expect(either_tab.locator("#error-text")).to_have_text(REFUSED)
    await expect(either_tab.locator("#error-fact")).to_have_text("AUTHZ-281")
    await expect(either_tab.locator("#error-retry")).to_be_visible()
    await either_tab.goto(begin(world.metadata, world.clients["basic"], scope="openid").url)

    await expect(either_tab.locator("#loginname")).to_be_visible()


async def test_place_that_needs_a_second_factor_has_its_page(either_tab: Page, world: World) -> None:
    """A user without one registers it after the password; without the rule the same user has signed in."""
    await sign_in(either_tab, world, policy_of(PlaceActionName.SECOND_FACTOR, PlaceActionName.ALLOW))

    await expect(either_tab.locator("#enrol-mail-page")).to_be_visible()
