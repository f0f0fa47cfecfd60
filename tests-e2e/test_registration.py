"""Self-registration on the way to an application, with verification of the email address."""

from __future__ import annotations

import secrets

import pytest
from playwright.async_api import Page, expect
from portico_scenarios.agent import Agent
from portico_scenarios.agent import Page as Landing
from portico_scenarios.id_token import checked_claims
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.mailbox import mailed_code, mails_to
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import begin, userinfo
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

PASSWORD = "a lighthouse in the fog"


def _new_address() -> str:
    return f"nora-{secrets.token_hex(6)}@mail.example.test"


async def _register(agent: Agent, mail: str, password: str = PASSWORD) -> Landing:
    return await agent.press(
        "register-submit",
        register_email=mail,
        register_firstname="Nora",
        register_lastname="Newcomer",
        register_password=password,
    )


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param(True, id="with scripts", marks=pytest.mark.long),
        pytest.param(False, id="without scripts"),
    ],
)
async def test_new_user_registers_and_signs_in(either_tab: Page, world: World) -> None:
    """With prompt=create and the emailed code the application gets a verified address, without scripts."""
    mail = _new_address()
    pages = RelyingPartyPages(either_tab, world.rp_url("basic"))
    login = LoginPages(either_tab)
    await pages.begin("prompt=create")
    await login.register(mail, PASSWORD)
    await expect(either_tab.locator("#mail-shown")).to_have_text(mail)
    await login.enter_mail_code(await mailed_code(world.mails, mail))
    await pages.expect_signed_in()
    session = await pages.session()

    assert session["userinfo"]["email"] == mail
    assert session["userinfo"]["email_verified"] is True
    assert session["userinfo"]["name"] == "Nora Newcomer"
    assert session["claims"]["amr"] == ["pwd"]


async def test_registration_works_with_plain_html(world: World) -> None:
    """The whole registration works in a browser that only parses HTML, and afterwards the account can sign in."""
    mail = _new_address()
    begun = begin(world.metadata, world.clients["basic"], prompt="create")
    async with world.agent() as agent:
        await agent.open(begun.url)
        shown = await _register(agent, mail)
        page = await agent.press("mail-code-submit", mail_code=await mailed_code(world.mails, mail))
        tokens = (await world.redeem("basic", code_in(page), code_verifier=begun.verifier)).json()
    claims = await checked_claims(world.http, world.metadata, tokens["id_token"], "e2e-basic")
    again = begin(world.metadata, world.clients["basic"])
    async with world.agent() as other:
        signed_in = await other.sign_in(again.url, mail, PASSWORD)
        known = (await world.redeem("basic", code_in(signed_in), code_verifier=again.verifier)).json()
    said = (await userinfo(world.http, world.metadata, known["access_token"])).json()

    assert shown.shows("mail-code")
    assert said["sub"] == claims["sub"]
    assert said["email"] == mail


async def test_login_and_registration_link_to_each_other(world: World) -> None:
    """The login page links to the registration, and the registration page links back."""
    async with world.agent() as agent:
        await agent.open(begin(world.metadata, world.clients["basic"]).url)
        form = await agent.press("register-start")
        back = await agent.press("login-restart")

    assert form.shows("register-submit")
    assert back.shows("loginname")


async def test_account_cannot_be_used_before_its_code(world: World) -> None:
    """Until the code is entered there is no session and no account that could sign in (LG-08)."""
    mail = _new_address()
    silent = begin(world.metadata, world.clients["basic"], prompt="none")
    async with world.agent() as agent:
        await agent.open(begin(world.metadata, world.clients["basic"], prompt="create").url)
        shown = await _register(agent, mail)
        request = str(shown.response.url).partition("request=")[2]
        skipped = await agent.open(f"{world.issuer}/oauth/v2/authorize/resume?request={request}")
        asked = await agent.open(silent.url)
    async with world.agent() as other:
        early = await other.sign_in(begin(world.metadata, world.clients["basic"]).url, mail, PASSWORD)

    assert skipped.returned is None
    assert asked.returned is not None
    assert asked.returned["error"] == "login_required"
    assert early.returned is None


async def test_wrong_code_is_refused_and_another_can_be_sent(world: World) -> None:
    """A wrong code is reported, and after another email its code works and the first one is invalid."""
    mail = _new_address()
    begun = begin(world.metadata, world.clients["basic"], prompt="create")
    async with world.agent() as agent:
        await agent.open(begun.url)
        await _register(agent, mail)
        first = await mailed_code(world.mails, mail)
        wrong = await agent.press("mail-code-submit", mail_code="AAAAAA" if first != "AAAAAA" else "BBBBBB")
        resent = await agent.press("mail-code-resend")
        second = await mailed_code(world.mails, mail, 2) if resent.shows("mail-resent") else first
        page = await agent.press("mail-code-submit", mail_code=second)

    assert wrong.shows("login-problem")
    assert "code" in (page.returned or {})


async def test_known_email_looks_like_a_new_one(world: World) -> None:
    """Registering a known address shows the same page and notifies its owner by email only (LG-01)."""
    known, unknown = "alice@mail.example.test", _new_address()
    pages = []
    for mail in (known, unknown):
        async with world.agent() as agent:
            await agent.open(begin(world.metadata, world.clients["basic"], prompt="create").url)
            pages.append((await _register(agent, mail), mail))
    [mine] = await mails_to(world.mails, known)

    assert [page.status for page, _ in pages] == [200, 200]
    assert [page.shows("mail-code") for page, _ in pages] == [True, True]
    assert str(mine["To"]) == known
    async with world.agent() as agent:
        begun = begin(world.metadata, world.clients["basic"])
        assert code_in(await agent.sign_in(begun.url, ALICE.login_name, ALICE.password))


async def test_registration_errors_keep_the_input(world: World) -> None:
    """A wrong address or a bad password is reported, and the input is preserved except for the password."""
    sent = (
        ("not an address", PASSWORD),
        ("", PASSWORD),
        (_new_address(), "0Hx7?"),
        (_new_address(), "password123"),
        (_new_address(), ""),
    )
    for mail, password in sent:
        async with world.agent() as agent:
            await agent.open(begin(world.metadata, world.clients["basic"], prompt="create").url)
            page = await _register(agent, mail, password)

        assert page.status == 200, (mail, password)
        assert page.shows("login-problem"), (mail, password)
        assert page.shows("register-submit"), (mail, password)
        assert 'value="Nora"' in page.response.text, (mail, password)
        assert password not in page.response.text or password == ""


async def test_email_is_in_the_language_of_the_page(world: World) -> None:
    """A registration page in another language sends its email in that language."""
    mail = _new_address()
    async with world.agent() as agent:
        await agent.open(begin(world.metadata, world.clients["basic"], prompt="create", ui_locales="ar").url)
        await _register(agent, mail)
    [got] = await mails_to(world.mails, mail)
    body = got.get_body(("plain",))

    assert body is not None
    assert "رمز" in body.get_content()
    assert got["Content-Language"] == "ar"
