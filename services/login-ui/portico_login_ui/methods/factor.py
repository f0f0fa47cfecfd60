"""What the pages of second factors share: the button for another one."""

from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import code_letters

from portico_login_ui.methods.method import read_typed

_FACTORS = {
    step.value: step for step in (StepName.SECURITY_KEY, StepName.TOTP, StepName.OTP_EMAIL, StepName.RECOVERY_CODE)
}


def read_factor(form: Parameters, bare: Answer) -> Answer | None:
    """The request for another factor; None without one."""
    other = _FACTORS.get(form.get("use", ""))
    return replace(bare, other=other) if other else None


def read_code(form: Parameters, bare: Answer) -> Answer | None:
    """The code without blanks and separators, which come with copying, or the request for another factor; None when nothing was entered.

    Raises:
        ServiceError: LOGIN-105 for too much.
    """
    if request := read_factor(form, bare):
        return request
    code = code_letters(read_typed(form, "code"))
    return replace(bare, code=code) if code else None
