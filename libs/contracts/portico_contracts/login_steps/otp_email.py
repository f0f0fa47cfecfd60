from __future__ import annotations

from portico_contracts.login import FactorCodeAnswer, SecondFactorStep
from portico_contracts.step_names import StepName


class OtpEmailStep(SecondFactorStep, frozen=True, tag="otp_email"):
    """`mail` is a part of the address, empty until a code was sent."""

    name = StepName.OTP_EMAIL
    mail: str = ""


class OtpEmailAnswer(FactorCodeAnswer, frozen=True, tag="otp_email"):
    """`resend` requests another code."""

    step = StepName.OTP_EMAIL
    resend: bool = False
