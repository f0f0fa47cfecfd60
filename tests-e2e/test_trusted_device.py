"""A browser that its user trusts gets no second factor, until the trust ends (decision 0100)."""

from __future__ import annotations

import secrets
from typing import Any

import pytest
from playwright.async_api import Page, expect
from portico_contracts.apply import Document, LoginPolicy, Organization, ServiceUser
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.relying_party import Client
from portico_scenarios.second_factor_user import PASSWORD, SecondFactorUser, second_factor_user
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

SCOPE = "openid urn:portico:project:id:portico:aud"
SECRET = "the secret of the one who administers"


@pytest.fixture
async def eve(world: World) -> SecondFactorUser:
    id = f"admin-{secrets.token_hex(4)}"
    user = ServiceUser(id=id, username=id, name="Administrator", secret=SECRET, roles=("IAM_OWNER",))
    await world.stack.apply(Document(organizations=(Organization(id=f"org-{id}", name=id, service_users=(user,)),)))
    client = Client(id, "", SECRET, "client_secret_basic")
    token: str = (await world.grant(client, "client_credentials", scope=SCOPE))["access_token"]
    eve = await second_factor_user(world, "eve", token, LoginPolicy(trusted_device_days=30))
    await eve.add_totp()
    return eve


async def enter_code(tab: Page, code: str) -> None:
    await tab.locator("#otp").fill(code)
    await tab.locator("#otp-submit").click()


async def management(eve: SecondFactorUser, verb: str, path: str) -> dict[str, Any]:
    url = f"{eve.world.issuer}/management/v1/users/{eve.id}/trusted_devices{path}"
    answer = await eve.world.http.request(verb, url, headers={"Authorization": f"Bearer {eve.token}"})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def sign_in_again(tab: Page, pages: RelyingPartyPages, eve: SecondFactorUser, query: str = "") -> None:
    """Signs out, and in again with the password."""
    await pages.sign_out_everywhere()
    await pages.expect_signed_out()
    await pages.begin(query)
    await LoginPages(tab).sign_in(eve.id, PASSWORD)


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param(True, id="with scripts", marks=pytest.mark.long),
        pytest.param(False, id="without scripts"),
    ],
)
async def test_trusted_browser_gets_no_second_factor(either_tab: Page, world: World, eve: SecondFactorUser) -> None:
    """The id_token states the password alone; an application that requests acr mfa gets the factor."""
    # Each code of the app works once, so that a second one would have to be waited for.
    recovery = (await eve.post("recovery_codes", {}))["recoveryCodes"][0]
    pages = RelyingPartyPages(either_tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(either_tab).sign_in(eve.id, PASSWORD)
    await either_tab.get_by_label("Do not ask again in this browser for 30 days").check()
    await enter_code(either_tab, "000000")
    await expect(either_tab.locator("#trust")).to_be_checked()
    await enter_code(either_tab, eve.next_code())
    await pages.expect_signed_in()
    [device] = (await management(eve, "POST", "/_search"))["result"]

    await sign_in_again(either_tab, pages, eve)
    await pages.expect_signed_in()
    claims = (await pages.session())["claims"]

    await sign_in_again(either_tab, pages, eve, "acr_values=urn:portico:acr:mfa")
    await either_tab.locator("#factor-recovery-code").click()
    await enter_code(either_tab, recovery)
    await pages.expect_signed_in()

    await management(eve, "DELETE", f"/{device['id']}")
    await sign_in_again(either_tab, pages, eve)
    await expect(either_tab.locator("#totp-page")).to_be_visible()

    assert (claims["amr"], claims["acr"]) == (["pwd"], "urn:portico:acr:pwd")
