"""Errors of sign-ins and authorization requests, and the information that they reveal."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.async_api import Page, expect
from portico_scenarios.agent import Page as Landing
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.participants import ALICE, BOB, CAROL, PROGRAM, PROGRAM_ID
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

LOOK_ALIKES: dict[str, Callable[[str], str]] = {
    "slash": lambda uri: f"{uri}/",
    "longer": lambda uri: f"{uri}x",
    "shorter": lambda uri: uri[:-1],
    "query": lambda uri: f"{uri}?a=b",
    "fragment": lambda uri: f"{uri}#a",
    "case": lambda uri: uri.replace("callback", "Callback"),
    "other port": lambda uri: re.sub(r":\d+/", ":1/", uri),
    "other loopback": lambda uri: uri.replace("localhost", "127.0.0.1"),
    "user information": lambda _: "http://localhost@evil.example.test/callback",
    "script": lambda _: "javascript:alert(1)//callback",
}


def _without_what_differs(page: Landing, login_name: str) -> str:
    """Returns the page without its random ids and the typed name."""
    text = page.response.text.replace(login_name, "NAME")
    return re.sub(r"[A-Za-z0-9_-]{22,}", "ID", text)


async def _after_password(world: World, login_name: str, password: str) -> Landing:
    begun = begin(world.metadata, world.clients["basic"])
    async with world.agent() as agent:
        return await agent.sign_in(begun.url, login_name, password)


async def test_wrong_password_can_be_retried(tab: Page, world: World) -> None:
    """A wrong password is reported at the field, and the right one then signs in."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    login = LoginPages(tab)
    await pages.begin()
    await login.sign_in(CAROL.login_name, "not her password")
    await expect(tab.locator("#password")).to_be_visible()
    await expect(tab.locator("[role=alert]")).to_be_visible()
    await login.enter_password(CAROL.password)
    await pages.expect_signed_in()


async def test_unknown_user_looks_like_a_wrong_password(world: World) -> None:
    """Unknown, foreign and service users get the same status, page and text as a wrong password (LG-01)."""
    names = ["nobody-at-all", CAROL.login_name, PROGRAM]
    pages = [await _after_password(world, name, "not the password at all") for name in names]
    texts = {_without_what_differs(page, name) for page, name in zip(pages, names, strict=True)}
    headers = {tuple(sorted(name for name in page.response.headers if name != "date")) for page in pages}

    assert {page.status for page in pages} == {pages[0].status}
    assert all(page.shows("password") for page in pages)
    assert len(texts) == 1
    assert len(headers) == 1


async def test_user_of_another_organization_signs_in(world: World) -> None:
    """Without an organization scope users of every organization may sign in."""
    tokens = await world.tokens_of(BOB, "basic")

    assert tokens["token_type"] == "Bearer"


async def test_cancelled_login_is_access_denied(tab: Page, world: World) -> None:
    """Cancelling on the first or second page returns to the application with access_denied."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).cancel()
    await pages.expect_error("access_denied")
    await pages.begin()
    await LoginPages(tab).enter_login_name(ALICE.login_name)
    await expect(tab.locator("#password")).to_be_visible()
    await LoginPages(tab).cancel()
    await pages.expect_error("access_denied")


async def test_wrong_redirect_uri_shows_a_page(tab: Page, world: World) -> None:
    """An unregistered redirect URI shows an error page without a redirect (AZ-01, AZ-09)."""
    begun = begin(world.metadata, world.clients["basic"], redirect_uri="https://evil.example.test/callback")
    answer = await tab.goto(begun.url)

    assert answer is not None
    assert answer.status == 400
    await expect(tab.locator("#error-page")).to_be_visible()
    await expect(tab.locator("#error-page")).to_contain_text("redirect_uri")
    await expect(tab.locator("#error-page")).to_contain_text(answer.headers["x-request-id"])
    assert "evil.example.test" not in await tab.locator("#error-page").inner_html()


async def test_unregistered_client_or_uri_is_not_redirected(world: World) -> None:
    """Unknown clients and look-alikes of a redirect URI get a page without redirect (AZ-01, AZ-06, AZ-09)."""
    client = world.clients["basic"]
    sent: dict[str, dict[str, str | None]] = {
        name: {"redirect_uri": spoil(client.redirect_uri), "scope": "nonsense"} for name, spoil in LOOK_ALIKES.items()
    }
    sent |= {f"client {id}": {"client_id": id} for id in ("nobody", "", PROGRAM_ID, ALICE.id)}
    wrong = {}
    for name, changes in sent.items():
        answer = await world.http.get(begin(world.metadata, client, **changes).url)
        shown = (answer.status_code, answer.headers.get("location"), 'id="error-page"' in answer.text)
        if shown != (400, None, True):
            wrong[name] = shown

    assert wrong == {}


SPOILED: dict[str, tuple[dict[str, str | None], str]] = {
    "no scope openid": ({"scope": "profile"}, "invalid_scope"),
    "no response_type": ({"response_type": None}, "invalid_request"),
    "unknown response_type": ({"response_type": "token"}, "unsupported_response_type"),
    "max_age": ({"max_age": "1.5"}, "invalid_request"),
    "unknown prompt": ({"prompt": "login nonsense"}, "invalid_request"),
    "prompt none with login": ({"prompt": "none login"}, "invalid_request"),
    "PKCE plain": ({"code_challenge_method": "plain"}, "invalid_request"),
    "PKCE method missing": ({"code_challenge_method": None}, "invalid_request"),
    "short challenge": ({"code_challenge": "x" * 42}, "invalid_request"),
    "request object": ({"request": "a.b.c"}, "request_not_supported"),
    "request_uri": ({"request_uri": "https://rp.example.test/r"}, "request_uri_not_supported"),
}


async def test_invalid_request_is_reported_to_the_application(world: World) -> None:
    """Once client and redirect URI are valid, errors are redirected with state and iss (RFC 6749 §4.1.2.1, AZ-15)."""
    wrong = {}
    for name, (changes, error) in SPOILED.items():
        begun = begin(world.metadata, world.clients["basic"], **changes)
        async with world.agent() as agent:
            returned = (await agent.open(begun.url)).returned or {}
        shown = (returned.get("error"), returned.get("state"), returned.get("iss"), "code" in returned)
        if shown != (error, begun.state, world.issuer, False):
            wrong[name] = shown

    assert wrong == {}


async def test_response_type_must_be_enabled(world: World) -> None:
    """A supported response type requires registration; others get unsupported_response_type."""
    offered = "id_token" in world.metadata["response_types_supported"]
    begun = begin(world.metadata, world.clients["basic"], response_type="id_token")
    async with world.agent() as agent:
        page = await agent.open(begun.url)

    assert page.returned is not None
    assert page.returned["error"] == ("unauthorized_client" if offered else "unsupported_response_type")
    assert "id_token" not in page.returned


async def test_public_client_without_pkce_is_refused(world: World) -> None:
    """A client without a secret must use PKCE (TK-06)."""
    begun = begin(world.metadata, world.clients["public"], code_challenge=None, code_challenge_method=None)
    async with world.agent() as agent:
        page = await agent.open(begun.url)

    assert page.returned is not None
    assert page.returned["error"] == "invalid_request"


async def test_repeated_parameter_is_refused(world: World) -> None:
    """A repeated parameter is invalid_request, on a page where client or redirect URI are repeated (AZ-04)."""
    begun = begin(world.metadata, world.clients["basic"], prompt="login")
    errors = {}
    for name in ("client_id", "redirect_uri", "scope", "state", "nonce", "prompt"):
        async with world.agent() as agent:
            page = await agent.open(f"{begun.url}&{name}=again")
        errors[name] = page.returned["error"] if page.returned else (page.status, page.shows("error-page"))

    on_a_page = dict.fromkeys(("client_id", "redirect_uri"), (400, True))
    assert errors == on_a_page | dict.fromkeys(("scope", "state", "nonce", "prompt"), "invalid_request")
