from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import BROWSER, KEY, REQUEST, FakeLoginApi
from portico_fakes.over_httpx import OverHttpx
from portico_harness.html_forms import Document
from portico_harness.rows import row
from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings
from portico_oauth.errors import ErrorCode, Kind
from portico_web.cookies import BrowserCookie
from pydantic import SecretStr

ISSUER = "https://id.example"
PAGE = f"/ui/login?request={REQUEST}"
COOKIE = BrowserCookie(ISSUER)
CHANGE = ErrorCode("FAKE-101", Kind.FAILED_PRECONDITION, "Your password must be changed first.")
BUSY = ErrorCode("FAKE-102", Kind.UNAVAILABLE, "The store cannot be asked.")

Open = Callable[[httpx.AsyncBaseTransport, str], httpx.AsyncClient]


@pytest.fixture
def api() -> FakeLoginApi:
    return FakeLoginApi()


@pytest.fixture
async def open_browser() -> AsyncIterator[Open]:
    """Opens browsers at pages that call authz with a given transport and key."""
    opened: list[httpx.AsyncClient] = []

    def open_with(authz: httpx.AsyncBaseTransport, key: str = KEY) -> httpx.AsyncClient:
        app, _ = create_app(Settings(issuer=ISSUER, login_api_key=SecretStr(key)), http=OverHttpx(authz))
        opened.append(
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app),
                base_url=ISSUER,
                headers={"Cookie": f"{COOKIE.name}={BROWSER}"},
            )
        )
        return opened[-1]

    yield open_with
    for client in opened:
        await client.aclose()


def answering(response: httpx.Response) -> httpx.AsyncBaseTransport:
    return httpx.MockTransport(lambda _request: response)


def failing(error: httpx.TransportError) -> httpx.AsyncBaseTransport:
    def fail(_request: httpx.Request) -> httpx.Response:
        raise error

    return httpx.MockTransport(fail)


async def test_unknown_sign_in_is_an_error_page(api: FakeLoginApi, open_browser: Open) -> None:
    """The page is a 4xx with the code, a sentence and the request id, and no retry link."""
    answer = await open_browser(httpx.ASGITransport(api.app), KEY).get(
        "/ui/login?request=00OfSomebodyElse00000000000000000"
    )
    page = Document(answer.text)

    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert {"error-page", "error-text", "error-code", "error-fact", "error-request"} <= page.ids
    assert "There is no such sign-in." in answer.text
    assert answer.headers["x-request-id"] in answer.text
    assert "error-retry" not in page.links


async def test_other_browser_is_refused(api: FakeLoginApi, open_browser: Open) -> None:
    """A sign-in belongs to the browser that began it (LG-11)."""
    browser = open_browser(httpx.ASGITransport(api.app), KEY)
    answer = await browser.get(PAGE, headers={"Cookie": f"{COOKIE.name}=7fSomeOtherBrowser"})

    assert answer.status_code == 403
    assert "FAKE-002" in answer.text


async def test_error_of_authz_keeps_kind_id_and_message(api: FakeLoginApi, open_browser: Open) -> None:
    api.error = CHANGE.error()
    answer = await open_browser(httpx.ASGITransport(api.app), KEY).get(PAGE)

    assert answer.status_code == 400
    assert all(
        words in answer.text for words in ("FAKE-101", "Your password must be changed first.", "cannot be continued")
    )


async def test_retry_after_of_authz_is_forwarded(api: FakeLoginApi, open_browser: Open) -> None:
    api.error = BUSY.error(retry_after=7)
    answer = await open_browser(httpx.ASGITransport(api.app), KEY).get(PAGE)

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "7")
    assert Document(answer.text).links["error-retry"] == PAGE


@pytest.mark.parametrize(
    "error",
    [httpx.ConnectError("no"), httpx.ReadTimeout("slow"), httpx.RemoteProtocolError("gone"), httpx.PoolTimeout("")],
)
async def test_unreachable_authz_is_503(open_browser: Open, error: httpx.TransportError) -> None:
    """The page has Retry-After and a link to try again."""
    answer = await open_browser(failing(error), KEY).get(PAGE)

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert Document(answer.text).links["error-retry"] == PAGE


async def test_wrong_login_api_key_is_a_fault(api: FakeLoginApi, open_browser: Open) -> None:
    """A key mismatch between the services is a 500, not a 401."""
    answer = await open_browser(httpx.ASGITransport(api.app), "some-other-key").get(PAGE)

    assert answer.status_code == 500
    assert "LOGIN-106" in answer.text
    assert "www-authenticate" not in answer.headers


UNEXPECTED: list[tuple[httpx.Response, int]] = [
    (httpx.Response(200, content=b"<html>"), 500),
    (httpx.Response(200, json={"name": "a_step_of_tomorrow"}), 500),
    (httpx.Response(200, json={"csrf": "x"}), 500),
    (httpx.Response(302, headers={"Location": "https://evil.example"}), 500),
    (httpx.Response(404, content=b"Not Found"), 500),
    (httpx.Response(403, json={"code": 77, "details": [{"id": "X-1", "message": "?"}]}), 500),
    (httpx.Response(400, json={"code": 3, "details": []}), 500),
    (httpx.Response(502, content=b"Bad Gateway"), 503),
    (httpx.Response(503, json={"error": "x"}), 503),
]


async def test_unexpected_response_is_not_shown(open_browser: Open) -> None:
    """A response outside the contract is a fault, or unavailable for 5xx, without any of its text."""
    for response, status in UNEXPECTED:
        with row(status, dict(response.headers), response.content[:40]):
            answer = await open_browser(answering(response), KEY).get(PAGE)

            assert answer.status_code == status
            assert "evil" not in answer.text
            assert "location" not in answer.headers


async def test_lost_response_is_not_retried(open_browser: Open) -> None:
    """A password sent twice would count as two attempts (LG-05)."""
    sent: list[httpx.Request] = []

    def lose(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        raise httpx.ReadError("gone")

    browser = open_browser(httpx.MockTransport(lose), KEY)
    form = {"csrf": "c", "step": StepName.PASSWORD.value, "password": "p"}
    answer = await browser.post(PAGE, data=form)

    assert answer.status_code == 503
    assert len(sent) == 1
