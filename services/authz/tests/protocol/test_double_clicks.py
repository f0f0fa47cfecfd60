"""Double-click on a form while its first response is late: both submissions end at the same step (LG-14)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace
from portico_authz.login import repeat_submission
from portico_contracts.login import Problem, Step
from portico_contracts.login_steps.register import Registration
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Rpc
from portico_contracts.users import (
    BEGIN_EXTERNAL,
    CHANGE_PASSWORD,
    GIVE_CONSENT,
    REGISTER,
    VERIFY_EMAIL,
    VERIFY_RECOVERY_CODE,
    VERIFY_TOTP,
    Consent,
    Factor,
    LoginPolicy,
    ProviderRedirect,
)
from portico_fakes.authz_external import ACME, DIRECTORY
from portico_fakes.authz_service import ADA, BOB, PASSWORD, RIGHT_CODE, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.login_messages import read_step
from portico_fakes.memory_bus import MemoryBus
from portico_harness.eventually import HANGS

EVE = Registration(email="eve@mail.test", first_name="Eve", last_name="Adams", password="a long enough one")
NEW = "another long enough one"
Prepare = Callable[[AuthzService, FakeBrowser, str], Awaitable[Step]]


@dataclass(frozen=True)
class Form:
    """A form, how to reach it, its input, the delayed request to users, and the next step."""

    prepare: Prepare
    fields: dict[str, Any]
    late: Rpc[Any, Any]
    follows: StepName
    changes: dict[str, str] = field(default_factory=dict)


def factor(kind: Factor) -> Prepare:
    async def prepare(authz: AuthzService, browser: FakeBrowser, id: str) -> Any:
        authz.peers.factors.give(ADA.user_id, *{Factor.TOTP, kind})
        shown = await browser.log_in(id)
        step = StepName.RECOVERY_CODE if kind is Factor.RECOVERY_CODE else StepName.TOTP
        return shown if shown.name is step else await browser.answer(id, shown, other=step)

    return prepare


async def changed(authz: AuthzService, browser: FakeBrowser, id: str) -> Any:
    authz.peers.people[ADA.user_id] = replace(ADA, password_change_required=True)
    return await browser.log_in(id)


async def registering(authz: AuthzService, browser: FakeBrowser, id: str) -> Any:
    return await browser.ask(id)


async def registered(authz: AuthzService, browser: FakeBrowser, id: str) -> Any:
    return await browser.answer(id, await browser.ask(id), registration=EVE)


async def asked_for_consent(_authz: AuthzService, browser: FakeBrowser, id: str) -> Any:
    await browser.log_in(id)
    return await browser.ask(id)


CREATE = {"prompt": "create"}
FORMS = {
    "totp": Form(factor(Factor.TOTP), {"code": "111111"}, VERIFY_TOTP, StepName.DONE),
    "recovery code": Form(factor(Factor.RECOVERY_CODE), {"code": "222222"}, VERIFY_RECOVERY_CODE, StepName.DONE),
    "forced change": Form(changed, {"password": PASSWORD, "new_password": NEW}, CHANGE_PASSWORD, StepName.DONE),
    "registration": Form(registering, {"registration": EVE}, REGISTER, StepName.VERIFY_EMAIL, CREATE),
    "registration code": Form(registered, {"code": RIGHT_CODE}, VERIFY_EMAIL, StepName.DONE, CREATE),
    "consent": Form(
        asked_for_consent, {"scopes": ("openid",)}, GIVE_CONSENT, StepName.DONE, {"client_id": "consenting"}
    ),
    "wrong totp": Form(factor(Factor.TOTP), {"code": "999999"}, VERIFY_TOTP, StepName.TOTP),
}


@dataclass
class Gate:
    """Delays one request to users until the second submission looks for the first response."""

    late: str
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    def install(self, bus: MemoryBus, patch: pytest.MonkeyPatch) -> None:
        call, sleep = bus.call, asyncio.sleep

        async def held(rpc: Rpc[Any, Any], message: Any, *, seconds: float | None = None) -> Any:
            if rpc.subject == self.late:
                self.arrived.set()
                await self.opened.wait()
            return await call(rpc, message, seconds=seconds)

        async def looked(_seconds: float) -> None:
            self.opened.set()
            for _ in range(20):
                await sleep(0)

        patch.setattr(bus, "call", held)
        patch.setattr(repeat_submission, "asyncio", type("Loop", (), {"sleep": staticmethod(looked)}))


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.set_policy("", may_register=True)
    authz.peers.register("consenting", consent=Consent.ONCE)
    return authz


@pytest.mark.parametrize("name", FORMS)
async def test_double_click_ends_at_the_same_step(
    authz: AuthzService, bus: MemoryBus, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Users is called once, and either response gives the browser the same result."""
    form, browser = FORMS[name], authz.browser()
    id = await browser.begin(**form.changes)
    shown = await form.prepare(authz, browser, id)
    gate = Gate(form.late.subject)
    gate.install(bus, monkeypatch)
    async with asyncio.timeout(HANGS):
        first = asyncio.create_task(browser.answer_raw(id, shown, **form.fields))
        await gate.arrived.wait()
        second = await browser.answer_raw(id, shown, **form.fields)
        answers = [read_step((await first).content), read_step(second.content)]

    assert [step.name for step in answers] == [form.follows] * 2
    assert answers[0].set_cookie == answers[1].set_cookie
    assert bus.called.count(form.late.subject) == 1
    assert answers[1].problem is Problem.NONE
    if form.follows is StepName.DONE:
        browser.handle = answers[1].set_cookie.partition(";")[0].partition("=")[2] or browser.handle
        assert "code" in Landing(await browser.get(answers[1].continue_to)).query
    else:
        assert answers[1].csrf == answers[0].csrf != shown.csrf


@pytest.fixture
def with_provider(authz: AuthzService) -> AuthzService:
    authz.peers.policies |= dict.fromkeys(("", "org-1", "org-2"), LoginPolicy(providers=(ACME, DIRECTORY)))
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, BOB)
    return authz


def state_of(step: Any) -> str:
    return parse_qs(urlsplit(str(step.leave_to)).query)["state"][0]


@pytest.mark.parametrize("late", [False, True])
async def test_second_press_of_a_provider_ends_there(
    with_provider: AuthzService, bus: MemoryBus, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    """The browser follows the response to the second press; a return from there signs in."""
    browser = with_provider.browser()
    id = await browser.begin()
    shown = await browser.ask(id)
    if late:
        gate = Gate(BEGIN_EXTERNAL.subject)
        gate.install(bus, monkeypatch)
    async with asyncio.timeout(HANGS):
        first = asyncio.create_task(browser.answer_raw(id, shown, provider=ACME.id))
        await (gate.arrived.wait() if late else first)
        second = await browser.answer_raw(id, shown, provider=ACME.id)
        answers = [read_step((await first).content), read_step(second.content)]
    states = [state_of(answer) for answer in answers]
    back = await browser.come_back(provider_id=ACME.id, parameters={"state": states[1], "code": "right"})

    assert [answer.name for answer in answers] == [StepName.DONE] * 2
    assert states[0] != states[1]
    assert "code" in Landing(await browser.get(back.step.continue_to)).query


async def test_presses_of_a_provider_are_bounded(with_provider: AuthzService) -> None:
    """A form leaves to a provider five times at most, and not by another step than the open one."""
    browser = with_provider.browser()
    id = await browser.begin()
    shown = await browser.ask(id)
    found = [(await browser.answer_raw(id, shown, provider=ACME.id)).status_code for _ in range(6)]
    other = await browser.begin()
    named = await browser.ask(other)
    await browser.answer_raw(other, named, login_name="ada")
    late = read_step((await browser.answer_raw(other, named, provider=ACME.id)).content)

    assert found == [200] * 5 + [403]
    assert (late.name, late.leave_to) == (StepName.PASSWORD, "")


async def test_second_press_of_a_directory_shows_its_form(with_provider: AuthzService) -> None:
    browser = with_provider.browser()
    id = await browser.begin()
    shown = await browser.ask(id)
    answers = [await browser.answer_raw(id, shown, provider=DIRECTORY.id) for _ in range(2)]

    assert [read_step(one.content).name for one in answers] == [StepName.LDAP] * 2
