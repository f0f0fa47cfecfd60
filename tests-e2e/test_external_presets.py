"""Signing in through the GitHub, Microsoft Entra and Apple presets with imitated providers."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect
from portico_contracts.apply import (
    Document,
    LoginPolicy,
    Oauth2Idp,
    Oauth2PresetName,
    OidcIdp,
    OidcPresetName,
    Organization,
)
from portico_contracts.http import EXTERNAL_CALLBACK
from portico_scenarios import apple_provider, entra_provider, github_provider
from portico_scenarios.apple_provider import Apple
from portico_scenarios.entra_provider import Entra
from portico_scenarios.federated import Federated
from portico_scenarios.github_provider import GitHub
from portico_scenarios.login_pages import RelyingPartyPages
from portico_scenarios.upstream_page import Visitor
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

ORG = "org-presets"
SCOPE = f"openid profile email urn:portico:org:id:{ORG}"
BUTTONS = {"hub": "provider-1", "entra": "provider-2", "apple": "provider-3"}


@dataclass(frozen=True)
class Place:
    world: World
    hub: GitHub
    entra: Entra
    apple: Apple

    def visitor(self, name: str) -> Visitor:
        return {"hub": self.hub.person, "entra": self.entra.person, "apple": self.apple.person}[name]

    async def leave(self, tab: Page, pages: RelyingPartyPages, name: str) -> None:
        await pages.begin(f"scope={SCOPE.replace(' ', '%20')}")
        await tab.locator(f"#{BUTTONS[name]}").click()
        await expect(tab.locator("#login")).to_be_visible()


def _document(hub: GitHub, entra: Entra, apple: Apple) -> Document:
    oauth2 = Oauth2Idp(
        id="hub",
        name="Hub",
        preset=Oauth2PresetName.GITHUB_ENTERPRISE,
        authorization_endpoint=f"{hub.address}/login/oauth/authorize",
        token_endpoint=f"{hub.address}/login/oauth/access_token",
        userinfo_endpoint=f"{hub.address}/api/v3/user",
        client_id=github_provider.CLIENT_ID,
        client_secret=github_provider.CLIENT_SECRET,
        trusted_email=True,
    )
    microsoft = OidcIdp(
        id="entra",
        name="Entra",
        preset=OidcPresetName.ENTRA,
        issuer=entra.issuer("organizations"),
        client_id=entra_provider.CLIENT_ID,
        client_secret=entra_provider.CLIENT_SECRET,
        tenants=(entra_provider.TENANT,),
        trusted_email=True,
    )
    team = OidcIdp(
        id="apple",
        name="Apple",
        preset=OidcPresetName.APPLE,
        issuer=apple.address,
        client_id=apple_provider.CLIENT_ID,
        client_secret=apple.private_key,
        team_id=apple_provider.TEAM_ID,
        key_id=apple_provider.KEY_ID,
        trusted_email=True,
    )
    policy = LoginPolicy(idps=tuple(BUTTONS))
    organization = Organization(
        id=ORG, name="Presets", oauth2_idps=(oauth2,), oidc_idps=(microsoft, team), login_policy=policy
    )
    return Document(organizations=(organization,))


@pytest.fixture(scope="module")
async def place(federated: Federated) -> AsyncIterator[Place]:
    world, listeners = federated.world, federated.listeners
    callbacks = {name: world.issuer + EXTERNAL_CALLBACK.format(id=name) for name in BUTTONS}
    async with (
        github_provider.running(listeners["hub"], callbacks["hub"]) as hub,
        entra_provider.running(listeners["entra"], callbacks["entra"]) as entra,
        apple_provider.running(listeners["apple"], callbacks["apple"]) as apple,
    ):
        await world.stack.apply(_document(hub, entra, apple))
        yield Place(world, hub, entra, apple)


@pytest.mark.parametrize(
    ("name", "scripts"),
    [
        ("hub", True),
        pytest.param("entra", False, marks=pytest.mark.long),
        ("apple", True),
        pytest.param("apple", False, marks=pytest.mark.long),
        pytest.param("hub", False, marks=pytest.mark.long),
        pytest.param("entra", True, marks=pytest.mark.long),
    ],
)
async def test_new_user_signs_in(either_tab: Page, place: Place, name: str, scripts: bool) -> None:
    """The first sign-in completes the user's details, and the next one has nothing to complete."""
    login = f"eve{secrets.token_hex(4)}"
    person = place.visitor(name)
    if name == "entra":
        place.entra.changes[login] = {"xms_edov": True}
    pages = RelyingPartyPages(either_tab, place.world.rp_url("basic"))
    await place.leave(either_tab, pages, name)
    await _sign_in(either_tab, person, login, name, scripts)
    await expect(either_tab.locator("#register-submit")).to_be_visible()
    await either_tab.locator("#register-username").fill(login)
    await either_tab.locator("#register-firstname").fill("Eve")
    await either_tab.locator("#register-lastname").fill("Elsewhere")
    await either_tab.locator("#register-submit").click()
    await pages.expect_signed_in()
    first = await pages.session()
    await either_tab.context.clear_cookies()
    await place.leave(either_tab, pages, name)
    await _sign_in(either_tab, person, login, name, scripts)
    await pages.expect_signed_in()
    second = await pages.session()

    assert first["claims"]["sub"] == second["claims"]["sub"]
    assert second["userinfo"]["email"] == f"{login}@elsewhere.example"
    assert second["userinfo"]["email_verified"] is True
    assert second["claims"]["acr"] == "urn:portico:acr:pwd"


async def _sign_in(tab: Page, person: Visitor, login: str, name: str, scripts: bool) -> None:
    # Apple responds with a cross-site POST, which carries none of Portico's cookies; without script the user submits
    # its form.
    await person.sign_in_with(tab, login)
    if name == "apple" and not scripts:
        await tab.locator("#continue").click()


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        pytest.param("entra", {"tid": entra_provider.PERSONAL_TENANT}, marks=pytest.mark.long),
        ("entra", {"iss": "https://other.example"}),
        pytest.param("entra", {"oid": ...}, marks=pytest.mark.long),
        pytest.param("apple", {"nonce": "of another sign-in"}, marks=pytest.mark.long),
        ("hub", {"id": None}),
    ],
)
async def test_invalid_provider_response_is_refused(
    browser: Browser, place: Place, name: str, changes: dict[str, Any]
) -> None:
    """An invalid response creates no session and no account, and shows the sign-in page with an error (IP-06)."""
    login = f"mallory{secrets.token_hex(4)}"
    {"hub": place.hub.changes, "entra": place.entra.changes, "apple": place.apple.changes}[name][login] = changes
    context = await browser.new_context()
    try:
        tab = await context.new_page()
        await place.leave(tab, RelyingPartyPages(tab, place.world.rp_url("basic")), name)
        await place.visitor(name).sign_in_with(tab, login)
        await expect(tab.locator("#login-problem")).to_be_visible()
        await expect(tab.locator("#register-submit")).to_have_count(0)
    finally:
        await context.close()
