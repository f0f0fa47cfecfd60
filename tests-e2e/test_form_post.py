from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.async_api import Browser, ConsoleMessage, Page, expect
from portico_scenarios.id_token import at_hash, checked_claims
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.participants import ALICE, OTHER_AFTER_LOGOUT, OTHER_REDIRECT
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


async def test_application_receives_code_by_form_post(tab: Page, world: World) -> None:
    """A relying party signs in with response_mode=form_post, and its URL never carries the code."""
    seen: list[str] = []
    tab.context.on("request", lambda request: seen.append(request.url))
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin("response_mode=form_post")
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await expect(pages.claim("sub")).to_have_text(ALICE.id)

    assert f"{pages.url}/callback" in seen
    assert not any("code=" in url for url in seen)


async def test_form_post_has_a_button_without_scripts(browser: Browser, world: World) -> None:
    """With JavaScript switched off the page has a button that completes the sign-in."""
    context = await browser.new_context(java_script_enabled=False, locale="de-DE")
    try:
        tab = await context.new_page()
        pages = RelyingPartyPages(tab, world.rp_url("basic"))
        await pages.begin("response_mode=form_post")
        await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
        await expect(tab.locator("#form-post-submit")).to_have_text("Weiter")
        await tab.locator("#form-post-submit").click()
        await expect(pages.claim("sub")).to_have_text(ALICE.id)
    finally:
        await context.close()


async def test_tokens_are_sent_by_form_post(world: World) -> None:
    """With implicit and form_post the form has the complete, valid response (conformance 3.8)."""
    begun = begin(
        world.metadata,
        world.clients["spa"],
        response_type="id_token token",
        response_mode="form_post",
        code_challenge=None,
        code_challenge_method=None,
    )
    async with world.agent() as agent:
        page = await agent.sign_in(begun.url, ALICE.login_name, ALICE.password)
        button = page.shows("form-post-submit")
        posted = (await agent.press("form-post-submit")).returned or {}
    claims = await checked_claims(world.http, world.metadata, posted["id_token"], "e2e-spa")

    assert button
    assert set(posted) == {"id_token", "access_token", "token_type", "expires_in", "scope", "state", "iss"}
    assert (posted["state"], posted["iss"]) == (begun.state, world.issuer)
    assert claims["nonce"] == begun.nonce
    assert claims["at_hash"] == at_hash(posted["access_token"])


async def test_errors_are_sent_by_form_post(world: World) -> None:
    """An error uses the same response mode as a success (conformance 3.2), and nothing else."""
    for error, changes in (
        ("login_required", {"prompt": "none"}),
        ("invalid_scope", {"scope": "email"}),
        ("invalid_request", {"max_age": "x"}),
    ):
        begun = begin(world.metadata, world.clients["basic"], response_mode="form_post", **changes)
        async with world.agent() as agent:
            page = await agent.open(begun.url)
            posted = (await agent.press("form-post-submit")).returned or {}

        assert page.returned is None, error
        assert set(posted) == {"error", "error_description", "state", "iss"}, error
        assert (posted["error"], posted["state"]) == (error, begun.state)
        assert "no-store" in page.response.headers["cache-control"], error


async def test_application_may_redirect_to_another_origin(tab: Page, world: World) -> None:
    """The callback may redirect to another origin after sign-in, cancel and logout, in both response modes (AZ-17)."""
    landed = f"{world.rp_url('post')}/?landed=here"

    answered: list[asyncio.Task[Any]] = []

    def callback(paused: dict[str, Any]) -> None:
        headers = [{"name": "Location", "value": landed}]
        answer = {"requestId": paused["requestId"], "responseCode": 302, "responseHeaders": headers}
        answered.append(asyncio.ensure_future(devtools.send("Fetch.fulfillRequest", answer)))

    async def begin_at_other(**changes: str) -> LoginPages:
        begun = begin(world.metadata, world.clients["basic"], redirect_uri=OTHER_REDIRECT, prompt="login", **changes)
        await tab.goto(begun.url)
        return LoginPages(tab)

    violations: list[str] = []

    def watch(message: ConsoleMessage) -> None:
        if "form-action" in message.text:
            violations.append(message.text)

    tab.on("console", watch)
    devtools = await tab.context.new_cdp_session(tab)  # a route of Playwright sees no request that a redirect led to
    devtools.on("Fetch.requestPaused", callback)
    await devtools.send("Fetch.enable", {"patterns": [{"urlPattern": "https://rp.example.test/*"}]})
    await (await begin_at_other()).cancel()
    await tab.wait_for_url(landed)
    await (await begin_at_other()).sign_in(ALICE.login_name, ALICE.password)
    await tab.wait_for_url(landed)
    await (await begin_at_other(response_mode="form_post")).sign_in(ALICE.login_name, ALICE.password)
    await tab.wait_for_url(landed)
    query = urlencode({"client_id": world.clients["basic"].client_id, "post_logout_redirect_uri": OTHER_AFTER_LOGOUT})
    await tab.goto(f"{world.metadata['end_session_endpoint']}?{query}")
    await LoginPages(tab).confirm_logout()
    await tab.wait_for_url(landed)

    assert violations == []


async def test_popup_keeps_its_opener(tab: Page, world: World) -> None:
    """The callback in a popup has its opener, despite the provider's pages in between."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await tab.goto(pages.url)
    async with tab.expect_popup() as opened:
        await tab.evaluate("url => { window.open(url, 'signin', 'width=500,height=600') }", f"{pages.url}/login")
    popup = await opened.value
    await LoginPages(popup).sign_in(ALICE.login_name, ALICE.password)
    await RelyingPartyPages(popup, pages.url).expect_signed_in()

    assert await popup.evaluate("window.opener !== null && window.opener.location.origin === location.origin")
