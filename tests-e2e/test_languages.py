"""Language of the pages: the application's ui_locales, then the browser's preference, then English."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import pytest
from playwright.async_api import Browser, Locator, Page, expect
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


@dataclass(frozen=True)
class PageTexts:
    tag: str
    direction: str
    sign_in: str
    password: str
    wrong: str
    choose: str
    sign_out: str
    signed_out: str
    failed: str


ENGLISH = PageTexts(
    "en", "ltr", "Sign in", "Enter your password", "The login name or password is wrong",
    "Choose an account", "Do you want to sign out?", "You are signed out", "Something went wrong",
)  # fmt: skip
GERMAN = PageTexts(
    "de", "ltr", "Anmelden", "Geben Sie Ihr Passwort ein", "Der Anmeldename oder das Passwort stimmt nicht",
    "Wählen Sie ein Konto", "Möchten Sie sich abmelden?", "Sie sind abgemeldet", "Das hat nicht geklappt",
)  # fmt: skip
ARABIC = PageTexts(
    "ar", "rtl", "تسجيل الدخول", "أدخل كلمة المرور", "اسم تسجيل الدخول أو كلمة المرور غير صحيحة",
    "اختر حسابًا", "هل تريد تسجيل الخروج؟", "لقد سجّلت خروجك", "لم ينجح ذلك",
)  # fmt: skip
JAPANESE = PageTexts(
    "ja", "ltr", "ログイン", "パスワードを入力", "ログイン名またはパスワードが正しくありません",
    "アカウントを選択", "ログアウトしますか？", "ログアウトしました", "処理できませんでした",
)  # fmt: skip
ALL = (ENGLISH, GERMAN, ARABIC, JAPANESE)


def _cases(every_run: PageTexts) -> list[object]:
    """One language in every run; the others belong to `make test-all`."""
    return [pytest.param(texts, id=texts.tag, marks=() if texts is every_run else pytest.mark.long) for texts in ALL]


async def _expect(tab: Page, texts: PageTexts, heading: str) -> None:
    html: Locator = tab.locator("html")
    await expect(tab.locator("h1")).to_have_text(heading)
    await expect(html).to_have_attribute("lang", texts.tag)
    await expect(tab.locator("main")).to_have_css("direction", texts.direction)


async def _walk(tab: Page, world: World, texts: PageTexts, query: str) -> None:
    """Visits the pages from the first one to the signed-out page, including a wrong name, an error and the
    account page.
    """
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    login = LoginPages(tab)
    await pages.begin(query)
    await _expect(tab, texts, texts.sign_in)
    await login.enter_login_name(f"nobody-{secrets.token_hex(4)}")  # failures count by name
    await _expect(tab, texts, texts.password)
    await login.enter_password("not a password")
    await expect(tab.locator("#login-problem")).to_contain_text(texts.wrong)
    await tab.locator("#login-restart").click()
    await login.sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    await pages.begin(f"{query}&prompt=select_account")
    await _expect(tab, texts, texts.choose)
    wrong = begin(world.metadata, world.clients["basic"], redirect_uri="https://evil.example.test")
    await tab.goto(f"{wrong.url}&{query}")
    await _expect(tab, texts, texts.failed)
    assert await tab.locator("[lang]").count() == 1  # nothing is left in English, which would be marked
    await tab.goto(f"{world.metadata['end_session_endpoint']}?{query}")
    await _expect(tab, texts, texts.sign_out)
    await login.confirm_logout()


@pytest.mark.parametrize("texts", _cases(ARABIC))
async def test_application_chooses_the_language(tab: Page, world: World, texts: PageTexts) -> None:
    """ui_locales overrides the browser's preference on every page, also with a region (OIDC Core 3.1.2.1)."""
    await _walk(tab, world, texts, f"ui_locales=se%20{texts.tag}-XX%20en")

    await expect(tab.locator("#logged-out-page")).to_be_visible()


@pytest.mark.parametrize("texts", _cases(GERMAN))
async def test_browser_chooses_the_language(browser: Browser, world: World, texts: PageTexts) -> None:
    """Accept-Language applies to every page when the application sends no ui_locales."""
    context = await browser.new_context(locale=f"{texts.tag}-XX")
    try:
        tab = await context.new_page()
        await _walk(tab, world, texts, "x=y")
        await _expect(tab, texts, texts.signed_out)
    finally:
        await context.close()


async def test_person_chooses_the_language(browser: Browser, world: World) -> None:
    """A choice at the foot of a page keeps the sign-in under way, and applies to the account page too."""
    context = await browser.new_context(locale="en-GB", java_script_enabled=False)
    try:
        tab = await context.new_page()
        pages, login = RelyingPartyPages(tab, world.rp_url("basic")), LoginPages(tab)
        await pages.begin("ui_locales=en")
        await login.enter_login_name(ALICE.login_name)
        await choose_language(tab, "de")
        await _expect(tab, GERMAN, GERMAN.password)
        await login.enter_password(ALICE.password)
        await pages.expect_signed_in()
        await tab.goto(f"{world.issuer}/ui/account")
        await expect(tab.locator("html")).to_have_attribute("lang", "de")
        await choose_language(tab, "ar")
        await expect(tab.locator("html")).to_have_attribute("dir", "rtl")
    finally:
        await context.close()


async def choose_language(tab: Page, tag: str) -> None:
    await tab.locator("#languages summary").click()
    await tab.locator(f"#language-{tag}").click()


async def test_unknown_language_falls_back_to_english(browser: Browser, world: World) -> None:
    """An unknown ui_locales falls back to the browser's language, and an unknown one there to English."""
    context = await browser.new_context(locale="is-IS")
    try:
        tab = await context.new_page()
        await RelyingPartyPages(tab, world.rp_url("basic")).begin("ui_locales=se")
        await _expect(tab, ENGLISH, ENGLISH.sign_in)
    finally:
        await context.close()


async def test_arabic_page_is_right_to_left(tab: Page, world: World) -> None:
    """Labels start at the right edge of their field, and a login name keeps its direction."""
    await RelyingPartyPages(tab, world.rp_url("basic")).begin("ui_locales=ar&login_hint=alice%40e2e.localhost")
    label = await tab.locator("label[for=loginname]").evaluate(
        "e => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect().right }"
    )
    field = await tab.locator("#loginname").bounding_box()
    assert field is not None

    assert abs(label - (field["x"] + field["width"])) < 8
    await expect(tab.locator("#loginname")).to_have_css("direction", "ltr")


async def test_localized_page_is_not_cached(world: World) -> None:
    """Content-Language names the page's language, and caches must not store the page."""
    async with world.agent() as agent:
        page = await agent.open(begin(world.metadata, world.clients["basic"], ui_locales="ar").url)

    assert page.response.headers["content-language"] == "ar"
    assert "no-store" in page.response.headers["cache-control"]


async def test_every_advertised_language_is_available(world: World) -> None:
    """Every tag of ui_locales_supported has pages of its language (Discovery 1.0 section 3)."""
    headings = set()
    async with world.agent() as agent:
        for tag in world.metadata["ui_locales_supported"]:
            page = await agent.open(begin(world.metadata, world.clients["basic"], ui_locales=tag).url)
            assert page.response.headers["content-language"] == tag
            headings.add(page.response.text.partition("<h1")[2].partition("</h1>")[0])

    assert len(headings) == len(world.metadata["ui_locales_supported"])


def test_discovery_advertises_languages(world: World) -> None:
    """The discovery document lists the available languages (Discovery 1.0 section 3)."""
    assert world.metadata["ui_locales_supported"] == ["en", "de", "fr", "it", "es", "pt", "pl", "nl", "ja", "zh", "ar"]
