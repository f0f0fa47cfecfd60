from __future__ import annotations

import httpx
import pytest
from portico_contracts.login import Account, Problem
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, RIGHT, FakeLoginApi
from portico_fakes.login_messages import moved
from portico_harness.html_forms import Document
from portico_harness.rows import row
from portico_login_ui.steps import METHODS
from portico_oauth.errors import Kind, ServiceError
from portico_web.cookies import BrowserCookie

ISSUER = "https://id.example"
PAGE = f"/ui/login?request={REQUEST}"
COOKIE = BrowserCookie(ISSUER)

REQUESTS = [
    ("GET", PAGE, 200),
    ("GET", "/ui/login/logged-out", 200),
    ("GET", "/", 200),
    ("POST", "/", 405),
    ("GET", "/ui/login", 400),
    ("GET", "/ui/login?request=00OfSomebodyElse00000000000000000", 404),
    ("POST", PAGE, 415),
    ("GET", "/ui/login/logout", 400),
    ("POST", f"/ui/login/logout?request={REQUEST}", 415),
    ("GET", "/ui/login/", 404),
    ("GET", "/ui/login/no-such-page", 404),
    ("GET", "/ui/login/static/other.css", 404),
    ("GET", "/ui/login/static/..%2f..%2fapp.py", 404),
    ("POST", "/ui/login/logged-out", 405),
    ("DELETE", PAGE, 405),
]

PAYLOADS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus=alert(1) x='",
    "</title><svg onload=alert(1)>",
    "{{ step }}{% raw %}",
    "javascript:alert(1)",
    "<!-- --><bdi>",
    "&lt;b&gt;",
    'a@<b>@"c',
    "\u202egnirts",
    "%(name)s %d %",
]


async def test_every_page_has_the_security_headers(browser: httpx.AsyncClient) -> None:
    """The headers forbid scripts, sniffing, framing and caching, and limit the referrer to the same origin
    (AZ-08, AZ-17).
    """
    for method, path, status in REQUESTS:
        with row(method, path, status):
            answer = await browser.request(method, path)
            policy = dict(
                part.strip().partition(" ")[::2] for part in answer.headers["content-security-policy"].split(";")
            )

            assert answer.status_code == status
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert policy["default-src"] == "'none'"
            assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
            assert "script-src" not in policy
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["x-frame-options"] == "DENY"
            assert answer.headers["referrer-policy"] == "same-origin"
            assert answer.headers["x-request-id"]


async def test_pages_load_only_our_stylesheet(browser: httpx.AsyncClient) -> None:
    """No page loads a script or a foreign resource (AZ-17)."""
    for method, path, status in REQUESTS:
        with row(method, path, status):
            answer = await browser.request(method, path)

            assert answer.status_code == status
            assert "<script" not in answer.text
            assert "http://" not in answer.text.replace("http://www.w3.org/2000/svg", "")
            assert "https://" not in answer.text


async def test_no_response_redirects_by_307(browser: httpx.AsyncClient) -> None:
    """A URL with an extra slash is not redirected with 307 either (AZ-16)."""
    assert (await browser.post("/ui/login/", data={"password": "x"})).status_code == 404


async def test_wrong_method_lists_the_allowed_ones(browser: httpx.AsyncClient) -> None:
    """A 405 carries Allow (RFC 9110 §15.5.6)."""
    allowed = (await browser.delete(PAGE)).headers["allow"]

    assert {word.strip() for word in allowed.split(",")} == {"GET", "HEAD", "POST"}


async def test_redirect_after_a_form_is_a_page(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Browsers would apply form-action to the application's own redirects."""
    api.step = moved(api.step, StepName.PASSWORD, return_uri="https://app.example/callback")
    shown = await browser.get(PAGE)
    form = Document(shown.text).form_with("password-submit")
    assert form is not None
    leading = await browser.post(form.action, data=form.filled("password-submit", {"password": RIGHT}))
    document = Document(leading.text)

    assert "form-action 'self';" in shown.headers["content-security-policy"]
    assert leading.status_code == 200
    assert (document.refresh, document.return_address) == (f"0;url={api.continue_to}", api.continue_to)


@pytest.mark.parametrize("path", [PAGE, "/ui/login/logged-out", "/ui/login/forgot-password", "/ui/login"])
async def test_pages_send_no_cross_origin_opener_policy(browser: httpx.AsyncClient, path: str) -> None:
    """A popup that signs in or out can message its opener."""
    assert "cross-origin-opener-policy" not in (await browser.get(path)).headers


@pytest.mark.parametrize("name", list(METHODS))
async def test_reflected_text_is_escaped(browser: httpx.AsyncClient, api: FakeLoginApi, name: StepName) -> None:
    """Login name, client name and token are escaped on every page (AZ-07, AZ-08)."""
    calm = await _page_with(browser, api, "calm", name)
    hostile = {payload: await _page_with(browser, api, payload, name) for payload in PAYLOADS}

    assert [payload for payload, page in hostile.items() if not _is_text(payload, page, calm)] == []


def _is_text(payload: str, page: str, calm: str) -> bool:
    """Reports whether the page has the tags and attributes of the harmless one, and not the raw payload."""
    same_tags = _tags(page) - page.count("<wbr>") == _tags(calm) - calm.count("<wbr>")
    is_escaped = not set(payload) & set("<>\"'&") or payload not in page
    return same_tags and page.count('"') == calm.count('"') and is_escaped


async def test_error_text_is_escaped(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The message of an error from authz is escaped (AZ-08)."""
    for payload in PAYLOADS:
        with row(payload):
            api.error = ServiceError(Kind.INVALID_REQUEST, "FAKE-1", "calm")
            calm = (await browser.get(PAGE)).text
            api.error = ServiceError(Kind.INVALID_REQUEST, payload, payload)
            hostile = (await browser.get(PAGE)).text

            assert _tags(hostile) == _tags(calm)
            assert hostile.count('"') == calm.count('"')


async def test_hostile_parameters_are_not_reflected(browser: httpx.AsyncClient) -> None:
    """An error page shows nothing of the refused URL (AZ-08)."""
    for payload in PAYLOADS:
        with row(payload):
            answer = await browser.get("/ui/login", params={"request": payload, "error": payload, "next": payload})

            assert answer.status_code == 400
            assert payload not in answer.text


async def _page_with(browser: httpx.AsyncClient, api: FakeLoginApi, text: str, name: StepName) -> str:
    accounts = (Account(id=text, login_name=text, display_name=text), Account(id=text, login_name=text))
    shown = {"client_name": text, "login_name": text, "mail": text, "accounts": accounts, "may_register": True}
    api.step = moved(api.step, name, problem=Problem.WRONG_CREDENTIALS, **shown)
    api.csrf_suffix = text
    return (await browser.get(PAGE)).text


def _tags(text: str) -> int:
    return text.count("<")
