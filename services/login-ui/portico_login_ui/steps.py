"""The dispatcher: which method shows and reads which step. A new method is a folder and a word in this table."""

from __future__ import annotations

from typing import Final

from portico_contracts.login import StepName
from portico_oauth.errors import ErrorCode, Kind
from starlette.responses import Response

from portico_login_ui.methods import Method, PageContext
from portico_login_ui.methods.account import SelectAccount
from portico_login_ui.methods.directory import Directory
from portico_login_ui.methods.email import OtpEmail, VerifyEmail
from portico_login_ui.methods.enrolment import (
    Enrol,
    EnrolEmail,
    EnrolKey,
    EnrolPasskey,
    EnrolTotp,
    RecoveryCodes,
)
from portico_login_ui.methods.external import CompleteExternal, ExternalNoAccount
from portico_login_ui.methods.factor_missing import FactorMissing
from portico_login_ui.methods.login_name import LoginName
from portico_login_ui.methods.password import ChangePassword, Password
from portico_login_ui.methods.recovery_code import RecoveryCode
from portico_login_ui.methods.registration import Register
from portico_login_ui.methods.totp import Totp
from portico_login_ui.methods.webauthn import Passkey, SecurityKey

UNKNOWN_STEP = ErrorCode(
    "LOGIN-104",
    Kind.INVALID_REQUEST,
    "The form does not belong to this page.",
    "Open the sign-in page again and use its form.",
)


def _table(*methods: Method) -> dict[StepName, Method]:
    return {method.step: method for method in methods}


METHODS: Final = _table(
    *(SelectAccount(), LoginName(), Password(), Passkey(), Register(), VerifyEmail(), ChangePassword()),
    *(SecurityKey(), Totp(), OtpEmail(), RecoveryCode(), FactorMissing()),
    *(EnrolEmail(), Enrol(), EnrolPasskey(), EnrolKey(), EnrolTotp(), RecoveryCodes()),
    *(Directory(), CompleteExternal(), ExternalNoAccount()),
)
"""Every step that has a page. `StepName.DONE` has none: it sends the browser on."""


def find_method(name: StepName) -> Method | None:
    """The method of a step; None when the step is not a page."""
    return METHODS.get(name)


def load_method(name: str) -> Method:
    """The method that a form names as the one it answers.

    Raises:
        ServiceError: LOGIN-104 when there is none.
    """
    for step, method in METHODS.items():
        if step.value == name:
            return method
    raise UNKNOWN_STEP.error()


def render(page_context: PageContext) -> Response:
    """The page of a step that has one."""
    return METHODS[page_context.step.name].show(page_context)
