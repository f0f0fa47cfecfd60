from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ISSUER, ConsoleService, refusal

POLICIES = "portico.management.v1.PolicyService"
PAGE = "/ui/console/orgs/o1/rules/branding"
DEFAULT = {"details": {"sequence": "7"}, "isDefault": True}


def answering(body: dict[str, Any]) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return lambda _fields, _request: httpx.Response(200, json=body)


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    """An owner of an organization that has the instance's branding."""
    held = [{"permission": name, "roles": ["ORG_OWNER"]} for name in ("policy.read", "policy.write")]
    texts = [
        {"language": "en", "signInTitle": "Welcome to Acme", "signInText": "Staff only.", "emailText": "Acme Ltd."}
    ]
    console.provider.answers |= {
        "portico.management.v1.CallerService/ListMyPermissions": answering(
            {"org": {"id": "o1", "name": "Acme"}, "permissions": held}
        ),
        f"{POLICIES}/GetLabelPolicy": answering({"policy": DEFAULT}),
        f"{POLICIES}/GetTextPolicy": answering({"policy": {"texts": texts}}),
        f"{POLICIES}/GetPrivacyPolicy": answering({"policy": {"tosLink": "https://acme.example/terms"}}),
        f"{POLICIES}/GetLoginPolicy": answering(
            {"policy": {"allowExternalIdp": True, "idps": [{"idpId": "i1", "idpName": "Google"}]}}
        ),
        f"{POLICIES}/AddCustomLabelPolicy": answering({}),
        f"{POLICIES}/SetLabelPolicyLogo": answering({}),
        f"{POLICIES}/RemoveLabelPolicyLogo": answering({}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def send(browser: httpx.AsyncClient, to: str = PAGE, *, files: Any = None, **fields: str) -> httpx.Response:
    page = await browser.get(PAGE)
    csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
    form = {"csrf": csrf, "sequence": "7", **fields}
    return await browser.post(to, data=form, files=files, headers={"Origin": ISSUER})


def calls(console: ConsoleService, name: str) -> list[dict[str, Any]]:
    return [fields for method, fields in console.provider.calls if method == f"{POLICIES}/{name}"]


async def test_saved_colours_override_the_instances_branding(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    saved = await send(signed_in, primaryColor="#7a1fa2", fontFamily="serif", disableWatermark="on")
    (sent,) = calls(console, "AddCustomLabelPolicy")

    assert saved.status_code == 303
    assert {name: value for name, value in sent.items() if value} == {
        "primaryColor": "#7a1fa2",
        "fontFamily": "serif",
        "disableWatermark": True,
    }
    assert sent["backgroundColorDark"] == ""


async def test_colour_with_too_little_contrast_is_refused_at_its_field(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The input stays, and nothing is sent."""
    refused = await send(signed_in, primaryColor="#aaaaaa", fontColorDark="red")

    assert refused.status_code == 400
    assert "The contrast to the background is 2.2:1. At least 4.5:1 is needed." in refused.text
    assert "Use the format #rrggbb, or leave it empty for the default." in refused.text
    assert re.search(r'id="primaryColor" name="primaryColor" value="#aaaaaa"[^>]* aria-invalid="true"', refused.text)
    assert calls(console, "AddCustomLabelPolicy") == []


async def test_preview_stores_nothing(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Without scripts a button shows the samples with what was typed."""
    shown = await send(signed_in, primaryColor="#7a1fa2", preview="1")

    assert f'src="{PAGE}/sample/dark?primaryColor=%237a1fa2"' in shown.text
    assert calls(console, "AddCustomLabelPolicy") == []


@pytest.mark.parametrize("sent", [{"preview": "1"}, {"primaryColor": "#aaaaaa"}, {}])
async def test_form_keeps_its_version(
    console: ConsoleService, signed_in: httpx.AsyncClient, sent: dict[str, str]
) -> None:
    """The form is older than the stored branding, and shown again by the preview, an error or a refusal."""
    console.provider.answers[f"{POLICIES}/AddCustomLabelPolicy"] = refusal(
        "failed_precondition", 400, "USER-104", "No."
    )
    shown = await send(signed_in, **sent, sequence="6")

    assert 'name="sequence" value="6"' in shown.text


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_sample_has_the_stylesheets_of_the_sign_in_page_in_one_theme(
    signed_in: httpx.AsyncClient, theme: str
) -> None:
    """The sample may be framed by the console's own pages only, and the page around it frames nothing else."""
    around = await signed_in.get(PAGE)
    sample = await signed_in.get(f"{PAGE}/sample/{theme}", params={"primaryColor": "#7a1fa2"})
    sheets = re.findall(r'<link rel="stylesheet"[^>]*href="([^"]+)"', sample.text)
    styles = [(await signed_in.get(sheet)).text for sheet in sheets]

    assert f"frame-src {ISSUER}{PAGE}/sample/;" in around.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in around.headers["content-security-policy"]
    assert "frame-ancestors 'self'" in sample.headers["content-security-policy"]
    assert sample.headers["x-frame-options"] == "SAMEORIGIN"
    assert "Welcome to Acme" in sample.text
    assert "https://acme.example/terms" in sample.text
    assert "Google" in sample.text
    assert len(styles) == 2
    assert "--accent:#7a1fa2" in styles[1]
    assert all("prefers-color-scheme" not in text for text in styles)
    assert all(f"color-scheme:{theme}" in text for text in styles)


async def test_colours_are_checked_while_they_are_typed(signed_in: httpx.AsyncClient) -> None:
    answer = await signed_in.get(f"{PAGE}/check", params={"primaryColor": "#aaaaaa", "warnColor": "#b00020"})
    found = answer.json()

    assert list(found["problems"]) == ["primaryColor"]
    assert set(found["stylesheets"]) == {"light", "dark"}
    assert (await signed_in.get(found["stylesheets"]["light"])).status_code == 200


async def test_logo_is_uploaded_and_removed(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A refused file is named at its field."""
    await send(signed_in, f"{PAGE}/logo", theme="dark", files={"logo": ("l.png", b"picture", "image/png")})
    await send(
        signed_in, f"{PAGE}/logo", theme="light", remove="1", files={"logo": ("", b"", "application/octet-stream")}
    )
    console.provider.answers[f"{POLICIES}/SetLabelPolicyLogo"] = refusal(
        "invalid_argument", 400, "USER-903", "This is not a picture."
    )
    refused = await send(signed_in, f"{PAGE}/logo", theme="light", files={"logo": ("l.png", b"text", "image/png")})
    sent = calls(console, "SetLabelPolicyLogo")

    assert sent[0] == {"theme": "LOGO_THEME_DARK", "logo": base64.b64encode(b"picture").decode()}
    assert calls(console, "RemoveLabelPolicyLogo") == [{"theme": "LOGO_THEME_LIGHT"}]
    assert 'id="logo-light-problem" role="alert">This is not a picture.<' in refused.text


async def test_unknown_theme_is_no_page(signed_in: httpx.AsyncClient) -> None:
    assert (await signed_in.get(f"{PAGE}/sample/sepia")).status_code == 404
    assert (await signed_in.get("/ui/console/static/previews/sepia/sign-in-pages.css")).status_code == 404


async def test_every_own_text_is_in_the_form(signed_in: httpx.AsyncClient) -> None:
    """The card shows the texts as they can be changed, and that they are the organization's."""
    page = await signed_in.get("/ui/console/orgs/o1/rules/texts")
    for text in ('value="en" selected', 'value="Welcome to Acme"', 'value="Staff only."', 'value="Acme Ltd."'):
        assert text in page.text
    assert 'id="policy-badge">Overridden<' in page.text
