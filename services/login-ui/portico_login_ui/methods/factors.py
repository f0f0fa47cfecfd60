"""Pages of codes and keys: second factors, their registration at sign-in, and the code that verifies an email address."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace
from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import code_letters
from portico_web.qr_code import grouped, qr_code

from portico_login_ui.methods.credential import read_credential
from portico_login_ui.methods.method import PageContext, read_typed
from portico_login_ui.scripts import codes_script, loads

_FACTORS: Final = {
    step.value: step
    for step in (
        StepName.SECURITY_KEY,
        StepName.TOTP,
        StepName.OTP_EMAIL,
        StepName.OTP_SMS,
        StepName.RECOVERY_CODE,
    )
}
_ENROLMENTS: Final = {step.value: step for step in (StepName.ENROL_PASSKEY, StepName.ENROL_KEY, StepName.ENROL_TOTP)}


def read_nothing(_form: Parameters, _bare: Answer) -> Answer | None:
    """The page has no field to read."""
    return None


def read_pressed(_form: Parameters, bare: Answer) -> Answer | None:
    """Nothing is entered: pressing the button is the answer."""
    return bare


def read_code(form: Parameters, bare: Answer) -> Answer | None:
    """The code of a second factor, or the request for another factor; None when nothing was entered."""
    return _read_factor(form, bare) or _read_code(form, bare)


def read_key(form: Parameters, bare: Answer) -> Answer | None:
    """What the security key answered, or the request for another factor."""
    return _read_factor(form, bare) or read_credential(form, bare)


def resent_of(page_context: PageContext) -> dict[str, Any]:
    """Whether another code was just sent."""
    return {"resent": page_context.resent}


def read_emailed_code(form: Parameters, bare: Answer) -> Answer | None:
    """The emailed code of a second factor, or the request for another one, or for another factor."""
    return replace(bare, resend=True) if "resend" in form else read_code(form, bare)


def read_sign_in_code(form: Parameters, bare: Answer) -> Answer | None:
    """The code that replaces a password, or the request for another one, or for the password."""
    return replace(bare, other=StepName.PASSWORD) if "password" in form else read_verification(form, bare)


def read_verification(form: Parameters, bare: Answer) -> Answer | None:
    """The code that verifies an address, or the request for another one."""
    return replace(bare, resend=True) if "resend" in form else _read_code(form, bare)


def read_enrolment(form: Parameters, bare: Answer) -> Answer | None:
    """The factor whose button was pressed."""
    chosen = _ENROLMENTS.get(form.get("use", ""))
    return replace(bare, other=chosen) if chosen else None


def read_new_key(form: Parameters, bare: Answer) -> Answer | None:
    """What the authenticator made, or the request to choose again."""
    return _read_back(form, bare) or read_credential(form, bare)


def totp_context(page_context: PageContext) -> dict[str, Any]:
    """The secret, as a QR code within the page, so that no request for it can be logged, and to be typed."""
    step = page_context.step
    return {"image": qr_code(step.uri) if step.uri else "", "typed": grouped(step.secret)}


def read_new_totp(form: Parameters, bare: Answer) -> Answer | None:
    """The first code of the app, or the request to choose again."""
    return _read_back(form, bare) or read_code(form, bare)


def _read_factor(form: Parameters, bare: Answer) -> Answer | None:
    other = _FACTORS.get(form.get("use", ""))
    return replace(bare, other=other) if other else None


def _read_back(form: Parameters, bare: Answer) -> Answer | None:
    return replace(bare, other=StepName.ENROL) if form.get("use") == StepName.ENROL.value else None


def _read_code(form: Parameters, bare: Answer) -> Answer | None:
    """The code without blanks and separators, which come with copying."""
    code = code_letters(read_typed(form, "code"))
    return replace(bare, code=code) if code else None


def codes_script_of(page_context: PageContext) -> dict[str, Any]:
    return loads(codes_script(), page_context.issuer)
