from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import call_as

pytestmark = pytest.mark.servers

POLICIES = "portico.management.v1.PolicyService"


def html_of(message: Any) -> str:
    return str(message.get_body(("html",)).get_content())


async def test_email_has_links_and_color_of_the_organization(managed: Any) -> None:
    """Emails use the links, support address and color of the effective policies."""
    links = {"helpLink": "https://acme.example/help", "supportEmail": "help@acme.example"}
    await call_as(managed, f"{POLICIES}.AddCustomPrivacyPolicy", links)
    await call_as(managed, f"{POLICIES}.AddCustomLabelPolicy", {"primaryColor": "#7b1fa2"})
    mail = managed.users.mail("branded")
    added = await managed.add(managed.new_human(email={"email": mail}))
    (sent,) = await managed.users.mails_to(mail)

    assert added.code == 0, added.body
    assert 'href="https://acme.example/help"' in html_of(sent)
    assert "help@acme.example" in html_of(sent)
    assert "a{color:#7b1fa2}" in html_of(sent)


async def test_email_ends_with_the_text_of_the_organization(managed: Any) -> None:
    """Both parts end with the organization's text in the language of the email, or else its first text."""
    texts = [{"language": "en", "emailText": "Acme <b> & Sons"}, {"language": "de", "emailText": "Acme GmbH"}]
    await call_as(managed, f"{POLICIES}.AddCustomTextPolicy", {"texts": texts})
    sent = {}
    for language in ("de", "ja"):
        mail = managed.users.mail(f"texts-{language}")
        profile = {"firstName": "Ada", "lastName": "L", "preferredLanguage": language}
        await managed.add(managed.new_human(f"texts-{language}", email={"email": mail}, profile=profile))
        (sent[language],) = await managed.users.mails_to(mail)

    assert "Acme GmbH" in sent["de"].get_body(("plain",)).get_content()
    assert "Acme <b> & Sons" in sent["ja"].get_body(("plain",)).get_content()
    assert "<bdi>Acme &lt;b&gt; &amp; Sons</bdi>" in html_of(sent["ja"])
