"""Requests without a verified return address get a page and are never redirected."""

from __future__ import annotations

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


@pytest.mark.parametrize("uri", LOOK_ALIKES)
async def test_a_uri_that_only_looks_registered_is_refused(authz: AuthzService, uri: str) -> None:
    """AZ-01, AZ-03: code-point equality after one form-decoding; nothing is stored."""
    response = await authz.browser().authorize(redirect_uri=uri)

    assert_page(response)
    assert "redirect_uri" in response.text
    assert isinstance(authz.stores.requests, MemoryAuthRequests)
    assert len(authz.stores.requests.records) == 0


@pytest.mark.parametrize("asked", ["http://127.0.0.1:9999/cb", "http://localhost:8080/cb", "http://[::1]:8080/cb"])
async def test_loopback_gets_no_exception(authz: AuthzService, asked: str) -> None:
    """AZ-03: port and host of a loopback URI count."""
    authz.peers.register("native", redirect_uris=("http://127.0.0.1:8080/cb",))
    response = await authz.browser().authorize(client_id="native", redirect_uri=asked)

    assert_page(response)


@pytest.mark.parametrize("uri", SCRIPTS)
async def test_a_script_scheme_is_refused_even_where_it_is_registered(authz: AuthzService, uri: str) -> None:
    """AZ-06: refused at use again, and never emitted as a link."""
    authz.peers.register("evil", redirect_uris=(uri,))
    response = await authz.browser().authorize(client_id="evil", redirect_uri=uri)

    assert_page(response)
    assert uri not in response.text


@pytest.mark.parametrize("later", LATER_ERRORS)
@pytest.mark.parametrize(
    "broken",
    [{"client_id": "nobody"}, {"client_id": None}, {"redirect_uri": "https://evil.test/"}, {"redirect_uri": None}],
)
async def test_an_unproven_request_never_redirects_whatever_else_is_wrong(
    authz: AuthzService, broken: dict[str, str | None], later: dict[str, str]
) -> None:
    """AZ-09: client and redirect_uri come before everything else."""
    assert_page(await authz.browser().authorize(**{**later, **broken}))


@pytest.mark.parametrize("later", LATER_ERRORS)
async def test_an_inactive_client_looks_like_an_unknown_one(authz: AuthzService, later: dict[str, str]) -> None:
    """AZ-09, P9: users answers nothing for both."""
    unknown = await authz.browser().authorize(client_id="nobody", **later)
    del authz.peers.clients["web"]
    inactive = await authz.browser().authorize(**later)

    assert_page(inactive)
    assert _without_id(inactive) == _without_id(unknown)


async def test_an_api_application_cannot_sign_users_in(authz: AuthzService) -> None:
    """An API application may only introspect tokens, not authorize."""
    authz.peers.clients["web"] = replace(WEB, kind=ClientKind.API)

    assert_page(await authz.browser().authorize())


@pytest.mark.parametrize("name", ["client_id", "redirect_uri"])
@pytest.mark.parametrize("second", ["same", "other", "empty"])
@pytest.mark.parametrize("where", ["query", "body", "both"])
async def test_a_repeated_client_id_or_redirect_uri_never_redirects(
    authz: AuthzService, name: str, second: str, where: str
) -> None:
    """AZ-04: equal or not, in query, in body, or split across both."""
    values = authorize_parameters()
    again = (name, {"same": values[name], "other": "https://evil.test/", "empty": ""}[second])
    response = await _send(authz, list(values.items()), again, where)

    assert_page(response)
    assert "repeated" in response.text


@pytest.mark.parametrize("query", ["client_id=%ff", "client_id=web%00", "client_id=%zz&redirect_uri=%c3%28", "=&&&="])
async def test_what_cannot_be_read_is_a_page(authz: AuthzService, query: str) -> None:
    """Never a 5xx on bad input."""
    assert_page(await authz.browser().get(f"{http.AUTHORIZE}?{query}"))


async def test_too_many_parameters_are_refused(authz: AuthzService) -> None:
    """P8: bounded before it is parsed."""
    assert_page(await authz.browser().get(http.AUTHORIZE + "?" + "a=1&" * 200), 413)


async def test_a_body_that_is_no_form_is_refused(authz: AuthzService) -> None:
    """A POST body must be application/x-www-form-urlencoded."""
    response = await authz.browser().http.post(http.AUTHORIZE, json={"client_id": "web"})

    assert_page(response, 415)


async def test_another_method_is_refused_with_a_page(authz: AuthzService) -> None:
    """The endpoint accepts only GET and POST."""
    response = await authz.browser().http.put(http.AUTHORIZE)

    assert_page(response, 405)


@pytest.mark.parametrize(
    "payload", ["<script>alert(1)</script>", '"><img src=x onerror=a>', "{{7*7}}", "a\r\nX-Evil: 1"]
)
async def test_nothing_of_a_bad_request_appears_unescaped(authz: AuthzService, payload: str) -> None:
    """AZ-07, AZ-08: error pages repeat nothing of the request, and carry a strict policy."""
    response = await authz.browser().authorize(redirect_uri=payload, state=payload, client_id="web")

    assert_page(response)
    assert payload not in response.text
    assert "x-evil" not in response.headers
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in response.headers["content-security-policy"]


async def test_without_the_bus_the_answer_is_503(authz: AuthzService) -> None:
    """P2: an unreachable client record is never guessed."""
    authz.bus.down = True
    response = await authz.browser().authorize()

    assert_page(response, 503)
    assert response.headers["retry-after"]


async def test_without_the_store_the_answer_is_503_and_recovers(authz: AuthzService) -> None:
    """P2: a page also with a verified return address, since the browser can reload it."""
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
