"""Second factors through the real gateway: registered by the management API, required at sign-in, stated in
id_tokens.
"""

from __future__ import annotations

import html
import json
import re
import secrets
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect
from portico_contracts.apply import Document, LoginPolicy, Organization, ServiceUser
from portico_contracts.http import AUTHORIZE_RESUME
from portico_fakes.soft_authenticator import SoftAuthenticator
from portico_harness.eventually import eventually
from portico_scenarios.agent import Agent
from portico_scenarios.agent import Page as Landing
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.mailbox import mails_to
from portico_scenarios.relying_party import Client, begin
from portico_scenarios.second_factor_user import PASSWORD, SecondFactorUser, second_factor_user
from portico_scenarios.virtual_key import plug_in
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

SCOPE = "openid urn:portico:project:id:portico:aud"
ADMIN_SECRET = "the secret of the one who administers"

OTP = ["pwd", "otp", "mfa"]
KEY = ["pwd", "hwk", "user", "mfa"]
MFA, PHR = "urn:portico:acr:mfa", "urn:portico:acr:phr"


@pytest.fixture(scope="module")
async def admin_token(world: World) -> str:
    id = f"admin-{secrets.token_hex(4)}"
    user = ServiceUser(id=id, username=id, name="Administrator", secret=ADMIN_SECRET, roles=("IAM_OWNER",))
    await world.stack.apply(Document(organizations=(Organization(id=f"org-{id}", name=id, service_users=(user,)),)))
    client = Client(id, "", ADMIN_SECRET, "client_secret_basic")
    token: str = (await world.grant(client, "client_credentials", scope=SCOPE))["access_token"]
    return token


@pytest.fixture
async def ada(world: World, admin_token: str) -> SecondFactorUser:
    return await second_factor_user(world, "ada", admin_token)


@pytest.mark.parametrize("protocol", ["ctap2", pytest.param("u2f", marks=pytest.mark.long)])
async def test_registered_security_key_is_required_at_sign_in(
    world: World, tab: Page, ada: SecondFactorUser, protocol: str
) -> None:
    """A key of Chromium's virtual authenticator is required at sign-in, and no code is issued before (LG-08)."""
    said: list[str] = []
    await plug_in(tab, protocol)
    await ada.add_key(tab)
    # CSP violations are logged as errors; a field focused before its page was painted is not an error.
    tab.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ada.id, PASSWORD)
    await expect(tab.locator("#security-key-page")).to_be_visible()
    await tab.locator("#webauthn-start").click()
    await pages.expect_signed_in()
    claims = (await pages.session())["claims"]

    assert (claims["sub"], claims["amr"], claims["acr"]) == (ada.id, KEY, PHR)
    assert said == []


async def test_passkey_signs_in_alone(world: World, tab: Page, ada: SecondFactorUser) -> None:
    """A passkey with user verification signs in without name and password, and counts as two factors."""
    await plug_in(tab, "ctap2")
    await ada.add_key(tab, "passkeys")
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await tab.locator("#passkey-start").click()
    await tab.locator("#webauthn-start").click()
    await pages.expect_signed_in()
    claims = (await pages.session())["claims"]

    assert (claims["sub"], claims["amr"], claims["acr"]) == (ada.id, ["hwk", "user", "mfa"], PHR)


async def test_passkey_is_offered_by_autofill(world: World, tab: Page, ada: SecondFactorUser) -> None:
    """With conditional mediation the passkey offered on the first page completes the sign-in without a click."""
    said: list[str] = []
    await plug_in(tab, "ctap2", "internal")
    await ada.add_key(tab, "passkeys")
    tab.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await pages.expect_signed_in()
    claims = (await pages.session())["claims"]

    assert (claims["sub"], claims["amr"], claims["acr"]) == (ada.id, ["hwk", "user", "mfa"], PHR)
    assert said == []


async def test_missing_security_key_is_reported(world: World, tab: Page, ada: SecondFactorUser) -> None:
    """With another key attached the page reports that none answered, and offers another factor."""
    await ada.add_soft_key()
    await ada.add_totp()
    await plug_in(tab, "ctap2")
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ada.id, PASSWORD)
    await tab.locator("#webauthn-start").click()
    await expect(tab.locator("#webauthn-failed")).to_be_visible()
    await expect(tab.locator("#webauthn-start")).to_be_focused()
    await tab.locator("#factor-totp").click()
    await tab.locator("#otp").fill(ada.next_code())
    await tab.locator("#otp-submit").click()
    await pages.expect_signed_in()

    assert (await pages.session())["claims"]["amr"] == OTP


async def test_security_key_page_without_scripts(browser: Browser, world: World, ada: SecondFactorUser) -> None:
    """With JavaScript switched off the page states that WebAuthn needs it, and other factors work."""
    await ada.add_soft_key()
    await ada.add_totp()
    context = await browser.new_context(java_script_enabled=False)
    try:
        tab = await context.new_page()
        pages = RelyingPartyPages(tab, world.rp_url("basic"))
        await pages.begin()
        await LoginPages(tab).sign_in(ada.id, PASSWORD)
        await expect(tab.locator("#webauthn-script")).to_be_visible()
        await expect(tab.locator("#webauthn-start")).to_be_disabled()
        await tab.locator("#factor-totp").click()
        await tab.locator("#otp").fill(ada.next_code())
        await tab.locator("#otp-submit").click()
        await pages.expect_signed_in()
    finally:
        await context.close()


async def test_totp_codes_work_once(world: World, ada: SecondFactorUser) -> None:
    """A wrong code and a reused one are refused (LG-07), and amr and acr are in the id_token."""
    await ada.add_totp()
    async with world.agent() as agent:
        begun, page = await ada.begin(agent)
        assert page.shows("totp-page")
        wrong = await agent.press("otp-submit", otp="000000")
        assert wrong.shows("login-problem")
        code = ada.next_code()
        claims = await ada.claims_after(begun, await agent.press("otp-submit", otp=code))
    async with world.agent() as agent:
        await ada.begin(agent)
        again = await agent.press("otp-submit", otp=code)

    assert (claims["amr"], claims["acr"]) == (OTP, MFA)
    assert again.shows("totp-page")
    assert again.shows("login-problem")


async def test_email_codes_and_recovery_codes_work_once(world: World, ada: SecondFactorUser) -> None:
    """Emailed codes and recovery codes can be chosen and entered without scripts, and each works once."""
    await ada.post("otp_email", {})
    recovery = (await ada.post("recovery_codes", {}))["recoveryCodes"][0]
    async with world.agent() as agent:
        begun, page = await ada.begin(agent)
        assert page.shows("otp-email-page")
        assert ada.mail not in page.response.text
        # Includes the notices of the two changes.
        bodies = [mail.get_body(("plain",)) for mail in await mails_to(world.mails, ada.mail, 3)]
        text = "\n".join(body.get_content() for body in bodies if body)
        # On a separate line, because the login name may also end in eight digits.
        [code] = re.findall(r"^ {4}([0-9]{8})\r?$", text, re.MULTILINE)
        mailed = await ada.claims_after(begun, await agent.press("otp-submit", otp=code))
    async with world.agent() as agent:
        begun, _ = await ada.begin(agent)
        await agent.press("factor-recovery-code")
        recovered = await ada.claims_after(begun, await agent.press("otp-submit", otp=recovery.lower()))
    async with world.agent() as agent:
        await ada.begin(agent)
        await agent.press("factor-recovery-code")
        again = await agent.press("otp-submit", otp=recovery)

    assert mailed["amr"] == recovered["amr"] == OTP
    assert again.shows("login-problem")


async def test_step_up_requires_the_missing_factor_only(world: World, ada: SecondFactorUser) -> None:
    """LG-08: the password is not requested again, silent requests are refused, and the session keeps its auth_time."""
    async with world.agent() as agent:
        begun, page = await ada.begin(agent)
        before = await ada.claims_after(begun, page)
        await ada.add_totp()

        async def ask_silently() -> str:
            silent = await agent.open(begin(world.metadata, world.clients["basic"], prompt="none").url)
            return (silent.returned or {}).get("error", "")

        # authz's cached user data may be a second old.
        refused = await eventually(ask_silently, bool)
        begun = begin(world.metadata, world.clients["basic"])
        asked = await agent.open(begun.url)
        after = await ada.claims_after(begun, await agent.press("otp-submit", otp=ada.next_code()))
        begun = begin(world.metadata, world.clients["basic"], prompt="none")
        later = await ada.claims_after(begun, await agent.open(begun.url))

    assert refused == "interaction_required"
    assert asked.shows("totp-page")
    assert (before["amr"], after["amr"], later["amr"]) == (["pwd"], OTP, OTP)
    assert before["sid"] == after["sid"]
    assert before["auth_time"] == after["auth_time"]


async def test_second_factor_cannot_be_skipped(world: World, ada: SecondFactorUser) -> None:
    """LG-08: the resume URL, another request, a silent request and another step's form do not skip the factor."""
    await ada.add_totp()
    async with world.agent() as agent:
        await ada.begin(agent)
        id = str(httpx_query(agent)["request"])
        resumed = await agent.open(f"{world.issuer}{AUTHORIZE_RESUME}?request={id}")
        assert resumed.shows("totp-page")
        form = resumed.document.form_with("otp-submit")
        assert form is not None
        fields = form.filled("otp-submit", {"otp": ""})
        for step in ("password", "verify_mail", "change_password", "passkey"):
            crafted = {**fields, "step": step, "password": PASSWORD, "code": "123456", "credential": "{}"}
            crafted["new_password"] = PASSWORD
            await agent.http.post(str(resumed.response.url), data=crafted, headers={"Origin": world.issuer})
            resumed = await agent.open(f"{world.issuer}{AUTHORIZE_RESUME}?request={id}")
            assert resumed.shows("totp-page")
            form = resumed.document.form_with("otp-submit")
            assert form is not None
            fields = form.filled("otp-submit", {"otp": ""})
        silent = await agent.open(begin(world.metadata, world.clients["basic"], prompt="none").url)
        other = await agent.open(begin(world.metadata, world.clients["basic"]).url)

    assert (silent.returned or {}).get("error") == "login_required"
    assert other.shows("loginname-page")


def httpx_query(agent: Agent) -> Any:
    assert agent.page is not None
    return agent.page.response.url.params


async def test_security_key_of_another_user_is_refused(world: World, admin_token: str, ada: SecondFactorUser) -> None:
    """LG-20: another user's valid signature over the challenge is refused, and so is a reused response (LG-19)."""
    bob = await second_factor_user(world, "bob", admin_token)
    keys = {person.id: await person.add_soft_key() for person in (ada, bob)}
    async with world.agent() as agent:
        begun, page = await ada.begin(agent)
        foreign = await agent.press("webauthn-start", credential=_answer(keys[bob.id], page))
        assert foreign.shows("login-problem")
        right = _answer(keys[ada.id], foreign)
        claims = await ada.claims_after(begun, await agent.press("webauthn-start", credential=right))
    async with world.agent() as agent:
        await ada.begin(agent)
        again = await agent.press("webauthn-start", credential=right)

    assert claims["amr"] == KEY
    assert again.shows("security-key-page")
    assert again.shows("login-problem")


def _answer(key: SoftAuthenticator, page: Landing) -> str:
    [found] = re.findall(r'data-options="([^"]*)"', page.response.text)
    return json.dumps(key.get(json.loads(html.unescape(found))))


async def test_acr_values_request_a_stronger_sign_in(world: World, ada: SecondFactorUser) -> None:
    """A user with a key must use it, except that prompt=none fails, and the id_token states the acr."""
    key = await ada.add_soft_key()
    await ada.add_totp()
    async with world.agent() as agent:
        begun, _ = await ada.begin(agent)
        await agent.press("factor-totp")
        first = await ada.claims_after(begun, await agent.press("otp-submit", otp=ada.next_code()))
        begun = begin(world.metadata, world.clients["basic"], acr_values=PHR, prompt="none")
        silent = await ada.claims_after(begun, await agent.open(begun.url))
        begun = begin(world.metadata, world.clients["basic"], acr_values=PHR)
        page = await agent.open(begun.url)
        stronger = await ada.claims_after(begun, await agent.press("webauthn-start", credential=_answer(key, page)))
        # The key cannot be backed up.
        begun = begin(world.metadata, world.clients["basic"], acr_values="phrh phr", prompt="none")
        bound = await ada.claims_after(begun, await agent.open(begun.url))

    assert page.shows("security-key-page")
    assert [claims["acr"] for claims in (first, silent, stronger, bound)] == [MFA, MFA, PHR, "phrh"]
    assert stronger["amr"] == KEY


async def test_required_factor_must_be_registered_first(world: World, ada: SecondFactorUser) -> None:
    """The policy requires the registration; when it happens elsewhere, the sign-in starts again and requires it."""
    policy = LoginPolicy(force_mfa=True)
    await world.stack.apply(
        Document(organizations=(Organization(id=f"org-{ada.id}", name=ada.id, login_policy=policy),))
    )
    async with world.agent() as agent:
        begun, page = await ada.begin(agent)
        assert page.shows("enrol-mail-page")
        await ada.add_totp()
        again = await agent.open(str(page.response.url))
        asked = await agent.press("password-submit", password=PASSWORD)
        claims = await ada.claims_after(begun, await agent.press("otp-submit", otp=ada.next_code()))

    assert again.shows("login-problem")
    assert asked.shows("totp-page")
    assert claims["amr"] == OTP


async def test_factor_removed_by_policy_is_not_requested(world: World, ada: SecondFactorUser) -> None:
    """The password alone suffices while the policy excludes the factor, and no longer once it is restored."""
    await ada.add_totp()
    factors = f"{world.issuer}/management/v1/policies/login/second_factors"
    headers = {"Authorization": f"Bearer {ada.token}", "x-service-orgid": f"org-{ada.id}"}
    gone = await world.http.delete(f"{factors}/SECOND_FACTOR_TYPE_OTP", headers=headers)
    async with world.agent() as agent:
        begun, page = await ada.begin(agent)
        claims = await ada.claims_after(begun, page)
    back = await world.http.post(factors, json={"type": "SECOND_FACTOR_TYPE_OTP"}, headers=headers)

    async def is_asked() -> bool:
        async with world.agent() as agent:
            return (await ada.begin(agent))[1].shows("totp-page")

    assert (gone.status_code, back.status_code) == (200, 200), (gone.text, back.text)
    assert claims["amr"] == ["pwd"]
    assert await eventually(is_asked, bool)
