from __future__ import annotations

from portico_contracts.login import CodeAnswer, Step
from portico_contracts.step_names import StepName


class VerifyEmailStep(Step, frozen=True, tag="verify_mail"):
    """`mail` is the address the code was sent to."""

    name = StepName.VERIFY_EMAIL
    mail: str = ""


class VerifyEmailAnswer(CodeAnswer, frozen=True, tag="verify_mail"):
    """`resend` requests another code."""

    step = StepName.VERIFY_EMAIL
    resend: bool = False
