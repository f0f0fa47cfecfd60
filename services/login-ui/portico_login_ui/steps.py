"""The table of steps: the template of each, what it is rendered with, and how its form is read."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from portico_contracts.login import StepName
from portico_oauth.errors import ErrorCode, Kind
from portico_web.pages import page
from starlette.responses import Response

from portico_login_ui.client_names import shown_name
from portico_login_ui.methods import consent, external, factors, registration, sign_in
from portico_login_ui.methods.credential import key_script_of, read_credential
from portico_login_ui.methods.method import Method, PageContext

UNKNOWN_STEP = ErrorCode(
    "LOGIN-104",
    Kind.INVALID_REQUEST,
    "The form does not belong to this page.",
    "Open the sign-in page again and use its form.",
)

METHODS: Final[dict[StepName, Method]] = {
    StepName.SELECT_ACCOUNT: Method("select_account.html", sign_in.read_account),
    StepName.LOGIN_NAME: Method("login_name.html", sign_in.read_login_name, sign_in.login_name_context),
    StepName.PASSWORD: Method("password.html", sign_in.read_password, sign_in.password_context),
    StepName.EMAIL_CODE: Method("email_code.html", factors.read_sign_in_code, factors.resent_of),
    StepName.PASSKEY: Method("passkey.html", read_credential, key_script_of),
    StepName.REGISTER: Method("register.html", registration.read_registration, registration.registration_context),
    StepName.VERIFY_EMAIL: Method("verify_mail.html", factors.read_verification, factors.resent_of),
    StepName.CHANGE_PASSWORD: Method("change_password.html", sign_in.read_change, sign_in.change_context),
    StepName.SECURITY_KEY: Method("security_key.html", factors.read_key, key_script_of),
    StepName.TOTP: Method("totp.html", factors.read_code),
    StepName.OTP_EMAIL: Method("otp_email.html", factors.read_emailed_code, factors.resent_of),
    StepName.OTP_SMS: Method("otp_sms.html", factors.read_emailed_code, factors.resent_of),
    StepName.RECOVERY_CODE: Method("recovery_code.html", factors.read_code),
    StepName.FACTOR_MISSING: Method("factor_missing.html", factors.read_nothing),
    StepName.ENROL_EMAIL: Method("enrol_mail.html", factors.read_emailed_code, factors.resent_of),
    StepName.ENROL: Method("enrol.html", factors.read_enrolment),
    StepName.ENROL_PASSKEY: Method("enrol_passkey.html", factors.read_new_key, key_script_of),
    StepName.ENROL_KEY: Method("enrol_key.html", factors.read_new_key, key_script_of),
    StepName.ENROL_TOTP: Method("enrol_totp.html", factors.read_new_totp, factors.totp_context),
    StepName.RECOVERY_CODES: Method("recovery_codes.html", factors.read_pressed, factors.codes_script_of),
    StepName.DIRECTORY: Method("directory.html", sign_in.read_ldap, sign_in.password_script_of),
    StepName.COMPLETE_EXTERNAL: Method("complete_external.html", external.read_profile, external.profile_context),
    StepName.CONSENT: Method("consent.html", consent.read_consent, consent.consent_context),
    StepName.EXTERNAL_NO_ACCOUNT: Method("external_no_account.html", factors.read_nothing),
}
"""Every step with a page. `StepName.DONE` has none: it redirects."""

_BY_NAME: Final = {step.value: step for step in METHODS}


def load_step(name: str) -> StepName:
    step = _BY_NAME.get(name)
    if step is None:
        raise UNKNOWN_STEP.error()
    return step


def render(page_context: PageContext, *, who: str | None = None) -> Response:
    """`who` replaces the login name in the line that shows who is signing in."""
    step = page_context.step
    if step.look.client_is_own:
        step = replace(step, client_name=shown_name(step.client_name, step.look, page_context.language))
    method = METHODS[step.name]
    return page(
        method.template,
        package="portico_login_ui",
        language=page_context.language,
        look=step.look,
        step=step,
        who=step.login_name if who is None else who,
        action=page_context.action,
        trust=page_context.trust,
        **method.context(page_context),
    )
