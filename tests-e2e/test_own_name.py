"""A custom host name and certificate of the issuer, as with ``make up HOST=… CERT=… KEY=…``."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, async_playwright
from portico_harness.certificates import write_certificate
from portico_scenarios.administrator import administrator_of
from portico_scenarios.id_token import checked_claims
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.participants import ALICE
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.machine.public_name import read_certificate
from portico_stack.running.record import find_running
from portico_stack.running.status import ask_all

pytestmark = [pytest.mark.e2e, pytest.mark.long]

HOST = "id.example.test"


@pytest.fixture(scope="module")
async def named(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A stack whose issuer's name only the clients here can resolve."""
    files = write_certificate(tmp_path_factory.mktemp("certificate"), HOST)
    certificate = read_certificate(files.certificate, files.key, HOST)
    options = StackOptions(tmp_path_factory.mktemp("named"), port=0, https=True, host=HOST, certificate=certificate)
    async with started(options) as one:
        yield one


@pytest.fixture
async def tab_there(named: World) -> AsyncIterator[Page]:
    """A tab of a browser that resolves the name to this machine."""
    rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1"
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu", "--disable-quic", rules]
        )
        context = await chromium.new_context(ignore_https_errors=True)
        yield await context.new_page()
        await chromium.close()


async def test_user_signs_in_and_out_at_custom_host(tab_there: Page, named: World) -> None:
    """Issuer, tokens, cookies and logout use the custom host, and relying parties follow it."""
    pages = RelyingPartyPages(tab_there, named.rp_url("basic"))
    await pages.begin()
    await LoginPages(pages.page).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    token = (await pages.session())["token"]
    claims = await checked_claims(named.http, named.metadata, token["id_token"], "e2e-basic")
    cookies = [one for one in await tab_there.context.cookies(named.issuer) if "demo-rp" not in one.get("name", "")]
    await pages.sign_out_everywhere()
    await pages.expect_signed_out()

    assert named.issuer.startswith(f"https://{HOST}:")
    assert claims["iss"] == named.issuer
    assert cookies
    assert {one.get("domain") for one in cookies} == {HOST}
    assert all(one.get("name", "").startswith("__Host-") for one in cookies)


async def test_webauthn_is_bound_to_custom_host(named: World) -> None:
    """The rpId of WebAuthn is the issuer's host, and all discovery URLs have that host."""
    admin = await administrator_of(named)
    human = admin.human("keyed")
    await admin.json("portico.user.v2.UserService.AddHumanUser", human)
    begun = await admin.json(
        "portico.user.v2.UserService.RegisterPasskey",
        {},
        path=f"/v2/users/{human['userId']}/passkeys",
    )
    endpoints = [url for name, url in named.metadata.items() if name.endswith("_endpoint") or name == "jwks_uri"]

    assert begun.code == 0, begun.body
    assert begun.body["publicKeyCredentialCreationOptions"]["publicKey"]["rp"]["id"] == HOST
    assert all(url.startswith(f"{named.issuer}/") for url in endpoints)


async def test_status_and_startup_use_custom_host(named: World) -> None:
    """Readiness, ``portico status`` and the demo relying party reach the issuer by its name over https."""
    running = find_running(named.stack.options.data)
    assert running is not None
    states = await ask_all(running)

    assert [state.name for state in states if not state.ready] == []
