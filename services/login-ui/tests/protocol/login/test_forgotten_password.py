from __future__ import annotations

import httpx
import pytest
from portico_contracts.step_names import StepName
from portico_contracts.users import RequestPasswordCode, UsePasswordCode
from portico_fakes.fake_link_api import FakeLinkApi
from portico_fakes.fake_login_api import BROWSER, REQUEST, FakeLoginApi
from portico_fakes.login_messages import step_of
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
    form = Document((await reader.get(address)).text).form_with(button)
    assert form is not None, f"no {button} on the page"
    return await reader.post(form.action, data=form.filled(button, typed), headers={"Origin": ISSUER})


async def test_code_is_emailed_without_revealing_the_address(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """The email is in the language of the page and counted for the client, and the page links back to the
    sign-in (LG-01).
    """
    reader.headers["X-Forwarded-For"] = "6.6.6.6, 203.0.113.7"
    pressed = await press(reader, f"{FORGOT}?request={REQUEST}", "forgot-password-submit", loginname=" kim ")
    shown = Document((await reader.get(pressed.headers["Location"])).text)

    assert pressed.headers["Location"] == f"{FORGOT}?request={REQUEST}&sent=c-1&loginName=kim"
    assert links.asked == [
        RequestPasswordCode(login_name="kim", languages=("en",), sender="203.0.113.7", request_id=REQUEST)
    ]
    assert {"password-link-sent-page", "password-code", "new-password"} <= shown.ids
    assert shown.links["login-back"] == f"/ui/login?request={REQUEST}"
    assert shown.links["password-forgot"] == f"{FORGOT}?request={REQUEST}"


async def test_missing_challenge_shows_a_page_without_a_field(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """During an upgrade an older authz sends no challenge, and the link in the email still works."""
    links.challenge = ""
    pressed = await press(reader, FORGOT, "forgot-password-submit", loginname="kim")
    shown = await reader.get(pressed.headers["Location"])

    assert "password-link-sent-page" in Document(shown.text).ids
    assert "password-code" not in Document(shown.text).ids


@pytest.mark.parametrize("request_id", ["", REQUEST])
async def test_code_sets_the_password(reader: httpx.AsyncClient, links: FakeLinkApi, request_id: str) -> None:
    """A button continues to the sign-in or to the page of the issuer."""
    sign_in = f"&request={request_id}" if request_id else ""
    pressed = await press(reader, f"{CODE}{sign_in}", "set-password-submit", **TYPED)
    shown = await reader.get(pressed.headers["Location"])
    links_on = Document(shown.text).links

    assert pressed.status_code == 303
    assert links.asked == [
        UsePasswordCode(challenge="c-1", code="K7Q2ZX", new_password=" nine small sparrows ", request_id=request_id)
    ]
    assert "password-set-page" in Document(shown.text).ids
    assert links_on == ({"login-back": f"/ui/login?request={REQUEST}"} if request_id else {"page-start": "/"})


async def test_sign_in_that_waited_continues(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """The binding of the request comes back with the code, and a page leads on: a redirect would be a form's."""
    links.binding, links.continue_to = "b-1", "/oauth/v2/authorize/resume?request=r&proof=p"
    reader.headers["Cookie"] = f"{COOKIE.name}={BROWSER}"
    asked = await press(reader, f"{FORGOT}?request={REQUEST}", "forgot-password-submit", loginname="kim")
    pressed = await press(reader, asked.headers["Location"], "set-password-submit", **TYPED)

    assert (links.asked[-1].binding, links.asked[-1].browser, links.asked[-1].request_id) == ("b-1", BROWSER, REQUEST)
    assert (pressed.status_code, Document(pressed.text).links["return"]) == (200, links.continue_to)


@pytest.mark.parametrize("address", ["//evil.example/", "https://evil.example/", "javascript:alert(1)"])
async def test_sign_in_continues_on_this_origin_only(
    reader: httpx.AsyncClient, links: FakeLinkApi, address: str
) -> None:
    links.continue_to = address
    pressed = await press(reader, f"{CODE}&request={REQUEST}", "set-password-submit", **TYPED)

    assert "LOGIN-107" in pressed.text
    assert address not in pressed.text


@pytest.mark.parametrize(
    ("error", "field", "words"),
    [(WRONG, "password-code", "The code is wrong or has expired."), (NO_DIGIT, "new-password", "has no digit")],
)
async def test_error_is_shown_at_its_field(
    reader: httpx.AsyncClient, links: FakeLinkApi, error: ServiceError, field: str, words: str
) -> None:
    """The status is 200, the field is marked and focused, and no input is returned."""
    links.error = error
    pressed = await press(reader, CODE, "set-password-submit", **TYPED)
    marked = pressed.text[pressed.text.index(f'id="{field}"') :].partition(">")[0]

    assert pressed.status_code == 200
    assert words in pressed.text
    assert "autofocus" in marked
    assert 'aria-describedby="login-problem" aria-invalid="true"' in marked
    assert "sparrows" not in pressed.text
    assert Document(pressed.text).form_with("set-password-submit") is not None


async def test_incomplete_form_makes_no_request(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """A code without a password counts as no attempt."""
    pressed = await press(reader, CODE, "set-password-submit", **{"password-code": "K7Q2ZX"})

    assert (pressed.status_code, pressed.headers["Location"]) == (303, CODE)
    assert links.asked == []


@pytest.mark.parametrize("address", [f"{FORGOT}?sent={'x' * 201}", f"{FORGOT}?done=1"])
async def test_invalid_challenge_shows_a_page_without_a_field(reader: httpx.AsyncClient, address: str) -> None:
    """A missing or overlong challenge gets an explanation and a way to request another code."""
    shown = Document((await reader.get(address)).text)

    assert "password-code" not in shown.ids
    assert shown.links["password-forgot"] == FORGOT


async def test_repeated_challenge_is_refused(reader: httpx.AsyncClient) -> None:
    assert (await reader.get(f"{CODE}&sent=c-2")).status_code == 400
    assert (await reader.get(f"{CODE}&by=b-1&by=b-2")).status_code == 400


async def test_login_name_is_prefilled_from_the_sign_in(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """The URL of the page contains no login name."""
    links.step = step_of(StepName.PASSWORD, login_name="kim@example.com")
    reader.headers["Cookie"] = f"{COOKIE.name}={BROWSER}"
    form = Document((await reader.get(f"{FORGOT}?request={REQUEST}")).text).form_with("loginname")

    assert form is not None
    assert form.filled("forgot-password-submit", {})["login_name"] == "kim@example.com"


@pytest.mark.parametrize("cookie", ["", f"{COOKIE.name}=7fOfSomebodyElse0000000000000000"])
async def test_login_name_is_shown_to_its_browser_only(
    reader: httpx.AsyncClient, links: FakeLinkApi, cookie: str
) -> None:
    """The URL alone shows no login name (LG-11)."""
    links.step = step_of(StepName.PASSWORD, login_name="kim@example.com")
    reader.headers["Cookie"] = cookie
    answer = await reader.get(f"{FORGOT}?request={REQUEST}")

    assert answer.status_code == 200
    assert "kim@" not in answer.text


async def test_renewed_handle_reaches_the_browser(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """A request for a sign-in may end it, and its cookie must be relayed."""
    links.step = step_of(StepName.DONE, continue_to="/x", set_cookie=COOKIE.set("7fNew"))
    reader.headers["Cookie"] = f"{COOKIE.name}={BROWSER}"
    answer = await reader.get(f"{FORGOT}?request={REQUEST}")

    assert answer.headers["Set-Cookie"] == links.step.set_cookie


async def test_delay_is_shown(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """The delay is shown whether or not the account exists, and the name stays in its field."""
    links.error = ServiceError(Kind.TOO_MANY_REQUESTS, "USER-062", "Too many mails.", retry_after=120)
    pressed = await press(reader, FORGOT, "forgot-password-submit", loginname="kim")

    assert "Please wait 2 minutes" in pressed.text
    assert 'value="kim"' in pressed.text


async def test_unavailable_store_is_503(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """While the code cannot be verified the response is 503 instead of a wrong-code error."""
    links.error = BUSY

    assert (await press(reader, CODE, "set-password-submit", **TYPED)).status_code == 503


async def test_form_of_another_site_sets_no_password(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """A form that another site submits sets no password (LG-14)."""
    body = {"code": "K7Q2ZX", "new_password": "nine small sparrows"}
    answer = await reader.post(CODE, data=body, headers={"Origin": "https://evil.example"})

    assert answer.status_code == 403
    assert links.asked == []


@pytest.mark.parametrize("may_reset", [True, False])
async def test_password_page_links_to_the_reset_where_offered(
    browser: httpx.AsyncClient, api: FakeLoginApi, may_reset: bool
) -> None:
    """The reset pages return to the same sign-in."""
    api.step = step_of(StepName.PASSWORD, login_name="kim", may_reset=may_reset)
    shown = Document((await browser.get(f"/ui/login?request={REQUEST}")).text)

    assert shown.links.get("password-forgot", "") == (f"{FORGOT}?request={REQUEST}" if may_reset else "")
