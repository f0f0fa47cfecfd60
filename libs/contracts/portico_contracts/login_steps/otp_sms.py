from __future__ import annotations

from portico_contracts.login import FactorCodeAnswer, SecondFactorStep
from portico_contracts.step_names import StepName


class OtpSmsStep(SecondFactorStep, frozen=True, tag="otp_sms"):
    """`mail` is the end of the phone number.

    `delayed`: the sender of text messages fails, so that the code may come late or never.
    """

    name = StepName.OTP_SMS
    mail: str = ""
    delayed: bool = False


class OtpSmsAnswer(FactorCodeAnswer, frozen=True, tag="otp_sms"):
    """`resend` requests another code."""

    step = StepName.OTP_SMS
    resend: bool = False
