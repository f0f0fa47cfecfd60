from __future__ import annotations

import httpx
import pytest
from portico_contracts import http
from portico_fakes.authz_service import AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_web.languages import LANGUAGES

NOT_REGISTERED = {
    "en": "The application wants to send you to an address it has not registered.",
    "de": "Die Anwendung wollte Sie an eine Adresse schicken, die sie nicht angemeldet hat.",
    "ar": "طلب التطبيق إرسالك إلى عنوان لم يسجله.",
}
CONTINUE = {"en": "Continue", "de": "Weiter", "ar": "متابعة"}
WISHES: list[tuple[str | None, str, str]] = [
    (None, "de-AT,de;q=0.9,en;q=0.5", "de"),
    (None, "ar", "ar"),
    ("ar", "de", "ar"),
    ("se de", "ar", "de"),
    ("se", "ar", "ar"),
    ("se", "se", "en"),
    ("de " * 100, "ar", "ar"),
    (None, "de," * 1000, "en"),
]


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


def assert_speaks(response: httpx.Response, tag: str, words: str) -> None:
    assert f'<html lang="{tag}" dir="{"rtl" if tag == "ar" else "ltr"}">' in response.text
    assert response.headers["content-language"] == tag
    assert words in response.text


@pytest.mark.parametrize(("ui_locales", "browser", "tag"), WISHES)
async def test_error_page_is_in_the_requested_language(
    authz: AuthzService, ui_locales: str | None, browser: str, tag: str
) -> None:
    """Languages are tried in the order ui_locales, Accept-Language, English, and too long lists are ignored (LG-23)."""
    client = authz.browser()
    client.http.headers["Accept-Language"] = browser
    response = await client.authorize(redirect_uri="https://evil.example.test/", ui_locales=ui_locales)

    assert response.status_code == 400
    assert_speaks(response, tag, NOT_REGISTERED[tag])


@pytest.mark.parametrize(("ui_locales", "browser", "tag"), WISHES)
async def test_form_post_page_is_translated(
    authz: AuthzService, ui_locales: str | None, browser: str, tag: str
) -> None:
    client = authz.browser()
    client.http.headers["Accept-Language"] = browser
    response = await client.authorize(prompt="none", response_mode="form_post", ui_locales=ui_locales)

    assert response.status_code == 200
    assert_speaks(response, tag, CONTINUE[tag])


async def test_end_session_errors_are_translated(authz: AuthzService) -> None:
    client = authz.browser()
    client.http.headers["Accept-Language"] = "de"
    response = await client.get(f"{http.END_SESSION}?id_token_hint=nonsense")

    assert_speaks(response, "de", "kein gültiges id_token")


async def test_discovery_lists_the_available_languages(authz: AuthzService) -> None:
    """ui_locales_supported has canonical BCP 47 tags of the languages with catalogues (AZ-19, OpenID Connect
    Discovery §3).
    """
    document = (await authz.browser().get(http.DISCOVERY)).json()

    assert document["ui_locales_supported"] == [language.tag for language in LANGUAGES]
