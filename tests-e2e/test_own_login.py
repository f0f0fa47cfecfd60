"""The login pages of `examples/own-login` on another host than the issuer's, as their README starts them (decision 0107)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Browser, Page, expect
from portico_contracts.apply import LoginPolicy
from portico_harness.eventually import eventually
from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.guide import Reader, blocks_of
from portico_scenarios.login_pages import RelyingPartyPages
from portico_scenarios.second_factor_user import PASSWORD, SecondFactorUser, second_factor_user
from portico_scenarios.third_party_app import ThirdPartyApp
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.machine.ports import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ROOT: Final = Path(__file__).parents[1]
README: Final = ROOT / "examples/own-login/README.md"
CLIENT: Final = "examples-login-pages"
SESSIONS: Final = "zitadel.session.v2.SessionService"
OIDC: Final = "zitadel.oidc.v2.OIDCService"


@dataclass(frozen=True, slots=True)
class OwnPages:
    """The pages, which run in their own process at `url`; `token` is that of their service user."""

    world: World
    url: str
    token: str
    owner: Administrator

    async def call(self, method: str, **members: Any) -> dict[str, Any]:
        """Calls as the server of the pages does."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = await self.world.http.post(f"{self.world.issuer}/{method}", json=members, headers=headers)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def begin(self, tab: Page) -> str:
        """Starts a sign-in at the application; returns the id of the authorization request."""
        await RelyingPartyPages(tab, self.world.rp_url("basic")).begin()
        await expect(tab.locator("#password")).to_be_visible()
        assert tab.url.startswith(f"{self.url}/login?")
        return parse_qs(urlsplit(tab.url).query)["authRequest"][0]

    async def enter_password(self, tab: Page, name: str, password: str) -> None:
        await tab.locator("#name").fill(name)
        await tab.locator("#password").fill(password)
        await tab.locator("#go").click()

    async def callback_of(self, request_id: str, person: SecondFactorUser) -> str:
        """The address that signs in a person, as the pages get it."""
        checks = {"user": {"loginName": person.id}, "password": {"password": PASSWORD}}
        checks |= {"totp": {"code": person.next_code()}}
        made = await self.call(f"{SESSIONS}/CreateSession", checks=checks)
        session = {"sessionId": made["sessionId"], "sessionToken": made["sessionToken"]}
        done = await self.call(f"{OIDC}/CreateCallback", authRequestId=request_id, session=session)
        return str(done["callbackUrl"])


@pytest.fixture(scope="module")
async def pages(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[OwnPages]:
    url = f"http://127.0.0.1:{free_port()}"
    options = StackOptions(tmp_path_factory.mktemp("stack"), port=0, zitadel_names=True)
    options = replace(options, extra_env={"authz": {"PORTICO_OWN_LOGIN_URL": url}})
    async with started(options) as world:
        folder = tmp_path_factory.mktemp("pages")
        for name, place in (
            (".venv", ROOT / ".venv"),
            ("examples", ROOT / "examples"),
            (".portico", world.stack.options.data),
        ):
            (folder / name).symlink_to(place)
        owner = await administrator_of(world)
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "ISSUER": world.issuer}
        reader = await Reader.begin(folder, environment, {"3004": url.rpartition(":")[2]})
        try:
            registration, start = blocks_of(README)
            ran = await reader.run(registration)
            assert ran.status == 0, ran.output
            token = await _token(owner)
            await reader.leave_running(start, token)
            await eventually(ThirdPartyApp(url, folder / "running.log").status, lambda status: status < 500)
            yield OwnPages(world, url, token, owner)
        finally:
            await reader.end()


@pytest.fixture
async def ada(pages: OwnPages) -> SecondFactorUser:
    """A person with an authenticator app, whose organization requires a second factor."""
    ada = await second_factor_user(pages.world, "ada", pages.owner.token, LoginPolicy(force_mfa=True))
    await ada.add_totp()
    return ada


async def _token(owner: Administrator) -> str:
    name = "portico.user.v2.UserService.AddPersonalAccessToken"
    members = {"expirationDate": "2100-01-01T00:00:00Z"}
    made = await owner.json(name, members, path=f"/v2/users/{CLIENT}/pats")
    assert made.code == 0, made.body
    return str(made.body["token"])


async def test_person_signs_in_on_own_pages(pages: OwnPages, tab: Page, ada: SecondFactorUser) -> None:
    """Password and code are entered there, and the application gets its code without a page of Portico."""
    seen: list[str] = []
    tab.on("framenavigated", lambda frame: seen.append(frame.url))
    await pages.begin(tab)
    await pages.enter_password(tab, "nobody-here", PASSWORD)
    unknown = await tab.locator("#problem").inner_text()
    await pages.enter_password(tab, ada.id, "wrong")
    wrong = await tab.locator("#problem").inner_text()
    await pages.enter_password(tab, ada.id, PASSWORD)
    await tab.locator("#code").fill("000000")
    await tab.locator("#go").click()
    await expect(tab.locator("#problem")).to_have_text("The code is wrong.")
    await tab.locator("#code").fill(ada.next_code())
    await tab.locator("#go").click()
    relying_party = RelyingPartyPages(tab, pages.world.rp_url("basic"))
    await relying_party.expect_signed_in()

    assert unknown == wrong == "The login name or the password is wrong."
    await expect(relying_party.claim("sub")).to_have_text(ada.id)
    assert not [url for url in seen if "/ui/login" in url]


async def test_missing_second_factor_is_asked_by_portico(pages: OwnPages, tab: Page, ada: SecondFactorUser) -> None:
    """Own pages that lack a step do not skip it."""
    await pages.begin(tab)
    await pages.enter_password(tab, ada.id, PASSWORD)
    await expect(tab.locator("#code")).to_be_visible()
    await tab.locator("#go").click()
    await tab.locator("#otp").fill(ada.next_code())

    assert tab.url.startswith(f"{pages.world.issuer}/ui/login")
    await tab.locator("#otp-submit").click()
    await RelyingPartyPages(tab, pages.world.rp_url("basic")).expect_signed_in()


async def test_cancelled_sign_in_is_denied(pages: OwnPages, tab: Page) -> None:
    await pages.begin(tab)
    await tab.locator("#cancel").click()

    await RelyingPartyPages(tab, pages.world.rp_url("basic")).expect_error("access_denied")


async def test_address_of_another_browser_signs_in_no_browser(
    pages: OwnPages, browser: Browser, tab: Page, ada: SecondFactorUser
) -> None:
    """An attacker who has it gets no session with it, and gives none to another person; one attempt ends it."""
    address = await pages.callback_of(await pages.begin(tab), ada)
    other = await browser.new_context()
    thief = await other.new_page()
    refused = await thief.goto(address)
    repeated = await tab.goto(address)
    signed_in = [await _is_signed_in(pages, one) for one in (thief, tab)]
    await other.close()

    assert refused is not None
    assert refused.status == 403
    assert repeated is not None
    assert not repeated.url.startswith(pages.world.rp_url("basic"))
    assert signed_in == [False, False]


async def _is_signed_in(pages: OwnPages, tab: Page) -> bool:
    relying_party = RelyingPartyPages(tab, pages.world.rp_url("basic"))
    await relying_party.begin("prompt=none")
    return await tab.locator("#rp-error-code").inner_text() != "login_required"


async def test_forms_of_other_pages_are_refused(pages: OwnPages, tab: Page) -> None:
    """Without the value of the form, and with the cookie of another browser."""
    await pages.begin(tab)
    forged = await tab.request.post(f"{pages.url}/login", form={"csrf": "", "name": "ada", "password": "x"})
    value = await tab.locator("[name=csrf]").input_value()
    foreign = await pages.world.http.post(f"{pages.url}/login", data={"csrf": value, "name": "ada"})

    assert (forged.status, foreign.status_code) == (403, 403)
