"""A user who sets a credential by an emailed link or code is signed in: in that browser alone (decision 0128)."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.authz import LIST_SESSIONS, ListSessions, SessionState
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Message, decode, encode
from portico_contracts.users import (
    FINISH_PASSKEY_BY_INVITATION,
    SEND_PASSWORD_LINK,
    SET_PASSWORD_BY_CODE,
    SET_PASSWORD_BY_LINK,
    Factor,
    FinishPasskeyByInvitation,
    InvitationAccepted,
    LinkUsed,
    PasswordCodeRequested,
    PasswordLinkSent,
    PasswordSet,
    RequestPasswordCode,
    SendPasswordLink,
    SetPasswordByCode,
    SetPasswordByLink,
    UseLink,
    UsePasskey,
    UsePasswordCode,
)
from portico_fakes.authz_service import ADA, BOB, LOGIN_KEY, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import UNAVAILABLE, Kind, ServiceError

WRONG = ServiceError(Kind.INVALID_REQUEST, "USER-402", "The code is wrong or no longer valid.")
PASSWORD_LINK = UseLink(user_id=ADA.user_id, code="K7Q2ZX", new_password="nine", device="Firefox, Linux")
PASSKEY_LINK = UsePasskey(user_id=ADA.user_id, code="K7Q2ZX", passkey_id="p", credential="{}", device="Firefox, Linux")
USED = {"set-password": PASSWORD_LINK, "finish-invited-passkey": PASSKEY_LINK}


class LinksAtUsers:
    """A code works once."""

    def __init__(self, bus: MemoryBus) -> None:
        self.asked: list[Message] = []
        self.user = ADA
        self.active = True
        bus.respond(SET_PASSWORD_BY_LINK, self._password)
        bus.respond(FINISH_PASSKEY_BY_INVITATION, self._passkey)
        bus.respond(SEND_PASSWORD_LINK, self._send)
        bus.respond(SET_PASSWORD_BY_CODE, self._code)

    async def _password(self, ask: SetPasswordByLink) -> PasswordSet:
        self._use(ask)
        return PasswordSet(start="https://shop.example/", user=self.user if self.active else None)

    async def _passkey(self, ask: FinishPasskeyByInvitation) -> InvitationAccepted:
        self._use(ask)
        return InvitationAccepted(user=self.user if self.active else None, device_bound=True)

    async def _send(self, ask: SendPasswordLink) -> PasswordLinkSent:
        return PasswordLinkSent(challenge=f"challenge of {ask.login_name}")

    async def _code(self, ask: SetPasswordByCode) -> PasswordSet:
        self._use(ask)
        return PasswordSet(user=self.user)

    def _use(self, ask: Message) -> None:
        if ask in self.asked:
            raise WRONG
        self.asked.append(ask)


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def users(authz: AuthzService, bus: MemoryBus) -> LinksAtUsers:
    return LinksAtUsers(bus)


async def post(authz: AuthzService, name: str, message: Message) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(authz.app), base_url="http://authz") as client:
        headers = {"Authorization": f"Bearer {LOGIN_KEY}", "Content-Type": "application/json"}
        return await client.post(f"{http.LINK_API}/{name}", content=encode(message), headers=headers)


async def use(authz: AuthzService, browser: FakeBrowser, name: str = "set-password", **fields: Any) -> LinkUsed:
    response = await post(authz, name, replace(USED[name], browser=browser.handle, **fields))
    used = decode(response.content, LinkUsed)
    browser.take_cookie(used.set_cookie)
    return used


async def is_signed_in(browser: FakeBrowser, login_name: str = "") -> bool:
    answer = await browser.authorize(prompt="none", login_hint=login_name or None)
    return "code" in Landing(answer).query


async def sessions_of(bus: MemoryBus) -> tuple[SessionState, ...]:
    return (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions


@pytest.mark.parametrize(
    ("name", "amr", "start"),
    [
        ("set-password", ("pwd",), "https://shop.example/"),
        ("finish-invited-passkey", ("hwk", "user", "mfa"), ""),
    ],
)
async def test_browser_of_the_link_is_signed_in_with_what_was_proven(
    authz: AuthzService, bus: MemoryBus, users: LinksAtUsers, name: str, amr: tuple[str, ...], start: str
) -> None:
    """Users gets nothing but the submission: neither the handle nor the device."""
    browser = authz.browser()
    used = await use(authz, browser, name)
    [session] = await sessions_of(bus)

    assert used.start == start
    assert await is_signed_in(browser)
    assert (session.amr, session.device) == (amr, "Firefox, Linux")
    assert type(users.asked[0]) in (SetPasswordByLink, FinishPasskeyByInvitation)


async def test_page_that_names_no_browser_gets_no_session(
    authz: AuthzService, bus: MemoryBus, users: LinksAtUsers
) -> None:
    """Own login pages, and those of the release before, cannot take the cookie."""
    answer = decode((await post(authz, "set-password", PASSWORD_LINK)).content, LinkUsed)

    assert (answer.start, answer.set_cookie) == ("https://shop.example/", "")
    assert users.asked
    assert await sessions_of(bus) == ()


@pytest.mark.parametrize("name", USED)
async def test_used_link_signs_no_user_in(authz: AuthzService, bus: MemoryBus, users: LinksAtUsers, name: str) -> None:
    """Of two tabs or two browsers with one link, one wins; an email scanner that replays it gets nothing."""
    await use(authz, authz.browser(), name)
    second = await post(authz, name, USED[name])

    assert users.asked
    assert (second.status_code, second.json()["details"][0]["id"]) == (400, "USER-402")
    assert "set_cookie" not in second.text
    assert len(await sessions_of(bus)) == 1


async def test_handle_that_others_may_know_gets_no_session(authz: AuthzService, users: LinksAtUsers) -> None:
    """The handle is new (LG-11); the account that was signed in before stays, with its sign-ins in other tabs."""
    browser = authz.browser()
    await browser.sign_in("bob", client_id="other")
    fixed = authz.browser()
    fixed.handle = browser.handle
    pending = await browser.begin(prompt="login")
    await use(authz, browser)

    assert users.asked
    assert browser.handle != fixed.handle
    assert not await is_signed_in(fixed, ADA.login_name)
    assert await is_signed_in(browser, ADA.login_name)
    assert await is_signed_in(browser, BOB.login_name)
    assert (await browser.ask(pending)).name is not StepName.DONE


@pytest.mark.parametrize("cause", ["factor", "forced", "old", "inactive", "address"])
async def test_what_is_still_demanded_is_not_left_out(
    authz: AuthzService, bus: MemoryBus, users: LinksAtUsers, cause: str
) -> None:
    """A second factor, an unverified address or a password to change is requested at an ordinary sign-in."""
    match cause:
        case "factor":
            users.user = replace(ADA, factors=(Factor.TOTP,))
            authz.peers.set_policy("org-1", factors=(Factor.TOTP,))
        case "forced":
            authz.peers.set_policy("org-1", force_mfa=True)
        case "old":
            users.user = replace(ADA, password_change_required=True)
        case "inactive":
            users.active = False
        case "address":
            authz.peers.set_policy("org-1", verified_mail=True)
            users.user = replace(ADA, email_verified=False)
    used = await use(authz, authz.browser())

    assert (used.start, used.set_cookie) == ("https://shop.example/", "")
    assert await sessions_of(bus) == ()


async def test_passkey_satisfies_a_forced_second_factor(authz: AuthzService, users: LinksAtUsers) -> None:
    authz.peers.set_policy("org-1", force_mfa=True)
    users.user = replace(ADA, factors=(Factor.PASSKEY,))

    assert (await use(authz, authz.browser(), "finish-invited-passkey")).set_cookie


async def test_credential_is_set_without_the_session_store(
    authz: AuthzService, bus: MemoryBus, users: LinksAtUsers, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise UNAVAILABLE.error(part="redis")

    monkeypatch.setattr(authz.stores.browsers, "create", fail)
    used = await use(authz, authz.browser())

    assert (used.start, used.set_cookie) == ("https://shop.example/", "")
    assert users.asked
    assert await sessions_of(bus) == ()


async def request_code(authz: AuthzService, browser: FakeBrowser, request_id: str) -> PasswordCodeRequested:
    message = RequestPasswordCode(login_name="ada", request_id=request_id, browser=browser.handle, sender="")
    return decode((await post(authz, "send-password", message)).content, PasswordCodeRequested)


async def enter_code(
    authz: AuthzService, browser: FakeBrowser, request_id: str, asked: PasswordCodeRequested, code: str = "K7Q2ZX"
) -> LinkUsed:
    message = UsePasswordCode(
        challenge=asked.challenge,
        code=code,
        new_password="nine",
        request_id=request_id,
        browser=browser.handle,
        binding=asked.binding,
    )
    return decode((await post(authz, "set-password-by-code", message)).content, LinkUsed)


async def test_sign_in_that_waited_continues_after_a_reset(
    authz: AuthzService, bus: MemoryBus, users: LinksAtUsers
) -> None:
    browser = authz.browser()
    id = await browser.begin()
    asked = await request_code(authz, browser, id)
    used = await enter_code(authz, browser, id, asked)
    handle = browser.handle
    resumed = await browser.get(used.continue_to)
    landed = Landing(await browser.get(resumed.headers["location"]))
    [session] = await sessions_of(bus)

    assert users.asked
    assert session.amr == ("pwd",)
    assert landed.query["state"] == "st-1"
    assert "code" in landed.query
    assert browser.handle != handle


async def test_second_factor_is_requested_after_a_reset(
    authz: AuthzService, bus: MemoryBus, users: LinksAtUsers
) -> None:
    authz.peers.set_policy("org-1", factors=(Factor.TOTP,))
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    users.user = authz.peers.people[ADA.user_id]
    browser = authz.browser()
    id = await browser.begin()
    used = await enter_code(authz, browser, id, await request_code(authz, browser, id))
    await browser.get(used.continue_to)

    assert (await browser.ask(id)).name is StepName.TOTP
    assert await sessions_of(bus) == ()


async def test_mailbox_of_a_reset_is_no_second_factor(
    authz: AuthzService, bus: MemoryBus, users: LinksAtUsers, clock: FrozenClock
) -> None:
    """No second code is sent to the address that the first one has proven: the new password is entered instead."""
    authz.peers.people[ADA.user_id] = replace(ADA, factors=(Factor.OTP_EMAIL,), has_password=True)
    users.user = authz.peers.people[ADA.user_id]
    browser = authz.browser()
    id = await browser.begin()
    used = await enter_code(authz, browser, id, await request_code(authz, browser, id))
    await browser.get(used.continue_to)
    shown = await browser.ask(id)
    forged = await browser.answer(id, replace(shown, name=StepName.OTP_EMAIL), code="12345678")
    sessions = await sessions_of(bus)
    await browser.answer(id, await browser.ask(id), password=PASSWORD)
    [session] = await sessions_of(bus)

    assert (shown.name, forged.name, sessions) == (StepName.PASSWORD, StepName.PASSWORD, ())
    assert authz.peers.factors.mailed == []
    assert session.amr == ("pwd", "otp", "mfa")


async def test_reset_leaves_other_second_factors(authz: AuthzService, users: LinksAtUsers) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.TOTP, Factor.OTP_EMAIL)
    users.user = authz.peers.people[ADA.user_id]
    browser = authz.browser()
    id = await browser.begin()
    used = await enter_code(authz, browser, id, await request_code(authz, browser, id))
    await browser.get(used.continue_to)
    shown = await browser.ask(id)

    assert (shown.name, shown.others) == (StepName.TOTP, ())


async def test_code_of_another_browser_signs_no_user_in(
    authz: AuthzService, bus: MemoryBus, users: LinksAtUsers
) -> None:
    """Login CSRF: a page with a challenge and a binding of a stranger sets the stranger's password at most."""
    mallory, victim = authz.browser(), authz.browser()
    of_mallory, of_victim = await mallory.begin(), await victim.begin()
    asked = await request_code(authz, mallory, of_mallory)
    forged = PasswordCodeRequested(challenge=asked.challenge, binding="x" * 43)
    bare = PasswordCodeRequested(challenge=asked.challenge)
    attempts = [(of_victim, asked), (of_mallory, asked), (of_victim, forged), (of_victim, bare), ("", asked)]
    answers = [await enter_code(authz, victim, id, one, code=str(number)) for number, (id, one) in enumerate(attempts)]

    assert len(users.asked) == len(attempts)
    assert [one.continue_to for one in answers] == [""] * len(attempts)
    assert await sessions_of(bus) == ()


async def test_proof_of_a_reset_is_for_its_browser_and_works_once(
    authz: AuthzService, bus: MemoryBus, users: LinksAtUsers
) -> None:
    """Another browser with the address uses the proof up; so a copied address signs no user in."""
    browser, other = authz.browser(), authz.browser()
    id = await browser.begin()
    await other.begin()
    used = await enter_code(authz, browser, id, await request_code(authz, browser, id))
    stolen = await other.get(used.continue_to)
    after = await browser.get(used.continue_to)

    assert users.asked
    assert (stolen.status_code, after.status_code) == (403, 404)
    assert await sessions_of(bus) == ()


async def test_request_for_another_user_does_not_continue(authz: AuthzService, users: LinksAtUsers) -> None:
    """The application accepts only users of another organization: the page leads to the sign-in, as before."""
    browser = authz.browser()
    id = await browser.begin(scope="openid urn:portico:org:id:org-2")
    used = await enter_code(authz, browser, id, await request_code(authz, browser, id))

    assert users.asked
    assert used.continue_to == ""
