"""Logout: immediate with a hint, after confirmation without one, with back-channel notification."""

from __future__ import annotations

import secrets
from urllib.parse import urlencode

import httpx
import jwt
import pytest
from playwright.async_api import Page, expect
from portico_harness.eventually import eventually
from portico_harness.portico_command import portico
from portico_scenarios.agent import Agent
from portico_scenarios.id_token import doubly_checked_claims
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages, requests_to
from portico_scenarios.participants import ALICE, BOB, OTHER_AFTER_LOGOUT, after_logout
from portico_scenarios.programs import API
from portico_scenarios.relying_party import begin, userinfo
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

EVENT = "http://schemas.openid.net/event/backchannel-logout"
STATE = "-._~" * 32
"""128 characters, including those that need no encoding but are sometimes encoded."""


def _url(world: World, **parameters: str) -> str:
    return f"{world.metadata['end_session_endpoint']}?{urlencode(parameters)}"


async def _sign_in(agent: Agent, world: World, name: str = "basic", person: str = "alice") -> dict[str, str]:
    who = {"alice": ALICE, "bob": BOB}[person]
    begun = begin(world.metadata, world.clients[name], prompt="login", scope="openid profile offline_access")
    code = code_in(await agent.sign_in(begun.url, who.login_name, who.password))
    tokens: dict[str, str] = (await world.redeem(name, code, code_verifier=begun.verifier)).json()
    return tokens


async def _portico_sessions(world: World, *arguments: str) -> list[str]:
    ran = await portico("sessions", *arguments, "--data", world.stack.options.data)
    assert ran.status == 0, ran.output
    return ran.lines


async def _is_signed_in(agent: Agent, world: World) -> bool:
    page = await agent.open(begin(world.metadata, world.clients["basic"], prompt="none").url)
    return page.returned is not None and "code" in page.returned


async def _is_active(world: World, token: str) -> bool:
    active: bool = (await world.ask("introspection_endpoint", API.client, token=token)).json()["active"]
    return active


@pytest.mark.long
async def test_operator_lists_and_ends_sessions(world: World) -> None:
    """Every session of a user is listed, and a given one ends with its tokens before the command returns."""
    async with world.agent() as here, world.agent() as there:
        mine = await _sign_in(here, world)
        other = await _sign_in(there, world)
        sid = (await doubly_checked_claims(world.http, world.metadata, mine["id_token"], "e2e-basic"))["sid"]
        listed = await _portico_sessions(world, "list", ALICE.id)
        ended = await _portico_sessions(world, "end", ALICE.id, sid)
        signed_in = [await _is_signed_in(here, world), await _is_signed_in(there, world)]
    active = [await _is_active(world, one["access_token"]) for one in (mine, other)]
    left = await _portico_sessions(world, "list", ALICE.id)

    assert sid in {line.split()[0] for line in listed}
    assert ended == ["1 session ended."]
    assert signed_in == active == [False, True]
    assert sid not in {line.split()[0] for line in left}


async def test_logout_with_hint_notifies_other_applications(tab: Page, world: World) -> None:
    """A logout with a hint needs no confirmation, and a second application is notified by the back channel."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    other = RelyingPartyPages(tab, world.rp_url("jwt"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    await other.begin()
    await other.expect_signed_in()
    claims = (await other.session())["claims"]
    asked = requests_to(tab.context, "/ui/login/logout")
    await pages.sign_out_everywhere()
    await pages.expect_signed_out()
    token = await _logout_token(world, "jwt", claims["sid"])
    await tab.goto(other.url)
    await expect(tab.locator("#rp-signed-out-by-provider")).to_be_visible()
    await other.begin("prompt=none")
    await other.expect_error("login_required")
    told = await doubly_checked_claims(world.http, world.metadata, token, "e2e-jwt")

    assert asked == []
    assert jwt.get_unverified_header(token)["typ"] == "logout+jwt"
    assert set(told) == {"iss", "aud", "iat", "exp", "jti", "events", "sub", "sid"}
    assert told["events"] == {EVENT: {}}
    assert (told["sub"], told["sid"]) == (claims["sub"], claims["sid"])
    assert told["aud"] == "e2e-jwt"
    assert told["exp"] - told["iat"] <= 120
    assert len(told["jti"]) >= 22


async def _logout_token(world: World, name: str, sid: str) -> str:
    """Returns the only logout token that an application received for a session."""

    async def received() -> list[str]:
        tokens = (await world.http.get(f"{world.rp_url(name)}/logout-tokens.json")).json()
        return [token for token in tokens if jwt.decode(token, options={"verify_signature": False})["sid"] == sid]

    [token] = await eventually(received, bool)
    return token


async def test_logout_token_is_not_accepted_elsewhere(world: World) -> None:
    """A logout token is refused as a hint, at userinfo and by another application."""
    async with world.agent() as agent:
        tokens = await _sign_in(agent, world)
        sid = jwt.decode(tokens["id_token"], options={"verify_signature": False})["sid"]
        await agent.open(_url(world, id_token_hint=tokens["id_token"]))
        token = await _logout_token(world, "basic", sid)
        await _sign_in(agent, world)
        refused = await agent.open(_url(world, id_token_hint=token))
        still = await _is_signed_in(agent, world)
    again, foreign, nonsense = [
        await world.http.post(f"{world.rp_url(name)}/backchannel-logout", data={"logout_token": text})
        for name, text in (("basic", token), ("jwt", token), ("basic", "nonsense"))
    ]

    assert (await userinfo(world.http, world.metadata, token)).status_code == 401
    assert refused.status == 400
    assert still
    assert [answer.status_code for answer in (again, foreign, nonsense)] == [400, 400, 400]
    assert again.headers["cache-control"] == "no-store"


async def test_tokens_of_the_session_are_inactive_at_once(world: World) -> None:
    """Introspection, userinfo and refresh refuse the tokens before the browser is redirected (IR-08, IR-14)."""
    async with world.agent() as agent:
        opaque = await _sign_in(agent, world, "offline")
        begun, code = await world.silent_code(agent, "jwt")
        structured = (await world.redeem("jwt", code, code_verifier=begun.verifier)).json()
        tokens = [opaque["access_token"], structured["access_token"]]
        before = [await _is_active(world, token) for token in tokens]
        await agent.open(_url(world, id_token_hint=opaque["id_token"]))
        after = [await _is_active(world, token) for token in tokens]
    asked = [(await userinfo(world.http, world.metadata, token)).status_code for token in tokens]
    refreshed = await world.ask(
        "token_endpoint", world.clients["offline"], grant_type="refresh_token", refresh_token=opaque["refresh_token"]
    )

    assert before == [True, True]
    assert after == [False, False]
    assert asked == [401, 401]
    assert (refreshed.status_code, refreshed.json()["error"]) == (400, "invalid_grant")


async def test_browser_returns_with_its_state(world: World) -> None:
    """The redirect has exactly the sent state and the registered query (RP-Initiated Logout 1.0 §3)."""
    basic = world.clients["basic"]
    async with world.agent() as agent:
        hint = (await _sign_in(agent, world))["id_token"]
        plain = await agent.open(_url(world, id_token_hint=hint, post_logout_redirect_uri=after_logout(basic)))
        hint = (await _sign_in(agent, world))["id_token"]
        kept = await agent.open(
            _url(world, id_token_hint=hint, post_logout_redirect_uri=OTHER_AFTER_LOGOUT, state=STATE)
        )
        cookies = dict(agent.http.cookies)

    assert (plain.location, plain.returned) == (after_logout(basic), {})
    assert kept.location == f"{OTHER_AFTER_LOGOUT}&state={STATE}"
    assert cookies == {}


async def test_logout_without_hint_requires_confirmation(tab: Page, world: World) -> None:
    """Without a hint a page names the user, and the session ends only after the button is pressed (IR-13)."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    back, state = after_logout(world.clients["basic"]), secrets.token_hex(16)
    await tab.goto(_url(world, client_id="e2e-basic", post_logout_redirect_uri=back, state=state))
    await expect(tab.locator("#logout-confirm-page")).to_contain_text("Alice Liddell")
    question = tab.url
    await pages.begin("prompt=none")
    await pages.expect_signed_in()
    await tab.goto(question)
    async with tab.expect_request(f"{back}**") as returned:
        await LoginPages(tab).confirm_logout()
    address = (await returned.value).url
    await tab.wait_for_url(f"{back}**")
    await pages.begin("prompt=none")
    await pages.expect_error("login_required")

    assert address == f"{back}?state={state}"


async def test_logout_without_redirect_uri_shows_the_signed_out_page(world: World) -> None:
    """The signed-out page follows the confirmation, also of an address without an application (decision 0028)."""
    alone = {"post_logout_redirect_uri": after_logout(world.clients["basic"]), "state": STATE}
    sent: tuple[dict[str, str], ...] = (
        {},
        {"state": STATE},
        {"client_id": "e2e-basic"},
        {"logout_hint": "alice"},
        alone,
    )
    for parameters in sent:
        async with world.agent() as agent:
            await _sign_in(agent, world)
            asked = await agent.open(_url(world, **parameters))
            done = await agent.press("logout-confirm")
            again = await agent.open(_url(world, **parameters))
            signed_in = await _is_signed_in(agent, world)

        assert asked.shows("logout-confirm-page"), parameters
        assert done.shows("logged-out-page"), parameters
        assert again.shows("logged-out-page"), parameters
        assert {page.shows("logout-stays") for page in (asked, done, again)} == {parameters is alone}, parameters
        assert not signed_in, parameters


async def test_hint_ends_one_of_two_sessions(world: World) -> None:
    """The hint's session ends, and the other user of the browser stays signed in."""
    async with world.agent() as agent:
        alice = await _sign_in(agent, world)
        bob = await _sign_in(agent, world, person="bob")
        await agent.open(_url(world, id_token_hint=alice["id_token"]))
        left = await world.silent_tokens(agent, "basic", prompt="none")
        active = [await _is_active(world, tokens["access_token"]) for tokens in (alice, bob, left)]

    assert active == [False, True, True]


async def test_hint_of_another_browser_requires_confirmation(world: World) -> None:
    """A valid hint of another browser's session ends nothing there, and here only after confirmation (IR-13)."""
    async with world.agent() as agent, world.agent() as other:
        hint = (await _sign_in(other, world))["id_token"]
        await _sign_in(agent, world, person="bob")
        asked = await agent.open(_url(world, id_token_hint=hint))
        elsewhere = await _is_signed_in(other, world)
        here = await _is_signed_in(agent, world)

    assert asked.shows("logout-confirm-page")
    assert elsewhere
    assert here


REFUSED = {
    "address not registered": {"client_id": "e2e-basic", "post_logout_redirect_uri": "https://evil.example.test/"},
    "address with more": {"client_id": "e2e-basic", "post_logout_redirect_uri": "BACK?x=1"},
    "address of another": {"client_id": "e2e-jwt", "post_logout_redirect_uri": "BACK"},
    "redirect_uri instead": {"client_id": "e2e-basic", "post_logout_redirect_uri": "CALLBACK"},
    "script": {"client_id": "e2e-basic", "post_logout_redirect_uri": "javascript:alert(1)"},
    "hint is nonsense": {"id_token_hint": "nonsense", "post_logout_redirect_uri": "BACK"},
    "hint is changed": {"id_token_hint": "CHANGED", "post_logout_redirect_uri": "BACK"},
    "hint without signature": {"id_token_hint": "UNSIGNED", "post_logout_redirect_uri": "BACK"},
    "hint is an access token": {"id_token_hint": "ACCESS"},
    "client is not the hint's": {"id_token_hint": "HINT", "client_id": "e2e-jwt"},
    "client is unknown": {"client_id": "e2e-nobody"},
}


async def test_invalid_logout_request_is_a_page_and_ends_nothing(world: World) -> None:
    """An invalid logout request does not redirect and ends no session (IR-10)."""
    basic = world.clients["basic"]
    wrong = {}
    async with world.agent() as agent:
        hint = (await _sign_in(agent, world))["id_token"]
        told = {
            "BACK": after_logout(basic),
            "CALLBACK": basic.redirect_uri,
            "HINT": hint,
            "CHANGED": hint[:-8] + ("A" * 8 if not hint.endswith("A" * 8) else "B" * 8),
            "UNSIGNED": jwt.encode(jwt.decode(hint, options={"verify_signature": False}), "", algorithm="none"),
            "ACCESS": (await world.silent_tokens(agent, "jwt"))["access_token"],
        }
        for what, parameters in REFUSED.items():
            filled = {name: told.get(value, value.replace("BACK", told["BACK"])) for name, value in parameters.items()}
            page = await agent.open(_url(world, **filled))
            shown = (page.returned, page.status, page.shows("error-page"), await _is_signed_in(agent, world))
            if shown != (None, 400, True, True):
                wrong[what] = shown

    assert wrong == {}


async def test_logout_accepts_post(world: World) -> None:
    """POST works as GET does, with the hint in the body and in no log (RP-Initiated Logout 1.0 §2)."""
    async with world.agent() as agent:
        hint = (await _sign_in(agent, world))["id_token"]
        answer = await agent.http.post(
            world.metadata["end_session_endpoint"],
            data={"id_token_hint": hint, "post_logout_redirect_uri": OTHER_AFTER_LOGOUT, "state": "x"},
        )
        assert answer.status_code == 303
        page = await agent.open(str(httpx.URL(world.issuer).join(answer.headers["location"])))
        signed_in = await _is_signed_in(agent, world)

    assert hint not in answer.headers["location"]
    assert page.location == f"{OTHER_AFTER_LOGOUT}&state=x"
    assert not signed_in


async def test_cross_site_logout_confirmation_is_refused(world: World) -> None:
    """A logout confirmation is accepted from the provider's own page only (LG-14)."""
    async with world.agent() as agent:
        await _sign_in(agent, world)
        page = await agent.open(_url(world))
        form = page.document.form_with("logout-confirm")
        assert form is not None
        answers = [
            await agent.http.post(
                str(page.response.url),
                data=form.filled("logout-confirm", {}),
                headers={"Origin": world.issuer, "Sec-Fetch-Site": "same-origin", **headers},
            )
            for headers in ({"Origin": "https://evil.example.test"}, {"Sec-Fetch-Site": "cross-site"})
        ]
        signed_in = await _is_signed_in(agent, world)

    assert [answer.status_code for answer in answers] == [403, 403]
    assert signed_in


async def test_back_button_after_logout_shows_no_account(tab: Page, world: World) -> None:
    """Going back to the account page after a logout starts a new sign-in and shows no user's name (IR-14)."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    await pages.begin("prompt=select_account")
    await expect(tab.locator("#account-1")).to_be_visible()
    shown = tab.url
    await tab.goto(_url(world))
    await LoginPages(tab).confirm_logout()
    await expect(tab.locator("#logged-out-page")).to_be_visible()
    await tab.goto(shown)

    await expect(tab.locator("#loginname")).to_be_visible()
    await expect(tab.locator("body")).not_to_contain_text("Alice")
