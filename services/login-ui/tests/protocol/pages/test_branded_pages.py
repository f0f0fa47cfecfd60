from __future__ import annotations

import re

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.login import Account, PageBranding
from portico_contracts.step_names import StepName
from portico_contracts.users import Branding, FontFamily, OwnTexts, Palette
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import moved

PAGE = f"/ui/login?request={REQUEST}"
CLIENT = PageBranding(
    client_name="Demo & sons",
    client_logo="https://shop.example/logo.png?size=2&x=1",
    client_policy="https://shop.example/privacy",
    client_tos="https://shop.example/terms",
)
LINKS = Branding(
    tos_link="https://org.example/terms",
    privacy_link="https://org.example/privacy",
    help_link="https://org.example/help",
    support_email="help+it@org.example",
)
LINK_IDS = ["client-tos", "client-policy", "org-tos", "org-policy", "org-help", "org-support"]
MARK = '<svg class="mark"'


def tag_of(text: str, id: str) -> str:
    """Returns the tag with an id, or an empty string."""
    found = re.search(rf'<[a-z]+ [^>]*id="{id}"[^>]*>', text)
    return found[0] if found else ""


async def shown(browser: httpx.AsyncClient, api: FakeLoginApi, look: PageBranding) -> httpx.Response:
    api.step = replace(api.step, look=look)
    return await browser.get(PAGE)


async def test_page_without_branding_is_plain(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The page has Portico's logo, no links, and no URL of another host."""
    answer = await shown(browser, api, PageBranding())

    assert MARK in answer.text
    assert [tag_of(answer.text, id) for id in ("client-logo", *LINK_IDS)] == [""] * 7
    assert "img-src 'self' data:;" in answer.headers["content-security-policy"]


async def test_application_shows_logo_policy_and_terms(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The logo replaces Portico's, and its host receives no referrer."""
    answer = await shown(browser, api, CLIENT)
    logo = tag_of(answer.text, "client-logo")

    assert 'src="https://shop.example/logo.png?size=2&amp;x=1"' in logo
    assert 'alt="Demo &amp; sons"' in logo
    assert 'referrerpolicy="no-referrer"' in logo
    assert 'href="https://shop.example/privacy"' in tag_of(answer.text, "client-policy")
    assert 'href="https://shop.example/terms"' in tag_of(answer.text, "client-tos")
    assert MARK not in answer.text


async def test_organization_shows_links_and_support(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Terms, privacy and help open in a new tab without opener, and the support address is a mailto link."""
    text = (await shown(browser, api, PageBranding(branding=LINKS))).text

    assert 'href="https://org.example/terms"' in tag_of(text, "org-tos")
    assert 'href="https://org.example/privacy"' in tag_of(text, "org-policy")
    assert 'href="https://org.example/help"' in tag_of(text, "org-help")
    assert 'href="mailto:help%2Bit@org.example"' in tag_of(text, "org-support")
    for id in ("org-tos", "org-policy", "org-help"):
        assert 'target="_blank" rel="noopener noreferrer"' in tag_of(text, id)


@pytest.mark.parametrize(
    ("logo", "source"),
    [
        ("https://cdn.example:8443/a/logo.png", " https://cdn.example:8443"),
        ("https://cdn.example/a;script-src%20*", " https://cdn.example"),
        ("https://cdn.example;script-src/x", " https:"),
    ],
)
async def test_images_are_allowed_from_the_logos_host_only(
    browser: httpx.AsyncClient, api: FakeLoginApi, logo: str, source: str
) -> None:
    """The policy names the origin, and nothing of the URL can become another directive (AZ-08)."""
    policy = (await shown(browser, api, replace(CLIENT, client_logo=logo))).headers["content-security-policy"]

    assert f"img-src 'self' data:{source}; font-src" in policy
    assert "script-src" not in policy


async def test_hidden_watermark_omits_porticos_logo(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    answer = await shown(browser, api, PageBranding(branding=Branding(hide_watermark=True)))

    assert MARK not in answer.text


@pytest.mark.parametrize(
    ("login_name", "expected"),
    [("ada@acme.example", "ada"), ("ada", "ada"), ("a@b@acme.example", "a<wbr>@b"), ("@acme", "<wbr>@acme")],
)
async def test_hidden_suffix_is_omitted_from_the_shown_name(
    browser: httpx.AsyncClient, api: FakeLoginApi, login_name: str, expected: str
) -> None:
    """The shown name ends before the last at sign, while password managers read the whole name."""
    api.step = moved(api.step, StepName.PASSWORD, login_name=login_name)
    text = (await shown(browser, api, PageBranding(branding=Branding(hide_login_name_suffix=True)))).text
    whole = (await shown(browser, api, PageBranding())).text

    assert f'<bdi id="login-shown">{expected}</bdi>' in text
    assert f'<bdi id="login-shown">{login_name.replace("@", "<wbr>@")}</bdi>' in whole
    assert f'value="{login_name}" autocomplete="username"' in text


async def test_hidden_suffix_is_omitted_from_the_account_list(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    api.step = moved(api.step, StepName.SELECT_ACCOUNT, accounts=(Account(id="a", login_name="ada@acme.example"),))
    text = (await shown(browser, api, PageBranding(branding=Branding(hide_login_name_suffix=True)))).text

    assert '<bdi class="name">ada</bdi>' in text
    assert "acme.example" not in text


async def test_colours_are_a_separate_stylesheet(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The stylesheet is same-origin, follows the common one and is cacheable forever."""
    branding = Branding(light=Palette(primary="#aa2200"), font_family=FontFamily.SERIF)
    page = await shown(browser, api, PageBranding(branding=branding))
    address = re.findall(r'<link rel="stylesheet"[^>]* href="([^"]+)"', page.text)[1]
    sheet = await browser.get(address)
    again = await browser.get(address, headers={"If-None-Match": sheet.headers["etag"]})

    assert address.startswith("/ui/login/branding/aa2200-0-0-0-0-0-0-0-serif.css?v=")
    assert "style=" not in page.text
    assert "<style" not in page.text
    assert "style-src 'self';" in page.headers["content-security-policy"]
    assert sheet.headers["content-type"] == "text/css; charset=utf-8"
    assert sheet.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert sheet.headers["x-content-type-options"] == "nosniff"
    assert "--accent:#aa2200" in sheet.text
    assert again.status_code == 304


@pytest.mark.parametrize(
    "name", ["x", "red-0-0-0-0-0-0-0-system", "0-0-0-0-0-0-0-0-comic", "0-0-0-0-0-0-0-0-system%0a"]
)
async def test_invalid_colours_are_404(browser: httpx.AsyncClient, name: str) -> None:
    answer = await browser.get(f"/ui/login/branding/{name}.css")

    assert answer.status_code == 404
    assert 'id="error-page"' in answer.text


@pytest.mark.parametrize(
    ("branding", "sources"),
    [
        (Branding(logo="/ui/branding/logos/a.png", logo_text='Acme "& sons"'), []),
        (
            Branding(logo="/ui/branding/logos/a.png", logo_dark="/ui/branding/logos/b.webp"),
            ["/ui/branding/logos/b.webp"],
        ),
    ],
)
async def test_organization_shows_its_logo(
    browser: httpx.AsyncClient, api: FakeLoginApi, branding: Branding, sources: list[str]
) -> None:
    """The logo replaces Portico's, with a variant for a dark background."""
    text = (await shown(browser, api, PageBranding(branding=branding))).text
    logo = tag_of(text, "org-logo")

    assert 'src="/ui/branding/logos/a.png"' in logo
    assert f'alt="{branding.logo_text.replace("&", "&amp;").replace(chr(34), "&#34;")}"' in logo
    assert re.findall(r'<source srcset="([^"]+)" media="\(prefers-color-scheme: dark\)">', text) == sources
    assert MARK not in text


async def test_both_logos_are_shown(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    look = replace(CLIENT, branding=Branding(logo="/ui/branding/logos/a.png"))
    text = (await shown(browser, api, look)).text

    assert 0 < text.index('id="org-logo"') < text.index('id="client-logo"')


async def test_custom_texts_are_shown_on_the_first_page(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Heading and sentence are escaped and in the language of the page, or else in the first one."""
    texts = (
        OwnTexts(language="fr", sign_in_title="<b>Bienvenue</b>", sign_in_text="Bonjour & salut"),
        OwnTexts(language="de"),
    )
    look = PageBranding(branding=Branding(texts=texts))
    english = (await shown(browser, api, look)).text
    browser.headers["accept-language"] = "de"
    german = (await shown(browser, api, look)).text
    api.step = moved(api.step, StepName.PASSWORD, login_name="ada")
    password = (await shown(browser, api, look)).text

    assert '<h1 id="page-title">&lt;b&gt;Bienvenue&lt;/b&gt;</h1>' in english
    assert '<p class="lead" id="org-text"><bdi>Bonjour &amp; salut</bdi></p>' in english
    assert '<h1 id="page-title">Anmelden</h1>' in german
    assert "org-text" not in german
    assert "Bienvenue" not in password
