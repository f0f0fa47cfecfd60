"""Find a user in the console: two clicks, by any word, without case and accents."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from portico_scenarios.accessibility import violations_in_both_schemes
from portico_scenarios.administrator import Administrator
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

USER = "portico.user.v2.UserService"
HOME = "/ui/console/orgs/demo-organization"


@pytest.fixture
async def console(admin_tab: Page, world: World) -> Page:
    await admin_tab.goto(world.issuer + HOME)
    await expect(admin_tab.locator("#org-heading")).to_be_visible()
    return admin_tab


async def add(admin: Administrator, tag: str, org: str) -> None:
    body = admin.human(
        f"jo-{secrets.token_hex(4)}",
        profile={"firstName": "Jürgen", "lastName": f"Öztürk{tag}"},
        phone={"phone": "+41791234567"},
        organisation={"orgId": org},
    )
    added = await admin.json(f"{USER}.AddHumanUser", body)
    assert added.code == 0, added.body


async def picture(console: Page, name: str) -> None:
    if folder := os.environ.get("PORTICO_TEST_PICTURES_OF_FIND"):
        for look, width in (("light", 1280), ("dark", 1280), ("light", 390)):
            await console.emulate_media(color_scheme="dark" if look == "dark" else "light")
            await console.set_viewport_size({"width": width, "height": 900})
            await console.screenshot(path=Path(folder) / f"{name}-{look}-{width}.png", full_page=True)


@pytest.mark.long
async def test_person_is_found_with_two_clicks(console: Page, admin: Administrator) -> None:
    """Typed without case and accents, and with the words in another order, once in the results."""
    tag = secrets.token_hex(3)
    await add(admin, tag, "demo-organization")
    clicks = 0

    await console.locator("#find").click()
    clicks += 1
    await console.keyboard.type(f"OZTURK{tag} jurg")
    await console.keyboard.press("Enter")
    person = console.locator("#results a")
    await expect(person).to_have_count(1)
    await expect(person.locator("mark")).to_have_text(["Jürgen", f"Öztürk{tag}"])
    await picture(console, "found")
    await person.click()
    clicks += 1
    await expect(console.locator("h1")).to_contain_text(f"Jürgen Öztürk{tag}")

    assert clicks == 2


async def test_person_is_found_by_keyboard_alone(console: Page, admin: Administrator, scripts: bool) -> None:
    """With scripts "/" goes to the box and an arrow key to the first result; without, both are a few tabs away."""
    tag = secrets.token_hex(3)
    await add(admin, tag, "demo-organization")
    if scripts:
        await console.keyboard.press("/")
    else:
        await tab_to(console, "#find")
    await console.keyboard.type(f"ozturk{tag}")
    await console.keyboard.press("Enter")
    await expect(console.locator("#results a")).to_have_count(1)
    if scripts:
        await console.keyboard.press("ArrowDown")
    else:
        await tab_to(console, "#results a")
    await console.keyboard.press("Enter")
    await expect(console.locator("h1")).to_contain_text(f"Jürgen Öztürk{tag}")


@pytest.mark.parametrize("scripts", [True], indirect=True)
async def test_suggestions_appear_while_typing(console: Page, admin: Administrator, world: World) -> None:
    """A part of a name suggests the person, and a word for a page the page: arrow keys and Enter open them."""
    tag = secrets.token_hex(3)
    await add(admin, tag, "demo-organization")
    await console.keyboard.press("Control+k")
    box = console.locator("#find")
    await expect(box).to_be_focused()
    await console.keyboard.type(f"ztürk{tag}")
    suggested = console.locator("#suggestions [role=option]")
    await expect(suggested.first.locator("mark")).to_have_text([f"Öztürk{tag}"])
    await expect(box).to_have_attribute("aria-expanded", "true")
    assert await violations_in_both_schemes(console) == []
    await picture(console, "suggestions")
    await console.keyboard.press("Escape")
    await expect(suggested).to_have_count(0)
    await box.fill("logo")
    await expect(suggested.first).to_contain_text("Branding")
    await console.keyboard.press("ArrowDown")
    await console.keyboard.press("Enter")
    await expect(console).to_have_url(f"{world.issuer}{HOME}/rules/branding")

    await box.click()
    await console.keyboard.type(f"ztürk{tag}")
    await suggested.first.click()
    await expect(console.locator("h1")).to_contain_text(f"Jürgen Öztürk{tag}")


async def tab_to(console: Page, selector: str, *, most: int = 5) -> None:
    for _ in range(most):
        await console.keyboard.press("Tab")
        if await console.locator(f"{selector}:focus").count():
            return
    pytest.fail(f"{selector} is not reached with {most} tabs")


async def test_objects_of_all_kinds_are_found(console: Page, world: World, admin: Administrator) -> None:
    """A client id, a word of a project, and a user of another organization; the list of users finds the same words."""
    tag = secrets.token_hex(3)
    await add(admin, tag, "e2e-org")
    await console.goto(f"{world.issuer}{HOME}/search?q=demo")
    await expect(console.locator("#results h2").first).to_be_visible()
    await picture(console, "all")
    for query, path in (
        ("demo-app", "/projects/demo-project/apps/demo-app"),
        ("demo-project", "/projects/demo-project"),
    ):
        await console.goto(f"{world.issuer}{HOME}/search?q={query}")
        await expect(console.locator(f'#results a[href="{HOME}{path}"]')).to_have_count(1)
    await console.goto(f"{world.issuer}{HOME}/search?q=ozturk{tag}")
    await expect(console.locator("#results a")).to_have_count(1)
    await expect(console.locator("#results .badge")).to_be_visible()
    await console.goto(f"{world.issuer}/ui/console/orgs/e2e-org/users?q=ozturk{tag} none")
    await expect(console.locator("#list-empty")).to_be_visible()
    await console.goto(f"{world.issuer}/ui/console/orgs/e2e-org/users?q=OZTURK{tag}")
    await expect(console.locator("tbody tr")).to_have_count(1)


@pytest.mark.long
async def test_search_without_result_says_what_to_try(console: Page, world: World) -> None:
    """The typed words stay in the box."""
    await console.goto(f"{world.issuer}{HOME}/search?q=no+such+words")
    await expect(console.locator("#search-empty")).to_be_visible()
    await picture(console, "empty")

    assert await console.locator("#find").input_value() == "no such words"
