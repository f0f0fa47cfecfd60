"""Inviting a colleague and an administrator, and giving roles by search, in a browser; clicks are counted."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

import pytest
from playwright.async_api import Page, expect
from portico_contracts.apply import Document, Email, EndUser, OidcApp, Organization, Profile, Project, Role
from portico_scenarios.mailbox import mails_to
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

SHOP = "https://shop.example/"


@dataclass(frozen=True)
class Place:
    """An organization with a project that has a role, and a user with a unique name."""

    path: str
    word: str


@pytest.fixture
async def place(world: World) -> Place:
    tag = secrets.token_hex(4)
    word = f"zoe{tag}"
    app = OidcApp(id=f"app-{tag}", name="Orders", client_id=f"app-{tag}", redirect_uris=(f"{SHOP}cb",))
    roles = (Role(role_key="reader", display_name="Reader"),)
    project = Project(id=f"shop-{tag}", name="Shop", roles=roles, oidc_apps=(app,))
    user = EndUser(
        id=word,
        username=word,
        profile=Profile(first_name=word, last_name="Quill"),
        email=Email(email=f"{word}@mail.example.test", is_verified=True),
    )
    organization = Organization(id=f"org-{tag}", name=f"Invitations {tag}", humans=(user,), projects=(project,))
    await world.stack.apply(Document(organizations=(organization,)))
    return Place(f"{world.issuer}/ui/console/orgs/{organization.id}", word)


async def click(admin_tab: Page, *selectors: str) -> int:
    for selector in selectors:
        await admin_tab.locator(selector).first.click()
    return len(selectors)


async def test_colleague_is_invited_with_a_role(admin_tab: Page, world: World, place: Place) -> None:
    """Three clicks from the list of users; the invitation is the only email, and its application opens afterwards."""
    address = f"carl.{secrets.token_hex(3)}1.bell@mail.example.test"
    await admin_tab.goto(f"{place.path}/users")
    clicks = await click(admin_tab, "#do-invite")
    await admin_tab.locator("#f-email-email").fill(address)
    await admin_tab.locator("#f-app").select_option(label="Orders")
    clicks += await click(admin_tab, 'label:has-text("Reader")', "#form-submit")

    await expect(admin_tab.locator("#notice")).to_have_text(f"{address} was invited.")
    await expect(admin_tab.locator("h1")).to_have_text("Carl Bell")
    await admin_tab.goto(f"{admin_tab.url.partition('?')[0]}/access")
    await expect(admin_tab.locator("#grants")).to_contain_text("Reader")
    assert clicks == 3
    [mail] = await mails_to(world.mails, address)
    assert "invit" in str(mail["subject"]).lower()
    body = mail.get_body(("plain",))
    [link] = re.findall(r"http\S+code=\S+", body.get_content() if body else "")
    await admin_tab.route(f"{SHOP}**", lambda route: route.fulfill(body="Orders of today"))
    await admin_tab.goto(link)
    await admin_tab.locator("#new-password").fill("a whistle in the dark wood")
    await click(admin_tab, "#set-password-submit")
    await expect(admin_tab.locator("body")).to_have_text("Orders of today")
    assert admin_tab.url == SHOP


@pytest.mark.parametrize(
    ("of_instance", "role"),
    [(False, "Organization owner"), pytest.param(True, "Instance owner", marks=pytest.mark.long)],
)
async def test_administrator_is_invited(
    admin_tab: Page, world: World, place: Place, of_instance: bool, role: str
) -> None:
    """Two clicks from the list of administrators, where the role is selected already."""
    base = f"{world.issuer}/ui/console/instance" if of_instance else place.path
    await admin_tab.goto(f"{base}/members")
    clicks = await click(admin_tab, "#do-invite")
    await admin_tab.locator("#f-email-email").fill(f"dora.{secrets.token_hex(3)}1.bell@mail.example.test")
    clicks += await click(admin_tab, "#form-submit")

    await expect(admin_tab.locator("h1")).to_have_text("Dora Bell")
    await admin_tab.goto(f"{admin_tab.url.partition('?')[0]}/access")
    await expect(admin_tab.locator("#memberships")).to_contain_text(role)
    assert clicks == 2


@pytest.mark.long
async def test_user_gets_roles_by_search(admin_tab: Page, place: Place) -> None:
    """Four clicks make an administrator, found by a word of the name; four give a role of a project."""
    await admin_tab.goto(f"{place.path}/members")
    clicks = await click(admin_tab, "#do-new")
    await admin_tab.locator("#f-userId-q").fill(place.word)
    clicks += await click(admin_tab, "#f-userId-find")
    await expect(admin_tab.locator('[name="f.userId"]')).to_be_checked()
    clicks += await click(admin_tab, '[name="f.roles.ORG_OWNER_VIEWER"]', "#form-submit")
    await expect(admin_tab.locator("main")).to_contain_text("Organization viewer")
    assert clicks == 4

    await admin_tab.goto(f"{place.path}/users/{place.word}/access")
    clicks = await click(admin_tab, "#grant-roles", "#form-submit", 'label:has-text("Reader")', "#form-submit")
    await expect(admin_tab.locator("#grants")).to_contain_text("Reader")
    assert clicks == 4
