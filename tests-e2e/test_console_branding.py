"""Branding in the console: a colour is seen on a sample of the sign-in page, saved, and seen on the real one."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from playwright.async_api import Browser, FilePayload, Frame, Page, expect
from portico_harness.eventually import eventually
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

ORG = "/ui/console/orgs/e2e-org"
PURPLE = "rgb(122, 31, 162)"
BUTTON = "getComputedStyle(document.querySelector('#loginname-submit')).backgroundColor"


@pytest.fixture
async def console(admin_tab: Page, world: World) -> Page:
    await admin_tab.goto(f"{world.issuer}{ORG}")
    await expect(admin_tab.locator("#org-heading")).to_be_visible()
    return admin_tab


async def press(console: Page, selector: str) -> int:
    async with console.expect_navigation():
        await console.locator(selector).click()
    return 1


async def button_of(console: Page, theme: str) -> str:
    frame: Frame | None = await (await console.query_selector(f"#sample-{theme}")).content_frame()  # type: ignore[union-attr]
    assert frame is not None
    await frame.wait_for_selector("#loginname-submit")
    found: str = await frame.evaluate(BUTTON)
    return found


async def has_script(console: Page) -> bool:
    return await console.locator("[data-picker]").first.is_visible()


async def test_colour_is_previewed_saved_and_shown_at_the_sign_in(
    console: Page, browser: Browser, world: World
) -> None:
    """Two clicks lead from the start page to saved colours; without scripts, the preview is a third one."""
    clicks = await press(console, f'nav a[href="{ORG}/rules/branding"]')
    await expect(console.locator("#branding-badge")).to_have_text("Inherited")
    scripted = await has_script(console)
    if scripted:
        await console.locator("[data-picker=primaryColor]").fill("#7a1fa2")
        await expect(console.locator("#primaryColor")).to_have_value("#7a1fa2")
    else:
        await console.locator("#primaryColor").fill("#7a1fa2")
        clicks += await press(console, "#preview-branding")

    await eventually(lambda: button_of(console, "light"), lambda color: color == PURPLE)
    assert await button_of(console, "dark") == "rgb(182, 132, 204)"  # a lighter tone, where no dark colour is set
    clicks += await press(console, "#save-branding")
    await expect(console.locator("#branding-badge")).to_have_text("Overridden")
    assert clicks == (2 if scripted else 3)

    context = await browser.new_context(color_scheme="light")
    try:
        page = await context.new_page()
        await page.goto(begin(world.metadata, world.clients["basic"]).url)
        real = await page.evaluate(BUTTON)
    finally:
        await context.close()
    await press(console, "#branding-reset")
    await press(console, "#confirm-submit")
    assert real == PURPLE
    await expect(console.locator("#branding-badge")).to_have_text("Inherited")


@pytest.mark.long
async def test_unreadable_colour_is_named_while_it_is_typed(console: Page) -> None:
    """With scripts the warning comes at once; it also refuses the form."""
    await console.goto(console.url.partition("?")[0] + "/rules/branding")
    await console.locator("#primaryColor").fill("#aaaaaa")
    if await has_script(console):
        await expect(console.locator("#primaryColor-problem")).to_contain_text("2.2:1")
    await press(console, "#save-branding")
    await expect(console.locator("#primaryColor-problem")).to_contain_text("2.2:1")
    await expect(console.locator("#primaryColor")).to_have_value("#aaaaaa")


@pytest.mark.long
async def test_logo_is_shown_in_both_samples(console: Page) -> None:
    await console.goto(console.url.partition("?")[0] + "/rules/branding")
    content = io.BytesIO()
    Image.new("RGB", (120, 40), "#7a1fa2").save(content, "PNG")
    text, logo = (_file(one) for one in (b"this is a text", content.getvalue()))
    await console.locator("#logo-light").set_input_files(text)
    await press(console, "#upload-light")
    await expect(console.locator("#logo-light-problem")).to_be_visible()
    await console.locator("#logo-light").set_input_files(logo)
    await press(console, "#upload-light")
    for theme in ("light", "dark"):
        shown = console.frame_locator(f"#sample-{theme}").locator("#org-logo")
        await expect(shown).to_be_visible()
    assert await console.locator("#logo-shown-light").evaluate("image => image.naturalWidth") == 120
    await press(console, "#remove-light")
    await expect(console.locator("#logo-shown-light")).to_have_count(0)


def _file(content: bytes) -> FilePayload:
    return {"name": "l.png", "mimeType": "image/png", "buffer": content}
