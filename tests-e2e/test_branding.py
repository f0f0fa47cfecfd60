"""Branding of two organizations in a real browser, in light and dark, in both text directions."""

from __future__ import annotations

import io
from typing import Final

import pytest
from msgspec.structs import replace
from PIL import Image
from playwright.async_api import Page, Route
from portico_contracts.login import PageBranding, Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import Branding, FontFamily, Palette
from portico_fakes.authz_service import AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import step_of
from portico_fakes.memory_bus import MemoryBus
from portico_scenarios.accessibility import violations_in_both_schemes
from portico_scenarios.pages_without_stack import PAGES_ISSUER, PagesWithoutStack

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("pages without a stack")]

PAGE: Final = f"{PAGES_ISSUER}/ui/login?request={REQUEST}"
ACME: Final = PageBranding(
    client_name="Demo",
    client_logo="https://shop.example/logo.png",
    client_policy="https://shop.example/privacy",
    client_tos="https://shop.example/terms",
    branding=Branding(
        tos_link="https://acme.example/terms",
        privacy_link="https://acme.example/privacy",
        help_link="https://acme.example/help",
        support_email="help@acme.example",
        light=Palette(primary="#7b1fa2", background="#fff8e1", warn="#b00020", font="#3e2723"),
        dark=Palette(primary="#ffd54f", background="#1a1033", warn="#ff8a80", font="#ede7f6"),
        font_family=FontFamily.SERIF,
        logo="/ui/branding/logos/acme.png",
        logo_dark="/ui/branding/logos/acme-dark.png",
        logo_text="Acme",
    ),
)
UMBRELLA: Final = PageBranding(
    client_name="Demo", branding=Branding(light=Palette(primary="#0057b8"), dark=Palette(primary="#66b3ff"))
)

DRAWN: Final = """() => {
    const of = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
    return [of("#password-submit", "backgroundColor"), of("#password-submit", "color"), of("main", "backgroundColor"),
        of("h1", "color"), of("#login-problem", "color")];
}"""

# Button, its text, page, heading, problem; for each organization and theme.
COLORS: Final = [
    (ACME, "light", ["#7b1fa2", "#ffffff", "#fff8e1", "#3e2723", "#b00020"]),
    (ACME, "dark", ["#ffd54f", "#000000", "#1a1033", "#ede7f6", "#ff8a80"]),
    (UMBRELLA, "light", ["#0057b8", "#ffffff", "#fcfdfc", "#17211e", "#94281c"]),
    (UMBRELLA, "dark", ["#66b3ff", "#000000", "#171e1b", "#e9efeb", "#ffb3a5"]),
]


@pytest.fixture
def pages(clock: FrozenClock, bus: MemoryBus) -> PagesWithoutStack:
    step = step_of(
        StepName.PASSWORD, csrf="c", client_name="Demo", login_name="ada@acme.example", may_reset=True,
        problem=Problem.WRONG_CREDENTIALS,
    )  # fmt: skip
    return PagesWithoutStack(AuthzService(clock, bus).app, FakeLoginApi(step=step))


@pytest.fixture
async def refused(tab: Page, pages: PagesWithoutStack) -> list[str]:
    """Collects the browser's policy violations and failed requests; logos are answered with an image each."""
    problems: list[str] = []
    tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    await pages.attach(tab)
    await tab.route(f"{PAGES_ISSUER}/ui/branding/logos/*", _picture)
    await tab.route("https://shop.example/*", _picture)
    return problems


async def _picture(route: Route) -> None:
    file = io.BytesIO()
    Image.new("RGB", (120, 40) if "dark" in route.request.url else (80, 40), "#123456").save(file, "PNG")
    await route.fulfill(content_type="image/png", body=file.getvalue())


def rgb(color: str) -> str:
    return f"rgb({', '.join(str(int(color[at : at + 2], 16)) for at in (1, 3, 5))})"


async def test_organizations_have_their_colours(tab: Page, pages: PagesWithoutStack, refused: list[str]) -> None:
    """The browser renders the colours of the branding policy, and the page's CSP allows them (AZ-17)."""
    wrong = {}
    for language, direction in (("en", "ltr"), ("ar", "rtl")):
        for look, theme, expected in COLORS:
            pages.language = language
            pages.login.step = replace(pages.login.step, look=look)
            await tab.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
            await tab.goto(PAGE)
            drawn = [*await tab.evaluate(DRAWN), await tab.locator("html").get_attribute("dir")]
            if drawn != [*(rgb(color) for color in expected), direction]:
                wrong[language, expected[0]] = drawn

    assert wrong == {}
    assert refused == []


@pytest.mark.parametrize(("theme", "width"), [("light", 80), ("dark", 120)])
async def test_logos_and_links_are_shown(
    tab: Page, pages: PagesWithoutStack, refused: list[str], theme: str, width: int
) -> None:
    """Pages show the theme's logo, the application's logo, and links that leave the sign-in open."""
    pages.login.step = replace(pages.login.step, look=ACME)
    await tab.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    await tab.goto(PAGE)
    own = await tab.locator("#org-logo").evaluate("(image) => image.decode().then(() => image.naturalWidth)")
    client = await tab.locator("#client-logo").evaluate("(image) => image.decode().then(() => image.naturalWidth)")

    assert (own, client) == (width, 80)
    for id in ("client-tos", "client-policy", "org-tos", "org-policy", "org-help"):
        assert await tab.locator(f"#{id}").get_attribute("target") == "_blank"
    assert await tab.locator("#org-support").get_attribute("href") == "mailto:help@acme.example"
    assert refused == []


@pytest.mark.parametrize(
    ("look", "language"),
    [
        (ACME, "en"),
        (UMBRELLA, "ar"),
        *(pytest.param(look, tag, marks=pytest.mark.long) for look in (ACME, UMBRELLA) for tag in ("de", "ja")),
    ],
)
async def test_branded_pages_have_no_accessibility_violations(
    tab: Page, pages: PagesWithoutStack, refused: list[str], look: PageBranding, language: str
) -> None:
    """axe-core finds no violation in light and dark, and no page is wider than a small screen."""
    pages.language = language
    pages.login.step = replace(pages.login.step, look=look)
    await tab.set_viewport_size({"width": 320, "height": 700})
    await tab.goto(PAGE)

    assert await violations_in_both_schemes(tab) == []
    assert await tab.evaluate("document.documentElement.scrollWidth") <= 320
    assert refused == []
