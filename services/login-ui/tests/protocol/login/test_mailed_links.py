from __future__ import annotations

from itertools import product

import httpx
import pytest
from portico_contracts.users import UseLink, VerifyEmailLink
from portico_fakes.fake_link_api import FakeLinkApi
from portico_harness.html_forms import Document
from portico_harness.rows import row
from portico_oauth.errors import Kind, ServiceError
from portico_web.cookies import BrowserCookie

ISSUER = "https://id.example"
VERIFY = "/ui/login/mail/verification?userID=kim&code=K7Q2ZX&orgID=acme"
INIT = "/ui/login/password/init?userID=kim&code=K7Q2ZX&orgID=acme"
INVITED = f"{INIT}&invitation=1"
FORGOT = "/ui/login/password/forgot"
COOKIE = BrowserCookie(ISSUER)
WRONG = ServiceError(Kind.INVALID_REQUEST, "USER-402", "The code is wrong or no longer valid.")
COMMON = ServiceError(Kind.INVALID_REQUEST, "USER-035", "This password is too common.")
BREACHED = ServiceError(Kind.INVALID_REQUEST, "USER-140", "This password is known from a data breach.")
NO_DIGIT = ServiceError(Kind.INVALID_REQUEST, "USER-616", "This password has no digit.")
BUSY = ServiceError(Kind.UNAVAILABLE, "USER-999", "The store cannot be asked.", retry_after=1)


async def press(reader: httpx.AsyncClient, address: str, button: str, **typed: str) -> httpx.Response:
    form = Document((await reader.get(address)).text).form_with(button)
    assert form is not None, f"no {button} on the page"
    return await reader.post(form.action, data=form.filled(button, typed), headers={"Origin": ISSUER})


async def test_get_of_a_link_does_nothing(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """Email scanners follow links, so a GET redeems no code and makes no request to authz."""
    for address, verb in product((VERIFY, INIT, FORGOT), ("GET", "HEAD")):
        with row(address, verb):
            answer = await reader.request(verb, address)

            assert answer.status_code == 200
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers["Referrer-Policy"] == "same-origin"
            assert "set-cookie" not in answer.headers
            assert links.asked == []


async def test_button_verifies_the_address(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """The browser is redirected to a page without the code in its URL (AZ-16)."""
    pressed = await press(reader, VERIFY, "confirm-mail-submit")
    shown = await reader.get(pressed.headers["Location"])

    assert pressed.status_code == 303
    assert "K7Q2ZX" not in pressed.headers["Location"]
    assert links.asked == [VerifyEmailLink(user_id="kim", code="K7Q2ZX")]
    assert "mail-verified-page" in Document(shown.text).ids
    assert "password-forgot" not in Document(shown.text).links


async def test_user_without_a_password_sets_one_next(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    links.has_password = False
    pressed = await press(reader, VERIFY, "confirm-mail-submit")
    shown = Document((await reader.get(pressed.headers["Location"])).text)

    assert shown.links["password-forgot"] == FORGOT


async def test_page_lists_the_password_rules_of_the_links_organization(
    reader: httpx.AsyncClient, links: FakeLinkApi
) -> None:
    """The rules are shown with an error too, and neither code nor user is looked up for them (LG-01)."""
    links.error = NO_DIGIT
    first = await reader.get(INIT)
    again = await press(reader, INIT, "set-password-submit", **{"new-password": "nine small sparrows"})
    form = Document(again.text).form_with("set-password-submit")

    for page in (first, again):
        assert page.text.index("at least 12 characters") < page.text.index("a digit</li>")
    assert "has no digit" in again.text
    assert 'aria-describedby="login-problem password-rules"' in again.text
    assert form is not None
    assert form.action == INIT
    assert set(links.requested_policies) == {"acme"}


@pytest.mark.parametrize("error", [BUSY, ServiceError(Kind.NOT_FOUND, "USER-060", "Organization not found.")])
@pytest.mark.parametrize("address", [INIT, INIT.removesuffix("&orgID=acme"), f"{INIT}{'x' * 200}"])
async def test_unknown_organization_lists_no_password_rules(
    reader: httpx.AsyncClient, links: FakeLinkApi, address: str, error: ServiceError
) -> None:
    links.no_rules = error
    shown = await reader.get(address)
    pressed = await press(reader, address, "set-password-submit", **{"new-password": "nine small sparrows"})

    assert shown.status_code == 200
    assert "password-rules" not in shown.text
    assert pressed.status_code == 303


@pytest.mark.parametrize("repeated", ["&orgID=other", "&orgID=acme"])
async def test_link_with_two_organizations_is_refused(reader: httpx.AsyncClient, repeated: str) -> None:
    assert (await reader.get(f"{INIT}{repeated}")).status_code == 400


async def test_password_is_sent_unchanged(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    pressed = await press(reader, INIT, "set-password-submit", **{"new-password": " nine small sparrows "})
    shown = await reader.get(pressed.headers["Location"])

    assert links.asked == [UseLink(user_id="kim", code="K7Q2ZX", new_password=" nine small sparrows ", browser="")]
    assert "password-set-page" in Document(shown.text).ids


async def test_browser_gets_the_session_of_a_link(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """The handle of before goes to authz, and the new one comes with the redirect, in no address and no page."""
    links.set_cookie = COOKIE.set("handle-after")
    reader.headers.update({"Cookie": f"{COOKIE.name}=handle-before", "User-Agent": "X11; Linux Firefox/140"})
    pressed = await press(reader, INVITED, "set-password-submit", **{"new-password": "nine small sparrows"})
    shown = await reader.get(pressed.headers["Location"])

    assert (links.asked[0].browser, links.asked[0].device) == ("handle-before", "Firefox, Linux")
    assert pressed.headers["set-cookie"] == links.set_cookie
    assert "handle" not in pressed.headers["Location"]
    assert Document(shown.text).links["own-account"] == "/ui/account"


@pytest.mark.parametrize(
    ("address", "button", "typed"),
    [(VERIFY, "confirm-mail-submit", {}), (INIT, "set-password-submit", {"new-password": "nine small sparrows"})],
)
async def test_used_link_is_reported(
    reader: httpx.AsyncClient, links: FakeLinkApi, address: str, button: str, typed: dict[str, str]
) -> None:
    """The page is shown again with 200 and an alert."""
    links.error = WRONG
    pressed = await press(reader, address, button, **typed)

    assert pressed.status_code == 200
    assert 'id="login-problem" role="alert"' in pressed.text
    assert "This link was already used" in pressed.text
    assert "nine small sparrows" not in pressed.text


@pytest.mark.parametrize("error", [COMMON, NO_DIGIT, BREACHED])
async def test_refused_password_can_be_chosen_again(
    reader: httpx.AsyncClient, links: FakeLinkApi, error: ServiceError
) -> None:
    links.error = error
    pressed = await press(reader, INIT, "set-password-submit", **{"new-password": "password1"})
    form = Document(pressed.text).form_with("set-password-submit")

    assert 'aria-invalid="true"' in pressed.text
    assert form is not None
    assert "code=K7Q2ZX" in form.action


INCOMPLETE: list[str] = [
    "/ui/login/mail/verification",
    "/ui/login/mail/verification?userID=kim",
    "/ui/login/password/init?code=K7Q2ZX",
    f"/ui/login/password/init?userID={'x' * 201}&code=K7Q2ZX",
    f"/ui/login/password/init?userID=kim&code={'x' * 41}",
    "/ui/login/password/init?userID=kim&userID=eve&code=K7Q2ZX",
]


async def test_incomplete_link_is_an_error_page(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """A link without user or code is refused with 400 before authz is called (LG-15)."""
    for address in INCOMPLETE:
        with row(address):
            answer = await reader.get(address)

            assert answer.status_code == 400
            assert "error-page" in Document(answer.text).ids
            assert links.asked == []


@pytest.mark.parametrize("address", [VERIFY, INIT, FORGOT])
async def test_form_of_another_site_is_refused(reader: httpx.AsyncClient, links: FakeLinkApi, address: str) -> None:
    """A form that another site submits verifies no address (LG-14)."""
    body = {"new_password": "nine small sparrows", "login_name": "kim"}
    answer = await reader.post(address, data=body, headers={"Origin": "https://evil.example"})

    assert answer.status_code == 403
    assert links.asked == []


async def test_unavailable_store_is_503_and_keeps_the_code(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    links.error = BUSY
    pressed = await press(reader, VERIFY, "confirm-mail-submit")

    assert pressed.status_code == 503


@pytest.mark.parametrize("language", ["de", "ar"])
async def test_pages_are_in_the_readers_language(reader: httpx.AsyncClient, language: str) -> None:
    for address in (VERIFY, INIT, FORGOT):
        shown = await reader.get(address, headers={"Accept-Language": language})

        assert f'lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}"' in shown.text
