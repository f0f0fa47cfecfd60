"""Several users in one browser: account selection appears only where the user is ambiguous."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect
from portico_scenarios.agent import Agent, redirect_from
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages, requests_to
from portico_scenarios.participants import ALICE, BOB, KnownUser
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e


async def _sign_in_both(agent: Agent, world: World) -> dict[str, str]:
    hints = {}
    for person in (ALICE, BOB):
        begun = begin(world.metadata, world.clients["basic"], prompt="login")
        code = code_in(await agent.sign_in(begun.url, person.login_name, person.password))
        tokens = (await world.redeem("basic", code, code_verifier=begun.verifier)).json()
        hints[person.id] = tokens["id_token"]
    return hints


async def _who(agent: Agent, world: World, **changes: str) -> str:
    tokens = await world.silent_tokens(agent, "told", **changes)
    introspected = await world.http.get(
        world.metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {tokens['access_token']}"}
    )
    sub: str = introspected.json()["sub"]
    return sub


async def test_user_chooses_between_two_accounts(tab: Page, world: World) -> None:
    """After a second account was added with select_account, the account selection is shown and used."""
    login = LoginPages(tab)
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await login.sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    await pages.begin("prompt=select_account")
    await expect(tab.locator("#account-1")).to_contain_text("Alice Liddell")
    await login.choose_another_account()
    await login.sign_in(BOB.login_name, BOB.password)
    await expect(pages.claim("sub")).to_have_text(BOB.id)
    other = RelyingPartyPages(tab, world.rp_url("jwt"))
    await other.begin()
    await expect(tab.locator("#account-1")).to_contain_text(BOB.login_name)
    await login.choose_account(2)

    await expect(other.claim("sub")).to_have_text(ALICE.id)


@pytest.mark.long
async def test_stale_account_requires_its_password(tab: Page, world: World) -> None:
    """With max_age=0 a chosen account is identified but must enter its password again (AZ-14)."""
    login = LoginPages(tab)
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    for person in (ALICE, BOB):
        await pages.begin("prompt=login")
        await login.sign_in(person.login_name, person.password)
        await expect(pages.claim("sub")).to_have_text(person.id)
    await pages.begin("max_age=0")
    await expect(tab.locator("#account-1 span")).to_have_text("Password required")
    await login.choose_account(2)
    await expect(tab.locator("#login-shown")).to_contain_text("alice")
    await login.enter_password(ALICE.password)

    await expect(pages.claim("sub")).to_have_text(ALICE.id)


@pytest.mark.long
async def test_select_account_is_shown_for_one_account(tab: Page, world: World) -> None:
    """prompt=select_account shows the page for one account too, and choosing it needs no password."""
    login = LoginPages(tab)
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await login.sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    first = (await pages.session())["claims"]
    await pages.begin("prompt=select_account")
    await login.choose_account(1)
    await pages.expect_signed_in()
    second = (await pages.session())["claims"]

    assert second["nonce"] != first["nonce"]
    assert (second["sub"], second["sid"], second["auth_time"]) == (first["sub"], first["sid"], first["auth_time"])


@pytest.mark.long
async def test_consent_prompt_is_accepted_without_a_page(tab: Page, world: World) -> None:
    """prompt=consent is accepted without a page, because registered applications are trusted (conformance 3.2)."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin("prompt=consent")
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    login = requests_to(tab.context, "/ui/login")
    await pages.begin("prompt=consent")
    await pages.expect_signed_in()

    assert login == []


async def test_prompt_none_with_two_accounts_needs_interaction(world: World) -> None:
    """prompt=none answers interaction_required, unless a hint selects one account (OIDC Core 3.1.2.6)."""
    async with world.agent() as agent:
        hints = await _sign_in_both(agent, world)
        asked = await agent.open(begin(world.metadata, world.clients["basic"], prompt="none").url)
        by_token = [await _who(agent, world, prompt="none", id_token_hint=hints[person.id]) for person in (ALICE, BOB)]
        by_name = [await _who(agent, world, prompt="none", login_hint=_full_name(person)) for person in (ALICE, BOB)]

    assert asked.returned is not None
    assert asked.returned["error"] == "interaction_required"
    assert by_token == by_name == [ALICE.id, BOB.id]


async def test_organization_scope_leaves_one_account(world: World) -> None:
    """With an organization scope, accounts of other organizations do not make the choice ambiguous."""
    async with world.agent() as agent:
        await _sign_in_both(agent, world)
        who = await _who(agent, world, scope="openid urn:portico:org:id:e2e-other-org")

    assert who == BOB.id


async def test_login_prompt_requires_authentication(world: World) -> None:
    """prompt=login requires authentication for every account, also together with select_account."""
    async with world.agent() as agent:
        await _sign_in_both(agent, world)
        alone = await agent.open(begin(world.metadata, world.clients["basic"], prompt="login").url)
        both = await agent.open(begin(world.metadata, world.clients["basic"], prompt="login select_account").url)
        chosen = await agent.press("account-1") if both.shows("account-1") else both

    assert alone.shows("loginname")
    assert chosen.shows("password")


async def test_account_of_another_browser_cannot_be_chosen(world: World) -> None:
    """The ids on the account page are valid only in the browser that they were shown in (LG-11, P3)."""
    wanted = begin(world.metadata, world.clients["basic"], prompt="select_account")
    async with world.agent() as agent, world.agent() as thief:
        await _sign_in_both(agent, world)
        shown = (await agent.open(wanted.url)).document.form_with("account-1")
        assert shown is not None
        stolen = shown.filled("account-1", {})["account"]
        begun = begin(world.metadata, world.clients["basic"], prompt="login")
        await thief.sign_in(begun.url, ALICE.login_name, ALICE.password)
        page = await thief.open(begin(world.metadata, world.clients["basic"], prompt="select_account").url)
        form = page.document.form_with("account-1")
        assert form is not None
        answer = await thief.http.post(
            str(page.response.url),
            data={**form.filled("account-1", {}), "account": stolen},
            headers={"Origin": world.issuer, "Sec-Fetch-Site": "same-origin"},
        )

    assert not any(word in redirect_from(answer) for word in ("code=", "resume"))


@pytest.mark.long
async def test_max_age_0_requires_new_sign_in(tab: Page, world: World) -> None:
    """max_age=0 requires the password in spite of the session, then answers with a new auth_time (AZ-14)."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    first = (await pages.session())["claims"]
    await pages.begin("max_age=0")
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    second = (await pages.session())["claims"]

    assert second["nonce"] != first["nonce"]
    assert second["auth_time"] >= first["auth_time"]
    assert second["sid"] == first["sid"]


def _full_name(person: KnownUser) -> str:
    return f"{person.login_name}@{person.domain}"
