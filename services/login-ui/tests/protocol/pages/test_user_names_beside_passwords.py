from __future__ import annotations

import re

import httpx
import pytest
from portico_fakes.fake_link_api import FakeLinkApi
from portico_harness.html_forms import Document
from portico_oauth.errors import Kind, ServiceError
from portico_web.pages import template_folders

ISSUER = "https://id.example"
NAME = "kim+1@example.com"
QUERY = "loginName=kim%2B1%40example.com"
FORGOT = "/ui/login/password/forgot"
PAGES = {
    "emailed code": f"{FORGOT}?sent=c-1&{QUERY}",
    "link and invitation": f"/ui/login/password/init?userID=kim&code=K7Q2ZX&orgID=acme&{QUERY}",
    "notice": f"/ui/login/recovery?sent=c-1&{QUERY}",
}
COMMON = ServiceError(Kind.INVALID_REQUEST, "USER-035", "This password is one of the most common ones.")


def user_name_of(page: str) -> str:
    """Returns the username in the form of the new password."""
    [form] = [form for form in re.findall("<form.*?</form>", page, re.DOTALL) if 'autocomplete="new-password"' in form]
    [field] = re.findall('<input[^>]*autocomplete="username"[^>]*>', form)
    return str(re.findall('value="([^"]*)"', field)[0])


@pytest.mark.parametrize("address", PAGES.values(), ids=PAGES.keys())
async def test_username_precedes_the_new_password(reader: httpx.AsyncClient, links: FakeLinkApi, address: str) -> None:
    """The username comes from the URL, also after an error, and is neither looked up nor submitted."""
    first = await reader.get(address)
    form = Document(first.text).form_with("set-password-submit")
    assert form is not None
    code = {"password-code": "K7Q2ZX"} if form.has("password-code") else {}
    sent = form.filled("set-password-submit", {"new-password": "nine small sparrows", **code})
    links.error = COMMON
    again = await reader.post(form.action, data=sent, headers={"Origin": ISSUER})

    assert [user_name_of(page.text) for page in (first, again)] == [NAME, NAME]
    assert NAME not in sent.values()


@pytest.mark.parametrize(
    ("address", "button", "typed", "arrived"),
    [
        (FORGOT, "forgot-password-submit", {"loginname": NAME}, PAGES["emailed code"]),
        (f"/ui/login/recovery?code=n0tice&{QUERY}", "recover-account-submit", {}, PAGES["notice"]),
    ],
)
async def test_username_is_carried_over(
    reader: httpx.AsyncClient, links: FakeLinkApi, address: str, button: str, typed: dict[str, str], arrived: str
) -> None:
    form = Document((await reader.get(address)).text).form_with(button)
    assert form is not None
    pressed = await reader.post(form.action, data=form.filled(button, typed), headers={"Origin": ISSUER})

    assert pressed.headers["Location"] == arrived
    assert len(links.asked) == 1


def test_every_new_password_form_has_a_username() -> None:
    folders = template_folders("portico_login_ui")
    pages = {page.name: page.read_text() for folder in folders for page in folder.glob("*.html")}
    new = {name for name, page in pages.items() if 'autocomplete="new-password"' in page}
    named = {name for name in new if re.search('autocomplete="username"|"_username.html"', pages[name])}

    assert new == named
    assert len(new) == 5
