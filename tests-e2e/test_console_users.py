"""People in the console: create and invite, the page of a user, a lost phone."""

from __future__ import annotations

import base64
import secrets
import time

import pytest
from playwright.async_api import Locator, Page, expect
from portico_scenarios.administrator import Administrator
from portico_scenarios.mailbox import mails_to
from portico_scenarios.world import World
from portico_users.credentials.totp.time_codes import code_at

pytestmark = pytest.mark.e2e

USER_API = "portico.user.v2.UserService"


class Walk:
    """A page whose clicks are counted; typing and ticking are not."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base
        self.clicks = 0

    async def follow(self, what: str) -> None:
        self.clicks += 1
        async with self.page.expect_navigation():
            await self.page.locator(what).first.click()

    async def open_menu(self, what: str) -> None:
        self.clicks += 1
        await self.page.locator(what).click()

    def __getitem__(self, selector: str) -> Locator:
        return self.page.locator(selector)


@pytest.fixture
async def walk(admin_tab: Page, world: World) -> Walk:
    walk = Walk(admin_tab, f"{world.issuer}/ui/console/orgs/demo-organization")
    await admin_tab.goto(f"{walk.base}/users")
    return walk


async def add(admin: Administrator) -> str:
    """Creates a user with an authenticator app and recovery codes; returns the id."""
    body = admin.human(f"lost-{secrets.token_hex(4)}", organisation={"orgId": "demo-organization"})
    id = body["userId"]
    for method, fields in (("AddHumanUser", body), ("GenerateRecoveryCodes", {"userId": id})):
        answer = await admin.connect(f"{USER_API}.{method}", fields)
        assert answer.code == 0, answer.body
    begun = await admin.connect(f"{USER_API}.RegisterTOTP", {"userId": id})
    code = code_at(base64.b32decode(begun.body["secret"]), time.time())
    verified = await admin.connect(f"{USER_API}.VerifyTOTPRegistration", {"userId": id, "code": code})
    assert verified.code == 0, verified.body
    return str(id)


async def test_user_is_created_and_invited_with_two_clicks(walk: Walk, world: World) -> None:
    """Three fields and the choice that is made already; the invitation is the only email."""
    address = f"carla-{secrets.token_hex(4)}@mail.example.test"
    await walk.follow("#do-new")
    await walk["#f-profile-firstName"].fill("Carla")
    await walk["#f-profile-lastName"].fill("Gauss")
    await walk["#f-email-email"].fill(address)
    await walk.follow("#form-submit")

    await expect(walk["#notice"]).to_have_text("Carla Gauss was created and invited.")
    await expect(walk["#do-invite"]).to_be_visible()
    assert walk.clicks == 2
    [mail] = await mails_to(world.mails, address)
    assert "invit" in str(mail["subject"]).lower()


async def test_user_is_locked_and_unlocked_again(walk: Walk, admin: Administrator) -> None:
    """From the list: the page, its menu, the confirmation, and the button that undoes it."""
    id = await add(admin)
    await walk.page.goto(f"{walk.base}/users?q={id}")
    await walk.follow("table tbody a")
    await expect(walk["#person .state"]).to_have_text("active")
    await expect(walk["#user-id"]).to_have_text(id)
    await walk.open_menu("#more-actions summary")
    await walk.follow("#do-lock")
    await walk.follow("#confirm-submit")
    await expect(walk["#person .state"]).to_have_text("locked")
    await walk.follow("#undo-submit")

    await expect(walk["#person .state"]).to_have_text("active")
    assert walk.clicks == 5


@pytest.mark.long
async def test_tabs_of_a_user(walk: Walk, admin: Administrator) -> None:
    id = await add(admin)
    await walk.page.goto(f"{walk.base}/users/{id}")
    await walk.follow("#person-tabs a:has-text('Sign-in')")
    await expect(walk["#ways tbody tr"]).to_have_count(3)
    await expect(walk["#no-sessions"]).to_be_visible()
    await walk.follow("#person-tabs a:has-text('Access')")
    await expect(walk["#no-grants"]).to_be_visible()
    await expect(walk["#no-apps"]).to_be_visible()
    await walk.follow("#person-tabs a:has-text('History')")
    await expect(walk["#history"]).to_contain_text("created")


async def test_lost_phone_is_removed_with_three_clicks(walk: Walk, admin: Administrator, world: World) -> None:
    """The app is removed, the recovery codes stay, and the user gets a link to register a passkey."""
    id = await add(admin)
    await walk.page.goto(f"{walk.base}/users/{id}")
    await walk.follow("#person-tabs a:has-text('Sign-in')")
    await walk.follow("#lost-device")
    await walk["#lost input[name=lost-app]"].check()
    await walk["#next-link"].check()
    await walk.follow("#lost-submit")

    await expect(walk["#lost-result"]).to_have_text("Everything was done.")
    await expect(walk["#results tbody tr"]).to_have_count(3)
    await expect(walk["#left"]).to_contain_text("Recovery codes")
    await expect(walk["#left"]).not_to_contain_text("Authenticator app")
    assert walk.clicks == 3
    assert await mails_to(world.mails, f"{id}@mail.example.test")
