from __future__ import annotations

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import moved
from portico_harness.html_forms import Document
from portico_harness.rows import row
from portico_web.cookies import BrowserCookie

ISSUER = "https://id.example"
PAGE = f"/ui/login?request={REQUEST}"
COOKIE = BrowserCookie(ISSUER)
SCHEMA_VERSION = {"csrf": "csrf-0", "step": "login_name", "login_name": "ada"}


async def test_own_form_is_accepted(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    own = {"Origin": ISSUER, "Sec-Fetch-Site": "same-origin"}

    assert (await browser.post(PAGE, data=SCHEMA_VERSION, headers=own)).status_code == 200
    assert len(api.answers) == 1


async def test_own_form_without_a_referrer_is_accepted(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """A browser that hides the referrer sends a null Origin; its Fetch metadata decide (LG-14)."""
    hidden = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}

    assert (await browser.post(PAGE, data=SCHEMA_VERSION, headers=hidden)).status_code == 200
    assert len(api.answers) == 1


FOREIGN: list[dict[str, str]] = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://id.example"},
    {"Origin": "https://id.example:8443"},
    {"Origin": "https://id.example.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
    {"Origin": ISSUER, "Sec-Fetch-Site": "cross-site"},
]


async def test_foreign_form_is_refused(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """A form of another site is refused with 403 before authz is called (LG-14)."""
    for headers in FOREIGN:
        with row(headers):
            answer = await browser.post(PAGE, data=SCHEMA_VERSION, headers=headers)

            assert answer.status_code == 403
            assert api.asked == []


@pytest.mark.parametrize("csrf", ["", "x" * 513])
async def test_form_without_its_token_is_refused(browser: httpx.AsyncClient, api: FakeLoginApi, csrf: str) -> None:
    """The response is 403 before authz is called (LG-14)."""
    answer = await browser.post(PAGE, data={**SCHEMA_VERSION, "csrf": csrf})

    assert answer.status_code == 403
    assert api.asked == []


async def test_used_form_token_is_403_with_a_link(browser: httpx.AsyncClient) -> None:
    """A double-click is refused without ending the sign-in (LG-14)."""
    await browser.post(PAGE, data=SCHEMA_VERSION)
    second = await browser.post(PAGE, data=SCHEMA_VERSION)

    assert second.status_code == 403
    assert Document(second.text).links["error-retry"] == PAGE


@pytest.mark.parametrize(("field", "step"), [("login_name", StepName.LOGIN_NAME), ("password", StepName.PASSWORD)])
async def test_overlong_input_is_refused_before_the_request(
    browser: httpx.AsyncClient, api: FakeLoginApi, field: str, step: StepName
) -> None:
    """201 code points are refused, and 200 are sent to authz, even if each has four bytes (LG-15)."""
    api.step = moved(api.step, step)
    over = await browser.post(PAGE, data={"csrf": "csrf-0", "step": step.value, field: "𝕒" * 201})
    assert (over.status_code, api.asked) == (400, [])
    await browser.post(PAGE, data={"csrf": "csrf-0", "step": step.value, field: "𝕒" * 200})

    assert len(api.answers) == 1


MALFORMED: list[str] = [
    "csrf=csrf-0&step=login_name&login_name=a&login_name=b",
    "csrf=csrf-0&csrf=csrf-0&step=login_name&login_name=a",
    f"csrf=csrf-0&step=login_name&login_name=a&request={REQUEST}",
    "csrf=csrf-0&step=done&login_name=a",
    "csrf=csrf-0&step=pass_key&login_name=a",
    "csrf=csrf-0&login_name=a",
    "csrf=csrf-0&step=login_name&login_name=%ff",
    "csrf=csrf-0&step=login_name&login_name=a%00b",
]


async def test_malformed_form_is_refused(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Repeated fields, unknown steps and undecodable text are 400 without a request."""
    for body in MALFORMED:
        with row(body):
            answer = await browser.post(
                PAGE, content=body, headers={"Content-Type": "application/x-www-form-urlencoded"}
            )

            assert answer.status_code == 400
            assert api.asked == []


async def test_json_is_not_a_form(browser: httpx.AsyncClient) -> None:
    answer = await browser.post(PAGE, json=SCHEMA_VERSION)

    assert answer.status_code == 415
    assert "error-page" in Document(answer.text).ids


ELSEWHERE: list[str] = [
    "",
    "oauth/v2/authorize",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/%09/evil.example",
    "/%5cevil.example",
    "/%2f/evil.example",
    "\x01//evil.example",
    " //evil.example",
    "/ /evil.example",
    "https:evil.example",
    "https:/evil.example",
    "https://evil.example",
    "HTTPS://evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "/.//evil.example",
    "/..//evil.example",
    "/;//evil.example",
    "/@evil.example",
    "/:80/evil.example",
    "/oauth\r\nSet-Cookie: a=b",
    "/oauth\n",
    "/oauth/ü",
]


async def test_continuation_on_another_origin_is_refused(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Whatever address authz returns, the browser stays on this origin (AZ-10)."""
    for continue_to in ELSEWHERE:
        with row(continue_to):
            api.step = moved(api.step, StepName.DONE, continue_to=continue_to)
            answer = await browser.get(PAGE)

            assert answer.status_code == 500
            assert "location" not in answer.headers
            assert (Document(answer.text).return_address, Document(answer.text).refresh) == ("", "")


@pytest.mark.parametrize(
    "query", [f"{PAGE}&next=//evil.example&return_to=https://evil.example&continue_to=//evil.example"]
)
async def test_no_parameter_decides_the_redirect(browser: httpx.AsyncClient, api: FakeLoginApi, query: str) -> None:
    """The continuation comes from authz alone (AZ-10)."""
    api.step = moved(api.step, StepName.DONE, continue_to=api.continue_to)

    assert Document((await browser.get(query)).text).return_address == api.continue_to


@pytest.mark.parametrize(
    "set_cookie", ["other=1; Path=/", f"{COOKIE.name}=a\r\nX-Evil: 1", f"{COOKIE.name}=a\n", f"x{COOKIE.name}=a"]
)
async def test_only_the_browsers_handle_is_set(browser: httpx.AsyncClient, api: FakeLoginApi, set_cookie: str) -> None:
    """No other cookie and no second header line is relayed (LG-13, AZ-07)."""
    api.step = moved(api.step, StepName.DONE, continue_to=api.continue_to, set_cookie=set_cookie)
    answer = await browser.get(PAGE)

    assert answer.status_code == 500
    assert "set-cookie" not in answer.headers


async def test_cookie_of_every_step_is_relayed(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Authz may change the handle at any step (LG-11, LG-13)."""
    fresh = COOKIE.set("7fAnotherHandle00000000000000000")
    api.step = replace(api.step, set_cookie=fresh)

    assert (await browser.get(PAGE)).headers.get_list("set-cookie") == [fresh]


LINKS: list[str] = [
    "",
    "?request=",
    "?request=short",
    "?request=" + "a" * 129,
    "?request=..%2f..%2fhealthz%2f..%2f..",
    "?request=7fNdrq5nQx0mPj1oZ3vT%2F8wLk2sYb6uHc",
    "?request=7fNdrq5nQx0mPj1oZ3vT8wLk2sYb6uHc%0a",
    "?request=7fNdrq5nQx0mPj1oZ3vT8wLk2sYb6uH%3f",
    f"?request={REQUEST}&request={REQUEST}",
    "?authRequestID=" + REQUEST,
]


async def test_link_without_one_valid_id_is_refused(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    for query in LINKS:
        with row(query):
            answer = await browser.get(f"/ui/login{query}")

            assert answer.status_code == 400
            assert "error-page" in Document(answer.text).ids
            assert api.asked == []


@pytest.mark.parametrize("cookie", ["", "other=1", f"{COOKIE.name}=a; {COOKIE.name}=b", f"{COOKIE.name}="])
async def test_browser_without_one_handle_starts_again(
    browser: httpx.AsyncClient, api: FakeLoginApi, cookie: str
) -> None:
    """Without the cookie, or with two different ones, authz decides and no step is shown or submitted (LG-11)."""
    shown = await browser.get(PAGE, headers={"Cookie": cookie})
    sent = await browser.post(PAGE, data=SCHEMA_VERSION, headers={"Cookie": cookie, "Origin": ISSUER})

    assert [(one.status_code, one.headers["location"]) for one in (shown, sent)] == [(303, api.continue_to)] * 2
    assert api.asked == []
