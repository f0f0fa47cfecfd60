"""The answer as a form: the page posts itself to the application, or the person presses its one button."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, expect
from portico_journeys.id_token import at_hash, checked_claims
from portico_journeys.login_pages import LoginPages, RelyingPartyPages
from portico_journeys.participants import ALICE
from portico_journeys.relying_party import begin
from portico_journeys.world import World

pytestmark = pytest.mark.e2e


async def test_application_gets_its_code_by_form(tab: Page, world: World) -> None:
    """A real relying party signs in with response_mode=form_post; its address never carries the code."""
    seen: list[str] = []
    tab.context.on("request", lambda request: seen.append(request.url))
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin("response_mode=form_post")
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await expect(pages.claim("sub")).to_have_text(ALICE.id)

    assert f"{pages.url}/callback" in seen
    assert not any("code=" in url for url in seen)


async def test_button_does_what_the_script_would(browser: Browser, world: World) -> None:
    """With JavaScript switched off the page has a button, and the sign-in is completed with it."""
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


async def test_tokens_come_by_form_too(world: World) -> None:
    """Implicit and form_post: everything of the answer is in the form, and right (conformance 3.8)."""
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


async def test_errors_come_by_form_too(world: World) -> None:
    """An error is sent where the answer would have been sent (conformance 3.2), and nowhere else."""
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
