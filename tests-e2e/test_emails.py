"""Emails as a reader sees them: in light and dark, in both directions of writing, and with images off."""

from __future__ import annotations

import json
from typing import Final, Literal

import pytest
from playwright.async_api import Page, expect
from portico_contracts.users import Branding, Palette
from portico_scenarios.accessibility import OF_COLOURS, violations
from portico_scenarios.contact_sheet import take_pictures
from portico_users.notifications.email.message import PLAIN, EmailBranding, EmailMessage, EmailTemplate, render

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("pages without a stack")]

VALUES: Final = {
    "organization": "Acme",
    "application": "Acme Shop",
    "issuer": "https://id.example",
    "code": "K7PQ2M",
    "login_name": "eve@mail.example",
    "changes": "mail password",
    "new_mail": "e***@m***",
    "when": "21 September 2026, 14:13 UTC",
    "per_day": "500",
    "per_month": "5000",
    "link": "https://id.example/ui/login/password/init?userID=1&code=K7PQ2M",
}
ACME: Final = EmailBranding(
    Branding(
        logo="/logo.png",
        logo_dark="/logo-dark.png",
        logo_text="Acme & sons",
        tos_link="https://acme.example/terms",
        support_email="help@acme.example",
        light=Palette(primary="#ffd54f"),
        dark=Palette(primary="#7b1fa2"),
    )
)
SCHEMES: Final[tuple[Literal["dark", "light"], ...]] = ("dark", "light")
RULES: Final[dict[str, dict[Literal["dark", "light"], tuple[str, ...]]]] = {
    "en": {"light": (*OF_COLOURS, "link-name", "image-alt", "html-has-lang", "list"), "dark": OF_COLOURS},
    "ar": {"light": ("html-has-lang",)},
}
"""By language and scheme: the languages have the same elements and colours."""


async def _show(tab: Page, template: EmailTemplate, language: str, branding: EmailBranding) -> None:
    email = EmailMessage(
        template=template, to="eve@mail.example", language=language, values=VALUES, org_id="", user_id=""
    )
    await tab.set_content(render(email, branding).html, wait_until="domcontentloaded")


@pytest.mark.parametrize(
    "branding", [pytest.param(PLAIN, id="plain", marks=pytest.mark.long), pytest.param(ACME, id="branded")]
)
async def test_emails_are_legible_in_light_and_dark(tab: Page, branding: EmailBranding) -> None:
    """No email has text below the required contrast, nor is any wider than a phone."""
    await tab.route("**/*", lambda route: route.abort())
    await tab.set_viewport_size({"width": 320, "height": 640})
    found = {}
    for template in EmailTemplate:
        for language, schemes in RULES.items():
            await _show(tab, template, language, branding)
            for scheme, rules in schemes.items():
                await tab.emulate_media(color_scheme=scheme)
                problems = await violations(tab, rules)
                problems += [] if await tab.evaluate("document.body.scrollWidth <= 320") else ["wider than 320 px"]
                if problems:
                    found[f"{template} {language} {scheme}"] = problems
        await _show(tab, template, "en", branding)
        await take_pictures(tab, f"email {template} {'branded' if branding is ACME else 'plain'}")

    assert json.dumps(found, indent=1) == "{}"


async def test_email_without_images_names_the_organization(tab: Page) -> None:
    """With images off, the text of the logo is there, once in each theme, and the button still has a colour."""
    await tab.route("**/*", lambda route: route.abort())
    await _show(tab, EmailTemplate.INVITE, "en", ACME)
    alternatives = []
    for scheme in SCHEMES:
        await tab.emulate_media(color_scheme=scheme)
        # The text has no size until the browser knows that there is no image.
        await expect(tab.locator("img:visible")).to_have_count(1)
        alternatives += await tab.locator("img:visible").evaluate_all("all => all.map((image) => image.alt)")
    ground = await tab.locator("a.press").evaluate("link => getComputedStyle(link).backgroundColor")

    assert alternatives == ["Acme & sons", "Acme & sons"]
    assert ground == "rgb(255, 213, 79)"
