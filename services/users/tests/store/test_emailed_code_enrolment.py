from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import Factor
from portico_contracts.users.enrolment import BEGIN_ENROLMENT, BeginEnrolment
from portico_oauth.errors import ServiceError

from .enrolling import BOTH, Enrolling

pytestmark = pytest.mark.servers


@pytest.fixture
def enrolling(sign_in: Any) -> Enrolling:
    return Enrolling(sign_in)


async def refusal(call: Any) -> str:
    with pytest.raises(ServiceError) as refused:
        await call
    return refused.value.id


async def test_emailed_codes_are_registered_for_a_proved_address(enrolling: Enrolling) -> None:
    """Choosing them is enough after a code that went to the address, and not where none was sent."""
    await allow_email_codes(enrolling, "email")
    await enrolling.open()
    factors = await enrolling.finish("", Factor.OTP_EMAIL)

    assert factors == (Factor.OTP_EMAIL, Factor.RECOVERY_CODE)
    assert len(await enrolling.codes()) == 10


async def test_emailed_codes_need_a_proved_address(enrolling: Enrolling) -> None:
    await allow_email_codes(enrolling, "password")
    begun = await enrolling.world.call(BEGIN_ENROLMENT, BeginEnrolment(user_id=enrolling.user_id))
    enrolling.name = begun.enrolment

    assert await refusal(enrolling.finish("", Factor.OTP_EMAIL)) == "USER-350"
    assert await enrolling.sign_in.factors() == ()


async def test_address_that_was_proved_gets_no_second_email(enrolling: Enrolling) -> None:
    """A registration has just requested the code of an email: the enrolment that follows is open."""
    ask = BeginEnrolment(user_id=enrolling.user_id, proved_address=True)
    begun = await enrolling.world.call(BEGIN_ENROLMENT, ask)
    enrolling.name = begun.enrolment

    assert (begun.mail, await enrolling.emailed()) == ("", set())
    assert await enrolling.finish(await enrolling.code()) == BOTH


async def allow_email_codes(enrolling: Enrolling, enrolment: str) -> None:
    human = await enrolling.sign_in.human()
    rules = {
        "forceMfa": True,
        "enrolment": enrolment,
        "secondFactors": ["SECOND_FACTOR_TYPE_OTP", "SECOND_FACTOR_TYPE_OTP_EMAIL"],
    }
    await enrolling.world.apply({"id": human.org_id, "name": f"Acme {enrolling.world.tag}", "loginPolicy": rules})
