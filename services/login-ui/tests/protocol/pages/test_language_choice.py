"""The language switch at the foot of the pages (decision 0134)."""

from __future__ import annotations

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.http import DEVICE_PAGE, HOME, LANGUAGE_CHOICE
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_harness.html_forms import Document
from portico_harness.rows import row

ISSUER = "https://id.example"
PAGE = f"/ui/login?request={REQUEST}"


async def choose(browser: httpx.AsyncClient, page: str, language: str) -> httpx.Response:
    """Presses the button of a language on a page."""
    button = f"language-{language}"
    form = Document((await browser.get(page)).text).form_with(button)
    assert form is not None, f"no {button} on the page"
    return await browser.post(form.action, data=form.filled(button, {}), headers={"Origin": ISSUER})


def cookie_of(answer: httpx.Response) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


async def shown(browser: httpx.AsyncClient, page: str, cookie: str) -> str:
    cookies = f"{browser.headers['cookie']}; {cookie}"
    return (await browser.get(page, headers={"Cookie": cookies, "Accept-Language": "it"})).headers["content-language"]


async def test_language_is_chosen_on_a_page(browser: httpx.AsyncClient) -> None:
    """The same page follows in the language, and so do the others; a sign-in under way goes on."""
    for page in (PAGE, DEVICE_PAGE, f"{DEVICE_PAGE}?user_code=WDJB-MJHT", HOME):
        with row(page):
            chosen = await choose(browser, page, "ja")

            assert (chosen.status_code, chosen.headers["location"]) == (303, page)
            assert await shown(browser, page, cookie_of(chosen)) == "ja"
            assert await shown(browser, "/ui/login/logged-out", cookie_of(chosen)) == "ja"


async def test_choice_outranks_the_application_only_in_its_sign_in(
    browser: httpx.AsyncClient, api: FakeLoginApi
) -> None:
    """ui_locales is what the application prefers; a language chosen on the page of this sign-in replaces it there."""
    api.step = replace(api.step, ui_locales=("de",))
    chosen = cookie_of(await choose(browser, PAGE, "fr"))
    of_an_earlier_sign_in = chosen.replace(REQUEST, "o" * 32)

    assert await shown(browser, PAGE, chosen) == "fr"
    assert of_an_earlier_sign_in != chosen
    assert await shown(browser, PAGE, of_an_earlier_sign_in) == "de"


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:1", ""])
async def test_choice_leads_back_to_own_pages_only(browser: httpx.AsyncClient, back: str) -> None:
    answer = await browser.post(LANGUAGE_CHOICE, data={"language": "de", "back": back}, headers={"Origin": ISSUER})

    assert (answer.status_code, answer.headers["location"]) == (303, HOME)


async def test_choice_of_another_site_and_unknown_languages_are_refused(browser: httpx.AsyncClient) -> None:
    for language, origin, status in (
        ("xx", ISSUER, 400),
        ("de; Path=/x", ISSUER, 400),
        ("de", "https://evil.example", 403),
    ):
        with row(language, origin):
            answer = await browser.post(LANGUAGE_CHOICE, data={"language": language}, headers={"Origin": origin})

            assert (answer.status_code, "set-cookie" in answer.headers) == (status, False)


async def test_a_page_after_a_form_offers_no_other_language(browser: httpx.AsyncClient) -> None:
    """It cannot be loaded again by its address: some show what is shown once."""
    answer = await browser.post(DEVICE_PAGE, data={"user_code": "x"}, headers={"Origin": ISSUER})

    assert answer.status_code == 200
    assert "language-de" not in Document(answer.text).ids
