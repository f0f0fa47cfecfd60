from __future__ import annotations

from portico_contracts.login import Answer, Step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret


class EnrolEmailStep(Step, frozen=True, tag="enrol_mail"):
    """`mail` is a part of the address, empty until a code was sent."""

    name = StepName.ENROL_EMAIL
    mail: str = ""


class EnrolEmailAnswer(Answer, frozen=True, tag="enrol_mail"):
    """The code that was sent; `resend` requests another one."""

    step = StepName.ENROL_EMAIL
    code: Secret = ""
    resend: bool = False
