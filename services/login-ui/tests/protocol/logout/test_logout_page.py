"""The page that confirms a logout (RP-Initiated Logout 1.0 §2)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.http import LOGOUT_API
from portico_contracts.login import Account, PageBranding
from portico_contracts.login_logout import ConfirmLogout, Logout, RequestLogout
from portico_contracts.subjects import decode, encode
from portico_fakes.fake_login_api import BROWSER, KEY, REQUEST
from portico_fakes.over_httpx import OverHttpx
from portico_harness.html_forms import Document
from portico_harness.rows import row
from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_web.cookies import BrowserCookie
from portico_web.surfaces import render_errors, rpc_status
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ISSUER = "https://id.example"
PAGE = f"/ui/login/logout?request={REQUEST}"
COOKIE = BrowserCookie(ISSUER)
URI = "https://app.example/signed-out?from=portico"
GONE = ErrorCode("FAKE-201", Kind.NOT_FOUND, "This sign-out is finished.")
FORM_USED = ServiceError(Kind.PERMISSION_DENIED, "LOGIN-005", "This form was already sent.")
BUSY = ErrorCode("FAKE-202", Kind.UNAVAILABLE, "The store cannot be asked.")


@dataclass(slots=True)
class LogoutApiInMemory:
    question: Logout = field(
        default_factory=lambda: Logout(
            csrf="csrf-0",
            client_name="Demo",
            accounts=(Account(id="a", login_name="ada@example.com", display_name="Ada Lovelace"),),
            return_uri=URI,
        )
    )
    outcome: Logout = field(default_factory=lambda: Logout(done=True, continue_to="/ui/login/logged-out"))
    error: ServiceError | None = None
    asked: list[RequestLogout] = field(default_factory=list)
    confirmed: list[ConfirmLogout] = field(default_factory=list)

    @property
    def app(self) -> Starlette:
        base = f"{LOGOUT_API}/{REQUEST}"
        return Starlette(
            routes=[
                Route(f"{base}/ask", render_errors(self._ask, rpc_status), methods=["POST"]),
                Route(f"{base}/confirm", render_errors(self._confirm, rpc_status), methods=["POST"]),
            ]
        )

    async def _ask(self, request: Request) -> Response:
        self.asked.append(decode(await request.body(), RequestLogout))
        return self._say(self.question)

    async def _confirm(self, request: Request) -> Response:
        self.confirmed.append(decode(await request.body(), ConfirmLogout))
        return self._say(self.outcome)

    def _say(self, logout: Logout) -> Response:
        if self.error:
            raise self.error
        return Response(encode(logout), media_type="application/json")


@pytest.fixture
def logouts() -> LogoutApiInMemory:
    return LogoutApiInMemory()


@pytest.fixture
async def leaving(logouts: LogoutApiInMemory) -> AsyncIterator[httpx.AsyncClient]:
    http = OverHttpx(httpx.ASGITransport(logouts.app))
    app, _ = create_app(Settings(issuer=ISSUER, login_api_key=SecretStr(KEY)), http=http)
    headers = {"Cookie": f"{COOKIE.name}={BROWSER}"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ISSUER, headers=headers) as client:
        yield client


async def confirm(leaving: httpx.AsyncClient) -> httpx.Response:
    form = Document((await leaving.get(PAGE)).text).form_with("logout-confirm")
    assert form is not None
    return await leaving.post(form.action, data=form.filled("logout-confirm", {}), headers={"Origin": ISSUER})


async def test_page_asks_and_ends_nothing(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory) -> None:
    """A link alone ends no session (IR-13)."""
    answer = await leaving.get(PAGE)

    assert answer.status_code == 200
    assert {"logout-confirm-page", "logout-confirm", "client-name"} <= Document(answer.text).ids
    assert ([ask.browser for ask in logouts.asked], logouts.confirmed) == ([BROWSER], [])


async def test_page_names_the_accounts(leaving: httpx.AsyncClient) -> None:
    text = (await leaving.get(PAGE)).text

    assert "Ada Lovelace" in text
    assert "ada<wbr>@example.com" in text


async def test_page_without_application_or_accounts(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory) -> None:
    logouts.question = Logout(csrf="csrf-0")
    ids = Document((await leaving.get(PAGE)).text).ids

    assert "logout-confirm" in ids
    assert not {"client-name", "logout-accounts"} & ids


async def test_name_of_an_own_application_is_translated(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory) -> None:
    logouts.question = Logout(csrf="csrf-0", client_name="Your account", look=PageBranding(client_is_own=True))
    page = (await leaving.get(PAGE, headers={"Accept-Language": "de"})).text

    assert '<bdi id="client-name">Ihr Konto</bdi>' in page


async def test_confirmation_is_submitted(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory) -> None:
    """The response is a 303 to the signed-out page that deletes the cookie (AZ-16, IR-14)."""
    logouts.outcome = replace(logouts.outcome, set_cookie=COOKIE.clear())
    answer = await confirm(leaving)

    assert (answer.status_code, answer.headers["location"]) == (303, "/ui/login/logged-out")
    assert answer.headers.get_list("set-cookie") == [COOKIE.clear()]
    assert [(given.browser, given.csrf) for given in logouts.confirmed] == [(BROWSER, "csrf-0")]


RETURNS: list[tuple[str, str]] = [
    (URI, URI),
    (URI, f"{URI}&state=s%20%26"),
    ("https://app.example/out", "https://app.example/out?state=s"),
    ("https://app.example/out?", "https://app.example/out?state=s"),
    ("http://127.0.0.1:8400/out", "http://127.0.0.1:8400/out?state=s"),
    ("com.example.app:/out", "com.example.app:/out?state=s"),
]


async def test_confirmation_redirects_to_the_application(
    leaving: httpx.AsyncClient, logouts: LogoutApiInMemory
) -> None:
    """A page redirects to the verified address with the state, because the application may redirect anywhere
    (IR-10).
    """
    for uri, continue_to in RETURNS:
        with row(uri, continue_to):
            logouts.outcome = Logout(done=True, continue_to=continue_to, return_uri=uri)
            answer = await confirm(leaving)
            shown = Document(answer.text)

            assert (answer.status_code, shown.refresh, shown.return_address) == (
                200,
                f"0;url={continue_to}",
                continue_to,
            )


UNVERIFIED: list[tuple[str, str]] = [
    ("", "https://app.example/out"),
    ("", "//app.example/out"),
    ("", ""),
    ("https://app.example/out", "https://app.example/outside"),
    ("https://app.example/out", "https://app.example/out/../in"),
    ("https://app.example/out", "https://app.example/out&state=s"),
    ("https://app.example", "https://app.example.evil.example"),
    ("https://app.example", "https://app.example@evil.example"),
    ("https://app.example/out", "https://evil.example/out"),
    ("https://app.example/out", "https://app.example/out?state=s\r\nSet-Cookie: a=b"),
    ("javascript:alert(1)", "javascript:alert(1)"),
    ("data:text/html,x", "data:text/html,x"),
]


async def test_unverified_redirect_is_refused(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory) -> None:
    """Whatever address authz returns, the browser is redirected to the verified one only (IR-10)."""
    for uri, continue_to in UNVERIFIED:
        with row(uri, continue_to):
            logouts.outcome = Logout(done=True, continue_to=continue_to, return_uri=uri)
            answer = await confirm(leaving)

            assert answer.status_code == 500
            assert "location" not in answer.headers
            assert (Document(answer.text).return_address, Document(answer.text).refresh) == ("", "")


async def test_browser_without_a_session_is_redirected(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory) -> None:
    """A second logout is harmless and needs no confirmation (IR-14)."""
    logouts.question = Logout(done=True, continue_to="/ui/login/logged-out")
    answer = await leaving.get(PAGE)

    assert (answer.status_code, answer.headers["location"]) == (303, "/ui/login/logged-out")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_foreign_form_is_refused(
    leaving: httpx.AsyncClient, logouts: LogoutApiInMemory, headers: dict[str, str]
) -> None:
    """A form that another site submits ends no session (LG-14)."""
    answer = await leaving.post(PAGE, data={"csrf": "csrf-0"}, headers=headers)

    assert (answer.status_code, logouts.confirmed) == (403, [])


FORMS: list[tuple[str, int]] = [
    ("", 403),
    ("csrf=", 403),
    ("csrf=" + "x" * 513, 403),
    ("csrf=a&csrf=a", 400),
    (f"csrf=a&request={REQUEST}", 400),
    ("csrf=%ff", 400),
]


async def test_form_without_its_token_is_refused(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory) -> None:
    """A forged form is refused before authz is called (LG-14)."""
    for body, status in FORMS:
        with row(body, status):
            media = {"Content-Type": "application/x-www-form-urlencoded"}
            answer = await leaving.post(PAGE, content=body, headers=media)

            assert (answer.status_code, logouts.confirmed) == (status, [])
            assert "error-page" in Document(answer.text).ids


async def test_used_form_token_links_to_this_logout(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory) -> None:
    logouts.error = FORM_USED
    answer = await leaving.post(PAGE, data={"csrf": "csrf-0"})

    assert answer.status_code == 403
    assert "This form was already sent." in answer.text
    assert Document(answer.text).links["error-retry"] == PAGE


async def test_completed_logout_is_404_without_a_link(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory) -> None:
    logouts.error = GONE.error()
    answer = await leaving.get(PAGE)

    assert answer.status_code == 404
    assert "This sign-out cannot be continued." in answer.text
    assert "error-retry" not in Document(answer.text).links


async def test_unavailable_store_can_be_retried(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory) -> None:
    """An incomplete logout gets a 503 with a link and never looks complete."""
    logouts.error = BUSY.error(retry_after=2)
    answer = await leaving.post(PAGE, data={"csrf": "csrf-0"})

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert Document(answer.text).links["error-retry"] == PAGE


@pytest.mark.parametrize("cookie", ["", f"{COOKIE.name}=a; {COOKIE.name}=b"])
async def test_browser_without_one_handle_is_refused(
    leaving: httpx.AsyncClient, logouts: LogoutApiInMemory, cookie: str
) -> None:
    """Without the browser's cookie authz is not called (LG-11)."""
    answer = await leaving.get(PAGE, headers={"Cookie": cookie})

    assert (answer.status_code, logouts.asked) == (400, [])


@pytest.mark.parametrize("payload", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "%(name)s %d %"])
async def test_names_are_escaped(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory, payload: str) -> None:
    """The names of application and accounts are escaped and never used as a format string (AZ-08)."""
    calm = (await leaving.get(PAGE)).text
    account = Account(id="a", login_name=payload, display_name=payload)
    logouts.question = replace(logouts.question, client_name=payload, accounts=(account,), csrf=payload)
    hostile = (await leaving.get(PAGE)).text

    assert hostile.count("<") == calm.count("<") - calm.count("<wbr>")
    assert hostile.count('"') == calm.count('"')


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
async def test_other_methods_are_405(leaving: httpx.AsyncClient, method: str) -> None:
    """Allow lists the permitted methods (RFC 9110 §15.5.6)."""
    answer = await leaving.request(method, PAGE)

    assert answer.status_code == 405
    assert {word.strip() for word in answer.headers["allow"].split(",")} == {"GET", "HEAD", "POST"}


async def test_page_states_why_it_does_not_return(leaving: httpx.AsyncClient, logouts: LogoutApiInMemory) -> None:
    """Before and after, where the application is unknown; the parameter selects a text, and no address is shown."""
    logouts.question = replace(logouts.question, client_name="", return_uri="", stays=True)
    stays = "/ui/login/logged-out?stays=1"
    logouts.outcome = replace(logouts.outcome, continue_to=stays)
    asked = Document((await leaving.get(PAGE)).text)
    done = await leaving.post(PAGE, data={"csrf": "csrf-0"}, headers={"Origin": ISSUER})
    shown, plain = Document((await leaving.get(stays)).text), Document((await leaving.get("/ui/login/logged-out")).text)

    assert "logout-stays" in asked.ids
    assert stays in (done.headers.get("location", "") or done.text)
    assert "logout-stays" in shown.ids
    assert "logout-stays" not in plain.ids
