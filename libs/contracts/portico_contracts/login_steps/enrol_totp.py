from __future__ import annotations

from portico_contracts.login import CodeAnswer, Step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret


class EnrolTotpStep(Step, frozen=True, tag="enrol_totp"):
    """The secret as content of a QR code (``otpauth``) and for typing; empty where it must not be shown again."""

    name = StepName.ENROL_TOTP
    uri: Secret = ""
    secret: Secret = ""


class EnrolTotpAnswer(CodeAnswer, frozen=True, tag="enrol_totp"):
    """The first code of the app; `other` is `ENROL`, to choose again."""

    step = StepName.ENROL_TOTP
    other: StepName | None = None
