"""Details of the pages that only a browser shows: the show-password button, error details, tab titles."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, Route, expect
from portico_contracts.login_steps.consent import AskingDevice, RequestedScope
from portico_contracts.step_names import StepName
from portico_fakes.authz_service import AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.fake_login_api import REQUEST
from portico_fakes.login_messages import moved, step_of
from portico_fakes.memory_bus import MemoryBus
from portico_scenarios.pages_without_stack import PAGES_ISSUER, PagesWithoutStack

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("pages without a stack")]

LOGIN = f"{PAGES_ISSUER}/ui/login?request={REQUEST}"
LANGUAGES = ("en", "de", "fr", "it", "es", "pt", "pl", "nl", "ja", "zh", "ar")
WIDTHS = (320, 1024)
LINES = """() => [...document.querySelectorAll(".facts dt, .facts dd code")].filter((shown) => {
    const range = document.createRange();
    range.selectNodeContents(shown);
    return new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1
        || shown.scrollWidth > shown.parentElement.clientWidth + 1;
}).map((shown) => shown.textContent)"""


@pytest.fixture
def pages(clock: FrozenClock, bus: MemoryBus) -> PagesWithoutStack:
    pages = PagesWithoutStack(AuthzService(clock, bus).app)
    pages.login.step = step_of(StepName.PASSWORD, csrf="c", login_name="ada@example.com", client_name="Demo")
    return pages


async def test_show_password_button_toggles_the_field(tab: Page, pages: PagesWithoutStack) -> None:
    """The button has a name and a state, works by keyboard, and the field is a password field again on submit."""
    await pages.attach(tab)
    await tab.goto(LOGIN)
    button, field = tab.get_by_role("button", name="Show password"), tab.locator("#password")
    await field.fill("nine small sparrows")
    await expect(button).to_have_attribute("aria-pressed", "false")
    await button.press("Enter")
    await expect(field).to_have_attribute("type", "text")
    await expect(button).to_have_attribute("aria-pressed", "true")
    await expect(button).to_have_attribute("aria-controls", "password")
    await button.press(" ")
    await expect(field).to_have_attribute("type", "password")
    await button.click()
    kinds = await tab.evaluate(
        """() => new Promise((told) => {
            const form = document.getElementById("password").form;
            form.addEventListener("submit", (event) => {
                event.preventDefault();
                told(document.getElementById("password").type);
            });
            form.requestSubmit();
        })"""
    )

    assert kinds == "password"


async def test_show_password_button_is_localized(tab: Page, pages: PagesWithoutStack) -> None:
    """Each password field has one button whose name is in the page's language."""
    pages.login.step = moved(pages.login.step, StepName.CHANGE_PASSWORD)
    await pages.attach(tab)
    names = {}
    for language in LANGUAGES:
        pages.language = language
        await tab.goto(LOGIN)
        await expect(tab.locator(".reveal")).to_have_count(2)
        names[language] = (await tab.locator(".reveal").first.text_content() or "").strip()

    assert "" not in names.values()
    assert [language for language, name in names.items() if name == "Show password"] == ["en"]


async def test_return_page_is_empty_for_a_second(tab: Page, pages: PagesWithoutStack) -> None:
    """Text and button of the page that leads on appear only if the application does not respond."""
    pages.login.step = step_of(StepName.DONE, continue_to=f"/oauth/v2/authorize/resume?request={REQUEST}")
    await pages.attach(tab)
    await tab.route("**/authorize/resume?*", _stay)
    await tab.goto(LOGIN, wait_until="commit")
    card, button = tab.locator("#return-page"), tab.locator("#return")
    await expect(button).to_be_attached()
    hidden = await card.evaluate(
        "e => e.getAnimations().map((a) => [a.effect.getTiming().duration, getComputedStyle(e).visibility])"
    )
    await expect(button).to_be_visible()

    assert hidden == [[1000, "hidden"]]


async def _stay(route: Route) -> None:
    """Without content the browser stays on its page."""
    await route.fulfill(status=204)


async def test_time_of_a_device_is_in_the_zone_and_form_of_the_reader(
    browser: Browser, pages: PagesWithoutStack
) -> None:
    device = AskingDevice("BCDFGHJK", 1_790_000_000, "198.51.100.7", "CH")
    pages.login.step = moved(pages.login.step, StepName.CONSENT, scopes=(RequestedScope("openid"),), device=device)
    shown = {}
    for locale in ("en-GB", "en-US"):
        context = await browser.new_context(locale=locale, timezone_id="Asia/Tokyo")
        tab = await context.new_page()
        await pages.attach(tab)
        await tab.goto(LOGIN)
        shown[locale] = await tab.locator("#device-time").inner_text()
        await context.close()

    assert {locale: text.replace("\u202f", " ") for locale, text in shown.items()} == {
        "en-GB": "21 Sept 2026, 23:13",
        "en-US": "Sep 21, 2026, 11:13 PM",
    }


async def test_no_show_password_button_without_scripts(browser: Browser, pages: PagesWithoutStack) -> None:
    """Without scripts there is no such button, and the password can be typed and sent."""
    context = await browser.new_context(java_script_enabled=False)
    try:
        tab = await context.new_page()
        await pages.attach(tab)
        await tab.goto(LOGIN)
        await expect(tab.locator("#password")).to_be_visible()
        await expect(tab.locator(".reveal")).to_have_count(0)
    finally:
        await context.close()


async def test_error_details_do_not_wrap(tab: Page, pages: PagesWithoutStack) -> None:
    """Code, reason, request id and their labels take one line each on any screen in any language."""
    await pages.attach(tab)
    broken = {}
    for language in LANGUAGES:
        pages.language = language
        await tab.goto(f"{PAGES_ISSUER}/ui/login")
        for width in WIDTHS:
            await tab.set_viewport_size({"width": width, "height": 800})
            assert await tab.locator(".facts dt").count()
            if wrapped := await tab.evaluate(LINES):
                broken[language, width] = wrapped

    assert broken == {}


async def test_tab_title_names_the_step(tab: Page, pages: PagesWithoutStack) -> None:
    """The tab's title is the heading and the application, in one line."""
    await pages.attach(tab)
    await tab.goto(LOGIN)

    assert await tab.title() == "Enter your password \u00b7 Demo"
