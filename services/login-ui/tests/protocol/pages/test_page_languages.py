"""Languages of the pages (OIDC Core §3.1.2.1 ui_locales)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.login import Account, PageBranding, Problem, Step
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import moved, step_of
from portico_harness.html_forms import Document
from portico_harness.rows import row
from portico_login_ui.steps import METHODS
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_web.languages import LANGUAGES

PAGE = f"/ui/login?request={REQUEST}"

Press = Callable[[str, Mapping[str, str]], Awaitable[httpx.Response]]


PREFERRED: list[tuple[tuple[str, ...], str, str]] = [
    ((), "", "en"),
    ((), "de-CH,de;q=0.9,en;q=0.8", "de"),
    ((), "sv, ar;q=0.1", "ar"),
    (("ar",), "de", "ar"),
    (("sv", "de-DE"), "ar", "de"),
    (("sv",), "de", "de"),
    (("sv",), "fi", "en"),
    (("en-GB",), "de", "en"),
]


async def test_page_is_in_the_preferred_language(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Languages are tried in the order ui_locales, Accept-Language, English."""
    for ui_locales, header, tag in PREFERRED:
        with row(ui_locales, header, tag):
            api.step = replace(api.step, ui_locales=ui_locales)
            answer = await browser.get(PAGE, headers={"Accept-Language": header})
            heading = {"en": "Sign in", "de": "Anmelden", "ar": "تسجيل الدخول"}[tag]

            assert f'<html lang="{tag}" dir="{"rtl" if tag == "ar" else "ltr"}">' in answer.text
            assert f'<h1 id="page-title">{heading}</h1>' in answer.text
            assert answer.headers["content-language"] == tag


@pytest.mark.parametrize("step", [StepName.LOGIN_NAME, StepName.TOTP])
async def test_names_of_own_applications_are_translated(
    browser: httpx.AsyncClient, api: FakeLoginApi, step: StepName
) -> None:
    """The console and the account page are named in the page's language; every other name stays as it is."""
    for name, own, shown in (
        ("Your account", True, "Ihr Konto"),
        ("Console", True, "Konsole"),
        ("Renamed", True, "Renamed"),
        ("Console", False, "Console"),
    ):
        with row(name, own):
            api.step = moved(api.step, step, client_name=name, look=PageBranding(client_is_own=own))
            page = (await browser.get(PAGE, headers={"Accept-Language": "de"})).text

            assert f'<bdi id="client-name">{shown}</bdi>' in page


@pytest.mark.slow
async def test_languages_differ_in_words_only(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    for name in METHODS:
        with row(name):
            accounts = (Account(id="a", login_name="ada@example.com"),)
            api.step = moved(
                api.step, name, problem=Problem.WRONG_CREDENTIALS, accounts=accounts, mail="ada@example.com"
            )
            english = await _elements_in(browser, "en")

            assert [one.tag for one in LANGUAGES if await _elements_in(browser, one.tag) != english] == []


async def _elements_in(browser: httpx.AsyncClient, tag: str) -> object:
    page = Document((await browser.get(PAGE, headers={"Accept-Language": tag})).text)
    return page.ids, [[(field.id, field.name, field.kind) for field in form.fields] for form in page.forms]


PLURALS: list[tuple[int, str]] = [
    (2, "ثانيتين"),
    (5, "5 ثوانٍ"),
    (45, "45 ثانية"),
    (91, "دقيقتين"),
    (170, "3 دقائق"),
    (900, "15 دقيقة"),
]


async def test_numbers_use_the_plural_forms_of_the_language(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    for seconds, words in PLURALS:
        with row(seconds, words):
            api.step = replace(api.step, problem=Problem.SLOW_DOWN, retry_after=seconds)

            assert words in (await browser.get(PAGE, headers={"Accept-Language": "ar"})).text


@pytest.mark.parametrize(("tag", "words"), [("de", "Sie sind abgemeldet"), ("ar", "لقد سجّلت خروجك")])
async def test_static_page_uses_the_browsers_language(browser: httpx.AsyncClient, tag: str, words: str) -> None:
    assert words in (await browser.get("/ui/login/logged-out", headers={"Accept-Language": tag})).text


async def test_error_page_uses_the_browsers_language(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Sentence and link are translated, and authz's message is omitted in other languages than English."""
    api.error = ErrorCode("FAKE-301", Kind.NOT_FOUND, "Only authz knows this.").error()
    text = (await browser.get(PAGE, headers={"Accept-Language": "de"})).text

    assert "Diese Anmeldung kann nicht fortgesetzt werden." in text
    assert "Only authz" not in text
    assert "Only authz knows this." in (await browser.get(PAGE)).text


async def test_errors_of_other_services_are_translated(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The text of a refusal of authz is shown in the language of the page, not in English and not left out."""
    refused = "This sign-in is finished or has expired. Go back to the application and start again."
    api.error = ServiceError(Kind.NOT_FOUND, "AUTHZ-030", refused)
    text = (await browser.get(PAGE, headers={"Accept-Language": "de"})).text

    assert 'id="error-text"' in text
    assert refused not in text


async def test_own_errors_are_translated(browser: httpx.AsyncClient) -> None:
    text = (await browser.get("/ui/login", headers={"Accept-Language": "ar"})).text

    assert "هذا العنوان غير مكتمل." in text


async def test_emails_are_in_the_language_of_the_page(
    api: FakeLoginApi, browser: httpx.AsyncClient, press: Press, following: list[Step]
) -> None:
    """The page's language precedes the browser's, and each email counts for the client."""
    browser.headers.update({"Accept-Language": "de-CH, de;q=0.9", "X-Forwarded-For": "6.6.6.6, 203.0.113.7"})
    api.step = moved(api.step, StepName.REGISTER, ui_locales=("ar",))
    following.append(step_of(StepName.VERIFY_EMAIL, mail="ada@example.com"))
    await press("register-submit", {"register-email": "ada@example.com"})

    assert api.answers[0].languages == ("ar", "de-CH", "de")
    assert api.answers[0].address == "203.0.113.7"


@pytest.mark.parametrize("language", ["", "sv", "<b>", "de\r\n", "d" * 300])
async def test_unknown_language_of_a_form_is_ignored(
    browser: httpx.AsyncClient, api: FakeLoginApi, language: str
) -> None:
    form = {"csrf": "csrf-0", "step": "login_name", "login_name": "ada", "language": language}
    await browser.post(PAGE, data=form, headers={"Accept-Language": "ar"})

    assert api.answers[0].languages == ("ar",)


@pytest.mark.parametrize("header", ["de," * 40_000, "-" * 10_000, "de" + "-x" * 50_000])
async def test_oversized_language_preference_gives_english(
    browser: httpx.AsyncClient, api: FakeLoginApi, header: str
) -> None:
    """An Accept-Language header or ui_locales of any length does not break the page (LG-23)."""
    api.step = replace(api.step, ui_locales=(header,))
    answer = await browser.get(PAGE, headers={"Accept-Language": header})

    assert (answer.status_code, answer.headers["content-language"]) == (200, "en")
