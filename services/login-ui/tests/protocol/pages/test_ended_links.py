"""A link that was used, has expired or is wrong: its page states so, and what to do, before anything is typed."""

from __future__ import annotations

import httpx
import pytest
from portico_contracts.users import CheckLink, Factor, LinkKind
from portico_fakes.fake_link_api import FakeLinkApi
from portico_harness.html_forms import Document

INVITATION = "/ui/login/password/init?userID=kim&code=K7Q2ZX&orgID=acme&loginName=kim%40example.com&invitation=1"
RESET = "/ui/login/password/init?userID=kim&code=K7Q2ZX&orgID=acme"
VERIFICATION = "/ui/login/mail/verification?userID=kim&code=K7Q2ZX&orgID=acme"
PASSKEY = "/ui/login/passkey/registration?userID=kim&codeID=c1&code=K7Q2ZX"


@pytest.mark.parametrize(
    ("address", "sentence", "button"),
    [
        (INVITATION, "ask the person who invited you", "link-sign-in"),
        (RESET, "request another link", "password-forgot"),
        (VERIFICATION, "request another email", "link-sign-in"),
        (PASSKEY, "ask the person who sent you the link", "link-sign-in"),
    ],
)
async def test_ended_link_states_what_to_do(
    reader: httpx.AsyncClient, links: FakeLinkApi, address: str, sentence: str, button: str
) -> None:
    links.usable = False
    page = await reader.get(address)
    shown = Document(page.text)

    assert page.status_code == 200
    assert sentence in page.text
    assert button in shown.links
    assert "<form" not in page.text.split('id="link-ended-page"')[1].split("</section>")[0]


async def test_link_is_checked_with_its_kind(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    for address in (INVITATION, VERIFICATION, PASSKEY):
        await reader.get(address)

    assert links.looked_at == [
        CheckLink(kind=LinkKind.PASSWORD, user_id="kim", code="K7Q2ZX"),
        CheckLink(kind=LinkKind.EMAIL, user_id="kim", code="K7Q2ZX"),
        CheckLink(kind=LinkKind.PASSKEY, user_id="kim", code="K7Q2ZX", code_id="c1"),
    ]


async def test_request_ahead_of_the_user_checks_nothing(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """A wrong code counts as a guess, and such a request may have no effect (decision 0117)."""
    await reader.head(RESET)
    await reader.get(RESET, headers={"Sec-Purpose": "prefetch"})

    assert links.looked_at == []


async def test_form_is_shown_while_links_cannot_be_checked(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """An authz of an older release does not know the call."""
    links.unchecked = True

    assert "set-password-submit" in (await reader.get(RESET)).text


async def test_other_link_is_offered_where_resets_are_on(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    links.usable = links.may_reset = False
    page = (await reader.get(RESET)).text

    assert "contact your administrator" in page
    assert "password-forgot" not in page


@pytest.mark.parametrize(
    ("address", "factors"), [(RESET, (Factor.PASSKEY,)), (INVITATION, ()), (INVITATION, (Factor.PASSKEY,))]
)
async def test_link_leads_to_the_sign_in_where_no_passwords_are_used(
    reader: httpx.AsyncClient, links: FakeLinkApi, address: str, factors: tuple[Factor, ...]
) -> None:
    links.password_sign_in, links.factors = False, factors
    page = await reader.get(address)
    shown = Document(page.text)

    assert shown.links["link-sign-in"] == "/ui/account"
    assert "set-password-submit" not in shown.ids
    assert "new password" not in page.text
    assert ("invitation-passkey" in shown.ids) is (address == INVITATION and bool(factors))
