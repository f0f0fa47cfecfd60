"""A user allows an application to use an API, sees it on the account page, and revokes it (decision 0092)."""

from __future__ import annotations

import secrets
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.async_api import Page, expect
from portico_contracts.apply import ApiApp, ApiScope, ConsentName, Document, OidcApp, Organization, Project
from portico_scenarios.login_pages import LoginPages
from portico_scenarios.relying_party import Client, begin, redeem
from portico_scenarios.second_factor_user import PASSWORD, SecondFactorUser, second_factor_user
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

CALLBACK = "/a-shop/callback"
"""Below the issuer, where there is nothing: only its parameters count."""
READ = "orders.read"
SECRET = "the secret of a shop and its orders"


@pytest.fixture
async def shop(world: World) -> Client:
    """An application that requests consent, in a project with an API."""
    name = f"shop-{secrets.token_hex(4)}"
    client = Client(name, world.issuer + CALLBACK, SECRET)
    app = OidcApp(
        name="Shop",
        client_id=name,
        client_secret=SECRET,
        redirect_uris=(client.redirect_uri,),
        consent=ConsentName.ONCE,
    )
    api = ApiApp(
        name="Orders",
        client_id=f"orders-{name}",
        client_secret=SECRET,
        resources=(f"https://{name}.example",),
        scopes=(ApiScope(scope=READ, title="Read your orders"),),
    )
    project = Project(name="shop", oidc_apps=(app,), api_apps=(api,))
    await world.stack.apply(Document(organizations=(Organization(id=f"org-{name}", name=name, projects=(project,)),)))
    return client


@pytest.fixture
async def mia(world: World) -> SecondFactorUser:
    return await second_factor_user(world, "mia")


async def returned(tab: Page) -> dict[str, str]:
    await tab.wait_for_url(f"**{CALLBACK}?**")
    return dict(parse_qsl(urlsplit(tab.url).query))


async def test_user_allows_and_revokes(either_tab: Page, world: World, shop: Client, mia: SecondFactorUser) -> None:
    """Asked once and again after a revocation; the token is for the API, and a refusal is access_denied."""
    begun = begin(world.metadata, shop, scope=f"openid email {READ}")
    await either_tab.goto(begun.url)
    await LoginPages(either_tab).sign_in(mia.id, PASSWORD)
    await expect(either_tab.locator("#consent-scopes")).to_contain_text("Read your orders")
    await expect(either_tab.locator("#client-host")).to_have_text(urlsplit(world.issuer).netloc)
    await either_tab.locator("#consent-allow").click()
    code = (await returned(either_tab))["code"]
    redeemed = await redeem(world.http, world.metadata, shop, code, code_verifier=begun.verifier)
    token = redeemed.json()["access_token"]
    api = Client(f"orders-{shop.client_id}", "", SECRET)
    about = (await world.ask("introspection_endpoint", api, token=token)).json()
    await either_tab.goto(begin(world.metadata, shop, scope=f"openid {READ}").url)
    again = await returned(either_tab)

    await either_tab.goto(f"{world.issuer}/ui/account/access")
    row = either_tab.locator("#access li", has_text="Shop")
    await expect(row).to_contain_text(READ)
    await row.get_by_role("button", name="Revoke access").click()
    await expect(row).to_have_count(0)
    await either_tab.goto(begin(world.metadata, shop).url)
    await LoginPages(either_tab).cancel()
    refused = await returned(either_tab)

    assert about["scope"] == f"openid email {READ}"
    assert f"https://{shop.client_id}.example" in about["aud"]
    assert "code" in again
    assert refused["error"] == "access_denied"
