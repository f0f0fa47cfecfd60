"""Emailed codes in the enrolment of a second factor: as the factor, and one instead of two (decision 0046)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts.login_steps.register import Registration
from portico_contracts.step_names import StepName
from portico_contracts.users import EnrolmentDemand, Factor
from portico_fakes.authz_enrolment import ENROLMENT_CODE, RECOVERY
from portico_fakes.authz_service import ADA, RIGHT_CODE, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

EVE = Registration(email="eve@mail.test", first_name="Eve", last_name="Adams", password="a long enough one")


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.people[ADA.user_id] = replace(ADA, email_verified=True)
    authz.peers.set_policy("org-1", force_mfa=True, enrolment=EnrolmentDemand.EMAIL)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def test_emailed_codes_are_registered_by_the_one_that_was_entered(
    authz: AuthzService, browser: FakeBrowser
) -> None:
    """They count in this sign-in, and recovery codes follow as after every other factor."""
    id = await browser.begin()
    choice = await browser.answer(id, await browser.log_in(id), code=ENROLMENT_CODE)
    codes = await browser.answer(id, choice, other=StepName.OTP_EMAIL)
    done = await browser.answer(id, codes)

    assert (codes.name, codes.recovery_codes, done.name) == (StepName.RECOVERY_CODES, RECOVERY, StepName.DONE)
    assert authz.peers.people[ADA.user_id].factors == (Factor.OTP_EMAIL, Factor.RECOVERY_CODE)
    [sid] = await authz.stores.sessions.list_sids(ADA.user_id)
    session = await authz.stores.sessions.find(sid)
    assert session is not None
    assert session.amr == ("pwd", "otp", "mfa")


async def test_address_is_proved_once_in_a_sign_in(authz: AuthzService, browser: FakeBrowser) -> None:
    """After the code of a registration, the enrolment is open without a second email."""
    id = await browser.begin(prompt="create")
    asked = await browser.answer(id, await browser.ask(id), registration=EVE)
    shown = await browser.answer(id, asked, code=RIGHT_CODE)

    assert (asked.name, shown.name) == (StepName.VERIFY_EMAIL, StepName.ENROL)
    assert [one.proved_address for one in authz.peers.enrolments.begun] == [True]
