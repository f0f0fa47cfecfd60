from __future__ import annotations

from itertools import product
from urllib.parse import urlencode

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.users import ClientKind
from portico_fakes.authz_service import CALLBACK, WEB, AuthzService, authorize_parameters
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_authz import MemoryAuthRequests
from portico_fakes.memory_bus import MemoryBus
from portico_harness.rows import row

LOOK_ALIKES = [
    "https://appXexample.test/cb",
    f"{CALLBACK}x",
    "https://app.example.test/c",
    "https://app.example.test.evil.test/cb",
    f"{CALLBACK}/",
    f"{CALLBACK}?",
    f"{CALLBACK}#",
    f"{CALLBACK}?x=1",
    f"{CALLBACK}?keep=1&",
    "https://app.example.test/CB",
    "https://APP.example.test/cb",
    "HTTPS://app.example.test/cb",
    "https://app.example.test:443/cb",
    "https://app.example.test:9999/cb",
    "http://app.example.test/cb",
    "https://user@app.example.test/cb",
    "https://app.example.test//cb",
    "https://app.example.test/x/../cb",
    "https://app.example.test/%63b",
    f" {CALLBACK}",
    f"{CALLBACK}\n",
    "//app.example.test/cb",
    "/cb",
    "*",
]
SCRIPTS = ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x", "blob:x", "file:///etc"]
LATER_ERRORS = [{}, {"scope": "email"}, {"response_type": "nope"}, {"prompt": "none"}]


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


def assert_page(response: httpx.Response, status: int = 400) -> None:
    assert response.status_code == status
    assert "location" not in response.headers
    assert response.headers["content-type"].startswith("text/html")
    assert response.headers["cache-control"] == "no-store"
    assert 'id="error-page"' in response.text
    assert response.headers["x-request-id"] in response.text


async def test_similar_redirect_uri_is_refused(authz: AuthzService) -> None:
    """Redirect URIs match code point by code point after one form-decoding, and nothing is stored otherwise
    (AZ-01, AZ-03).
    """
    for uri in LOOK_ALIKES:
        with row(uri):
            response = await authz.browser().authorize(redirect_uri=uri)

            assert_page(response)
            assert "redirect_uri" in response.text
            assert isinstance(authz.stores.requests, MemoryAuthRequests)
            assert len(authz.stores.requests.records) == 0


@pytest.mark.parametrize("asked", ["http://127.0.0.1:9999/cb", "http://localhost:8080/cb", "http://[::1]:8080/cb"])
async def test_loopback_redirect_uri_gets_no_exception(authz: AuthzService, asked: str) -> None:
    """Port and host of a loopback redirect URI must match (AZ-03)."""
    authz.peers.register("native", redirect_uris=("http://127.0.0.1:8080/cb",))
    response = await authz.browser().authorize(client_id="native", redirect_uri=asked)

    assert_page(response)


async def test_native_application_may_use_any_loopback_port(authz: AuthzService) -> None:
    """Only with this setting, and only the port may differ (RFC 8252 section 7.3)."""
    authz.peers.register("web", redirect_uris=("http://127.0.0.1/cb",), any_loopback_port=True)
    browser = authz.browser()
    other_port = await browser.authorize(redirect_uri="http://127.0.0.1:50123/cb", scope="email")

    assert other_port.headers["location"].startswith("http://127.0.0.1:50123/cb?error=invalid_scope")
    assert_page(await browser.authorize(redirect_uri="http://127.0.0.1:50123/other"))


async def test_scheme_without_a_dot_needs_the_setting(authz: AuthzService) -> None:
    """When it is used, too (RFC 8252 section 8.4, decision 0111)."""
    uri = "cursor://app/callback"
    for plain_schemes in (True, False):
        authz.peers.register(f"app-{plain_schemes}", redirect_uris=(uri,), plain_schemes=plain_schemes)
    allowed = await authz.browser().authorize(client_id="app-True", redirect_uri=uri, scope="email")

    assert allowed.headers["location"].startswith(f"{uri}?error=invalid_scope")
    assert_page(await authz.browser().authorize(client_id="app-False", redirect_uri=uri))


async def test_registered_script_scheme_is_refused(authz: AuthzService) -> None:
    """A forbidden scheme is refused again when it is used, and never rendered as a link (AZ-06)."""
    for uri in SCRIPTS:
        with row(uri):
            authz.peers.register(uri, redirect_uris=(uri,))
            response = await authz.browser().authorize(client_id=uri, redirect_uri=uri)

            assert_page(response)
            assert uri not in response.text


BROKEN: list[dict[str, str | None]] = [
    {"client_id": "nobody"},
    {"client_id": None},
    {"redirect_uri": "https://evil.test/"},
    {"redirect_uri": None},
]


async def test_unverified_redirect_uri_always_gets_a_page(authz: AuthzService) -> None:
    """Client and redirect_uri are verified before anything else is checked (AZ-09)."""
    for later, broken in product(LATER_ERRORS, BROKEN):
        with row(later, broken):
            assert_page(await authz.browser().authorize(**{**later, **broken}))


@pytest.mark.parametrize("later", LATER_ERRORS)
async def test_inactive_client_looks_like_an_unknown_one(authz: AuthzService, later: dict[str, str]) -> None:
    """Users returns no client in both cases (AZ-09, P9)."""
    unknown = await authz.browser().authorize(client_id="nobody", **later)
    del authz.peers.clients["web"]
    inactive = await authz.browser().authorize(**later)

    assert_page(inactive)
    assert _without_id(inactive) == _without_id(unknown)


async def test_api_application_cannot_authorize(authz: AuthzService) -> None:
    authz.peers.clients["web"] = replace(WEB, kind=ClientKind.API)

    assert_page(await authz.browser().authorize())


async def test_repeated_client_id_or_redirect_uri_gets_a_page(authz: AuthzService) -> None:
    """A repeated client_id or redirect_uri, equal or not, in query or body or both, is never redirected (AZ-04)."""
    for name, second, where in product(
        ("client_id", "redirect_uri"), ("same", "other", "empty"), ("query", "body", "both")
    ):
        with row(name, second, where):
            values = authorize_parameters()
            again = (name, {"same": values[name], "other": "https://evil.test/", "empty": ""}[second])
            response = await _send(authz, list(values.items()), again, where)

            assert_page(response)
            assert "repeated" in response.text


UNREADABLE: list[str] = ["client_id=%ff", "client_id=web%00", "client_id=%zz&redirect_uri=%c3%28", "=&&&="]


async def test_unreadable_request_gets_a_page(authz: AuthzService) -> None:
    for query in UNREADABLE:
        with row(query):
            assert_page(await authz.browser().get(f"{http.AUTHORIZE}?{query}"))


async def test_too_many_parameters_are_refused(authz: AuthzService) -> None:
    """The number of parameters is limited before parsing (P8)."""
    assert_page(await authz.browser().get(http.AUTHORIZE + "?" + "a=1&" * 200), 413)


async def test_body_must_be_form_urlencoded(authz: AuthzService) -> None:
    response = await authz.browser().http.post(http.AUTHORIZE, json={"client_id": "web"})

    assert_page(response, 415)


async def test_other_method_gets_a_page(authz: AuthzService) -> None:
    response = await authz.browser().http.put(http.AUTHORIZE)

    assert_page(response, 405)


@pytest.mark.parametrize(
    "payload", ["<script>alert(1)</script>", '"><img src=x onerror=a>', "{{7*7}}", "a\r\nX-Evil: 1"]
)
async def test_error_page_repeats_nothing_of_the_request(authz: AuthzService, payload: str) -> None:
    """Error pages contain nothing of the request and carry a strict policy (AZ-07, AZ-08)."""
    response = await authz.browser().authorize(redirect_uri=payload, state=payload, client_id="web")

    assert_page(response)
    assert payload not in response.text
    assert "x-evil" not in response.headers
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in response.headers["content-security-policy"]


async def test_without_the_bus_the_response_is_503(authz: AuthzService) -> None:
    """An unavailable client record is never guessed (P2)."""
    authz.bus.down = True
    response = await authz.browser().authorize()

    assert_page(response, 503)
    assert response.headers["retry-after"]


async def test_without_the_store_the_response_is_503(authz: AuthzService) -> None:
    """An unavailable store gives a page that can be reloaded, even with a verified redirect URI (P2)."""
    assert isinstance(authz.stores.requests, MemoryAuthRequests)
    authz.stores.requests.records.down = True
    assert_page(await authz.browser().authorize(), 503)

    authz.stores.requests.records.down = False
    assert (await authz.browser().authorize()).status_code == 303


async def _send(
    authz: AuthzService, pairs: list[tuple[str, str]], again: tuple[str, str], where: str
) -> httpx.Response:
    form = urlencode(pairs)
    twice = urlencode([*pairs, again])
    client = authz.browser().http
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    if where == "query":
        return await client.get(f"{http.AUTHORIZE}?{twice}")
    if where == "body":
        return await client.post(http.AUTHORIZE, content=twice, headers=headers)
    query = urlencode([again])
    return await client.post(f"{http.AUTHORIZE}?{query}", content=form, headers=headers)


def _without_id(response: httpx.Response) -> str:
    return response.text.replace(response.headers["x-request-id"], "")
