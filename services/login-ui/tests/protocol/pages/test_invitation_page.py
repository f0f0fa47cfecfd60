"""The page on which an invited person chooses the first password."""

from __future__ import annotations

import httpx
import pytest
from portico_contracts.users import BeginPasskeyByInvitation, Factor, UseLink, UsePasskey
from portico_fakes.fake_link_api import FakeLinkApi
from portico_harness.html_forms import Document
from portico_oauth.errors import Kind, ServiceError
from portico_web.cookies import BrowserCookie

ISSUER = "https://id.example"
RESET = "/ui/login/password/init?userID=kim&code=K7Q2ZX&orgID=acme"
INVITATION = f"{RESET}&loginName=kim%40example.com&invitation=1"
NO_DIGIT = ServiceError(Kind.INVALID_REQUEST, "USER-616", "This password has no digit.")


async def accept(reader: httpx.AsyncClient, address: str = INVITATION) -> httpx.Response:
    form = Document((await reader.get(address)).text).form_with("set-password-submit")
    assert form is not None
    sent = form.filled("set-password-submit", {"new-password": "nine small sparrows"})
    return await reader.post(form.action, data=sent, headers={"Origin": ISSUER})


async def test_invitation_welcomes_to_the_organization(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """All rules are shown before and after an error, and signing out is not mentioned."""
    links.organization, links.error = "Ada & <b>Co", NO_DIGIT

    for page in (await reader.get(INVITATION), await accept(reader)):
        assert "Welcome to Ada &amp; &lt;b&gt;Co</h1>" in page.text
        assert "Choose a password to finish." in page.text
        assert page.text.index("at least 12 characters") < page.text.index("a digit</li>")
        assert "signed out" not in page.text
        assert "ew password" not in page.text


async def test_invitation_of_an_unknown_organization(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    links.no_rules = ServiceError(Kind.NOT_FOUND, "USER-060", "Organization not found.")

    assert "Welcome</h1>" in (await reader.get(INVITATION)).text


async def test_accepted_invitation_leads_to_the_account(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    accepted = await accept(reader)
    shown = Document((await reader.get(accepted.headers["Location"])).text)

    assert links.asked == [UseLink(user_id="kim", code="K7Q2ZX", new_password="nine small sparrows", browser="")]
    assert accepted.headers["Location"] == "/ui/login/password/init?done=invitation"
    assert shown.links["own-account"] == "/ui/account"
    assert "page-start" not in shown.links


async def test_accepted_invitation_opens_its_application(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """A page, not a redirect, leads to the address from users; a reset ignores it, and so does an address in the link."""
    links.start = "https://shop.example/?a=1&b"
    opened = await accept(reader)
    reset = await accept(reader, RESET)
    links.start = ""
    forged = await accept(reader, f"{INVITATION}&start=https://evil.example/&application=evil")

    assert opened.status_code == 200
    assert Document(opened.text).links["return"] == "https://shop.example/?a=1&b"
    assert 'content="0;url=https://shop.example/?a=1&amp;b"' in opened.text
    assert reset.headers["Location"] == "/ui/login/password/init?done=1"
    assert forged.headers["Location"] == "/ui/login/password/init?done=invitation"
    assert "evil" not in forged.text


async def test_passkey_is_chosen_instead_of_a_password(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    links.factors, links.set_cookie = (Factor.PASSKEY,), BrowserCookie(ISSUER).set("after")
    page = Document((await reader.get(INVITATION)).text).form_with("invitation-passkey")
    assert page is not None
    begun = await reader.post(page.action, data={"passkey": "1", "new_password": ""}, headers={"Origin": ISSUER})
    form = Document(begun.text).form_with("webauthn-start")
    assert form is not None
    answer = form.filled("webauthn-start", {"credential": '{"id":"x"}'})
    done = await reader.post(form.action, data=answer, headers={"Origin": ISSUER})
    shown = await reader.get(done.headers["Location"])

    assert links.asked == [
        BeginPasskeyByInvitation(user_id="kim", code="K7Q2ZX"),
        UsePasskey(user_id="kim", code="K7Q2ZX", passkey_id="p1", credential='{"id":"x"}', browser=""),
    ]
    assert done.headers["set-cookie"] == links.set_cookie
    assert "Your passkey is registered</h1>" in shown.text
    assert Document(shown.text).links["own-account"] == "/ui/account"


async def test_page_of_the_passkey_leads_back_to_the_password(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    sent = {"back": "1", "credential": "", "passkey_id": "p1"}
    back = await reader.post(INVITATION, data=sent, headers={"Origin": ISSUER})

    assert "new-password" in Document(back.text).ids
    assert links.asked == []


@pytest.mark.parametrize("address", [INVITATION, RESET])
async def test_passkey_is_offered_at_invitations_where_it_counts(
    reader: httpx.AsyncClient, links: FakeLinkApi, address: str
) -> None:
    links.factors = () if address == INVITATION else (Factor.PASSKEY,)

    assert "invitation-passkey" not in (await reader.get(address)).text


@pytest.mark.parametrize("start", ["http://shop.example/", "javascript:alert(1)", "//shop.example/", "com.shop.app:/"])
async def test_only_https_and_loopback_addresses_are_opened(
    reader: httpx.AsyncClient, links: FakeLinkApi, start: str
) -> None:
    links.start = start
    refused = await accept(reader)

    assert "LOGIN-107" in refused.text
    assert start not in refused.text


async def test_reset_has_the_words_of_a_reset(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    links.organization = "Acme"
    page = (await reader.get(RESET)).text
    done = Document((await reader.get((await accept(reader, RESET)).headers["Location"])).text)

    assert "Choose a new password" in page
    assert "Welcome" not in page
    assert "own-account" not in done.links


async def test_invitation_names_both_ways_where_a_passkey_is_possible(
    reader: httpx.AsyncClient, links: FakeLinkApi
) -> None:
    links.factors = (Factor.PASSKEY,)

    assert "Choose a password or continue with a passkey to finish." in (await reader.get(INVITATION)).text
