"""A registration without a password creates a passkey after the emailed code, where passkeys are allowed."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts import http
from portico_contracts.login_steps.register import Registration
from portico_contracts.step_names import StepName
from portico_contracts.users import EnrolmentDemand, Factor
from portico_fakes.authz_service import RIGHT_CODE, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

EVE = Registration(email="eve@mail.test", first_name="Eve", last_name="Adams", password="")
EVE_ID = "u-eve@mail.test"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def begin(authz: AuthzService, browser: FakeBrowser, *, emailed: bool) -> tuple[str, Any]:
    rules = {"password_sign_in": False, "passkey_sign_in": True, "email_code_sign_in": emailed}
    authz.peers.set_policy("org-1", **rules, enrolment=EnrolmentDemand.EMAIL)
    id = await browser.begin(prompt="create")
    verifying = await browser.answer(id, await browser.ask(id), registration=EVE)
    return id, await browser.answer(id, verifying, code=RIGHT_CODE)


async def methods(authz: AuthzService) -> tuple[str, ...]:
    [sid] = await authz.stores.sessions.list_sids(EVE_ID)
    session = await authz.stores.sessions.find(sid)
    assert session is not None
    return tuple(session.amr)


@pytest.mark.parametrize("emailed", [True, False])
async def test_passkey_is_created_after_the_code(authz: AuthzService, browser: FakeBrowser, emailed: bool) -> None:
    """It counts in this sign-in, and the code is not sent twice."""
    id, shown = await begin(authz, browser, emailed=emailed)
    codes = await browser.answer(id, shown, credential="key-1:made")
    done = await browser.answer(id, codes)

    assert (shown.name, shown.registering, shown.may_skip) == (StepName.ENROL_PASSKEY, True, emailed)
    assert (codes.name, done.name) == (StepName.RECOVERY_CODES, StepName.DONE)
    assert authz.peers.people[EVE_ID].factors == (Factor.PASSKEY, Factor.RECOVERY_CODE)
    assert [one.proved_address for one in authz.peers.enrolments.begun] == [True]
    assert (await methods(authz))[0] == "otp"


async def test_passkey_can_wait_where_emailed_codes_are_allowed(authz: AuthzService, browser: FakeBrowser) -> None:
    id, shown = await begin(authz, browser, emailed=True)
    done = await browser.answer(id, shown, skip=True)

    assert done.name is StepName.DONE
    assert await methods(authz) == ("otp",)


async def test_only_first_factor_cannot_be_skipped(authz: AuthzService, browser: FakeBrowser) -> None:
    """The account has no other way in (LG-08): neither an answer nor another page leads past it."""
    id, shown = await begin(authz, browser, emailed=False)
    skipped = await browser.answer(id, shown, skip=True)
    elsewhere = await browser.answer(id, await browser.ask(id), other=StepName.ENROL)
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")

    assert (skipped.name, elsewhere.name) == (StepName.ENROL_PASSKEY, StepName.ENROL_PASSKEY)
    assert resumed.headers["location"] == f"{http.LOGIN}?request={id}"
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"


async def test_code_alone_is_refused_after_the_rule_has_changed(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    id, _ = await begin(authz, browser, emailed=False)
    authz.peers.set_policy("org-1", password_sign_in=False, passkey_sign_in=False, email_code_sign_in=False)
    clock.tick(10)

    assert (await browser.ask(id)).name is StepName.FACTOR_MISSING
