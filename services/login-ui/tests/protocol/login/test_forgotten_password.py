"""The pages of a forgotten password: who it is, then the emailed code with a new password."""

from __future__ import annotations

import httpx
import pytest
from portico_contracts.login import Step, StepName
from portico_contracts.users import SendPasswordLink, SetPasswordByCode
from portico_fakes.fake_link_api import FakeLinkApi
from portico_fakes.fake_login_api import BROWSER, REQUEST, FakeLoginApi
from portico_harness.html_forms import Document
from portico_oauth.errors import Kind, ServiceError
from portico_web.cookies import BrowserCookie

ISSUER = "https://id.example"
FORGOT = "/ui/login/password/forgot"
CODE = f"{FORGOT}?sent=c-1"
COOKIE = BrowserCookie(ISSUER)
TYPED = {"password-code": " k7q2 zx ", "new-password": " nine small sparrows "}
WRONG = ServiceError(Kind.INVALID_REQUEST, "USER-402", "The code is wrong or no longer valid.")
NO_DIGIT = ServiceError(Kind.INVALID_REQUEST, "USER-616", "This password has no digit.")
BUSY = ServiceError(Kind.UNAVAILABLE, "USER-999", "The store cannot be asked.", retry_after=1)


async def press(reader: httpx.AsyncClient, address: str, button: str, **typed: str) -> httpx.Response:
    """Opens a page and presses a button on it."""
    form = Document((await reader.get(address)).text).form_with(button)
    assert form is not None, f"no {button} on the page"
    return await reader.post(form.action, data=form.filled(button, typed), headers={"Origin": ISSUER})


async def test_a_code_is_emailed_without_naming_the_address(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """In the language of the page, counted for the client; on the way to a sign-in one can go back to it (LG-01)."""
    reader.headers["X-Forwarded-For"] = "6.6.6.6, 203.0.113.7"
    pressed = await press(reader, f"{FORGOT}?request={REQUEST}", "forgot-password-submit", loginname=" kim ")
    shown = Document((await reader.get(pressed.headers["Location"])).text)

    assert pressed.headers["Location"] == f"{FORGOT}?request={REQUEST}&sent=c-1&loginName=kim"
    assert links.asked == [SendPasswordLink(login_name="kim", languages=("en",), sender="203.0.113.7")]
    assert {"password-link-sent-page", "password-code", "new-password"} <= shown.ids
    assert shown.links["login-back"] == f"/ui/login?request={REQUEST}"
    assert shown.links["password-forgot"] == f"{FORGOT}?request={REQUEST}"


async def test_an_authz_that_names_no_challenge_gets_the_page_without_a_field(
    reader: httpx.AsyncClient, links: FakeLinkApi
) -> None:
    """While a release rolls out, the link in the email still leads on."""
    links.challenge = ""
    pressed = await press(reader, FORGOT, "forgot-password-submit", loginname="kim")
    shown = await reader.get(pressed.headers["Location"])

    assert "password-link-sent-page" in Document(shown.text).ids
    assert "password-code" not in Document(shown.text).ids


@pytest.mark.parametrize("request_id", ["", REQUEST])
async def test_the_code_sets_the_password_and_leads_on(
    reader: httpx.AsyncClient, links: FakeLinkApi, request_id: str
) -> None:
    """Without opening the link of the email; then to the sign-in, or to the page of the issuer, by a button."""
    sign_in = f"&request={request_id}" if request_id else ""
    pressed = await press(reader, f"{CODE}{sign_in}", "set-password-submit", **TYPED)
    shown = await reader.get(pressed.headers["Location"])
    links_on = Document(shown.text).links

    assert pressed.status_code == 303
    assert links.asked == [SetPasswordByCode(challenge="c-1", code="K7Q2ZX", new_password=" nine small sparrows ")]
    assert "password-set-page" in Document(shown.text).ids
    assert links_on == ({"login-back": f"/ui/login?request={REQUEST}"} if request_id else {"page-start": "/"})


@pytest.mark.parametrize(
    ("error", "field", "words"),
    [(WRONG, "password-code", "The code is wrong or has expired."), (NO_DIGIT, "new-password", "has no digit")],
)
async def test_an_error_is_shown_at_its_field(
    reader: httpx.AsyncClient, links: FakeLinkApi, error: ServiceError, field: str, words: str
) -> None:
    """The page again with 200; the field is marked, has the focus, and nothing that was typed comes back."""
    links.error = error
    pressed = await press(reader, CODE, "set-password-submit", **TYPED)
    marked = pressed.text[pressed.text.index(f'id="{field}"') :].partition(">")[0]

    assert pressed.status_code == 200
    assert words in pressed.text
    assert "autofocus" in marked
    assert 'aria-describedby="login-problem" aria-invalid="true"' in marked
    assert "sparrows" not in pressed.text
    assert Document(pressed.text).form_with("set-password-submit") is not None


async def test_half_an_answer_makes_no_request(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """A code without a password counts as no guess."""
    pressed = await press(reader, CODE, "set-password-submit", **{"password-code": "K7Q2ZX"})

    assert (pressed.status_code, pressed.headers["Location"]) == (303, CODE)
    assert links.asked == []


@pytest.mark.parametrize("address", [f"{FORGOT}?sent={'x' * 201}", f"{FORGOT}?done=1"])
async def test_what_names_no_code_is_a_page_without_a_field(reader: httpx.AsyncClient, address: str) -> None:
    """A challenge that is too long, or none: the page explains where to look, and how to get another code."""
    shown = Document((await reader.get(address)).text)

    assert "password-code" not in shown.ids
    assert shown.links["password-forgot"] == FORGOT


async def test_two_challenges_are_none(reader: httpx.AsyncClient) -> None:
    """A repeated parameter is refused on a page, with 400."""
    assert (await reader.get(f"{CODE}&sent=c-2")).status_code == 400


async def test_the_login_name_comes_along(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """Who typed a name at the sign-in does not type it again; the address of the page itself has no name in it."""
    links.step = Step(name=StepName.PASSWORD, login_name="kim@example.com")
    reader.headers["Cookie"] = f"{COOKIE.name}={BROWSER}"
    form = Document((await reader.get(f"{FORGOT}?request={REQUEST}")).text).form_with("loginname")

    assert form is not None
    assert form.filled("forgot-password-submit", {})["login_name"] == "kim@example.com"


@pytest.mark.parametrize("cookie", ["", f"{COOKIE.name}=7fOfSomebodyElse0000000000000000"])
async def test_the_login_name_is_shown_to_its_browser_only(
    reader: httpx.AsyncClient, links: FakeLinkApi, cookie: str
) -> None:
    """The address of the page alone shows no login name (LG-11)."""
    links.step = Step(name=StepName.PASSWORD, login_name="kim@example.com")
    reader.headers["Cookie"] = cookie
    answer = await reader.get(f"{FORGOT}?request={REQUEST}")

    assert answer.status_code == 200
    assert "kim@" not in answer.text


async def test_a_handle_that_authz_renews_reaches_the_browser(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """Asking about a sign-in may end it: the cookie must not be lost."""
    links.step = Step(name=StepName.DONE, continue_to="/x", set_cookie=COOKIE.set("7fNew"))
    reader.headers["Cookie"] = f"{COOKIE.name}={BROWSER}"
    answer = await reader.get(f"{FORGOT}?request={REQUEST}")

    assert answer.headers["Set-Cookie"] == links.step.set_cookie


async def test_the_time_to_wait_is_shown(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """How long, whether or not there is such an account; the name stays in its field."""
    links.error = ServiceError(Kind.TOO_MANY_REQUESTS, "USER-062", "Too many mails.", retry_after=120)
    pressed = await press(reader, FORGOT, "forgot-password-submit", loginname="kim")

    assert "Please wait 2 minutes" in pressed.text
    assert 'value="kim"' in pressed.text


async def test_a_store_that_cannot_be_asked_is_503(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """While the code cannot be verified the answer is 503, not that it is wrong."""
    links.error = BUSY

    assert (await press(reader, CODE, "set-password-submit", **TYPED)).status_code == 503


async def test_another_sites_form_sets_nothing(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """A form that another site submits sets no password (LG-14)."""
    body = {"code": "K7Q2ZX", "new_password": "nine small sparrows"}
    answer = await reader.post(CODE, data=body, headers={"Origin": "https://evil.example"})

    assert answer.status_code == 403
    assert links.asked == []


@pytest.mark.parametrize("may_reset", [True, False])
async def test_the_password_page_leads_there_where_emails_are_sent(
    browser: httpx.AsyncClient, api: FakeLoginApi, may_reset: bool
) -> None:
    """And comes back to the same sign-in."""
    api.step = Step(name=StepName.PASSWORD, login_name="kim", may_reset=may_reset)
    shown = Document((await browser.get(f"/ui/login?request={REQUEST}")).text)

    assert shown.links.get("password-forgot", "") == (f"{FORGOT}?request={REQUEST}" if may_reset else "")
