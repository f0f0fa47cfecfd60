from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from portico_contracts.login_steps.enrol import EnrolAnswer, EnrolStep
from portico_contracts.step_names import StepName
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.method import Method

_REGISTRATIONS: Final = {
    step.value: step for step in (StepName.ENROL_PASSKEY, StepName.ENROL_KEY, StepName.ENROL_TOTP, StepName.OTP_EMAIL)
}


def _read(form: Parameters, bare: EnrolAnswer) -> EnrolAnswer | None:
    """The factor whose button was pressed."""
    chosen = _REGISTRATIONS.get(form.get("use", ""))
    return replace(bare, other=chosen) if chosen else None


METHOD = Method("enrol.html", EnrolStep, EnrolAnswer, _read)
