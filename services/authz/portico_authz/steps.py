"""The order of the steps of a login, in one table.

The first step whose condition holds is requested next. A new step needs a value in `StepName`, a field here
and a row: an identity provider next to the password and the passkey, a second factor after them and before
everything else, so that a user with one of two factors can neither change nor read anything (LG-08).
Consent comes after all of them, when a session suffices (`portico_authz.authorize.consent`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from portico_contracts.login import StepName


@dataclass(frozen=True, slots=True)
class AuthenticatedUser:
    """A user whose first factor is verified, and the remaining requirements of account and organization.

    Attributes:
        factor: the step of the required factor or enrolment, or that reports its absence; None if verified.
        needs_password: a session alone is not enough for the required enrolment: no code protects it.
        trusted: the second factor is not requested, because the user trusts this browser.
    """

    factor: StepName | None = None
    must_change_password: bool = False
    must_verify_email: bool = False
    must_see_codes: bool = False
    needs_password: bool = False
    trusted: bool = False


@dataclass(frozen=True, slots=True)
class LoginState:
    """`login_name` is as entered, whether or not a user has it (LG-01); `user` is None before the first factor."""

    must_choose: bool = False
    registering: bool = False
    registered: bool = False
    passkey: bool = False
    email_code: bool = False
    login_name: str = ""
    user: AuthenticatedUser | None = None
    external: StepName | None = None


def _before_first_factor(is_required: Callable[[LoginState], bool]) -> Callable[[LoginState], bool]:
    return lambda state: state.user is None and not state.registered and is_required(state)


def _after_first_factor(is_required: Callable[[AuthenticatedUser], bool]) -> Callable[[LoginState], bool]:
    return lambda state: state.user is not None and is_required(state.user)


def _is_external(step: StepName) -> Callable[[LoginState], bool]:
    return _before_first_factor(lambda state: state.external is step)


def _needs_factor(step: StepName) -> Callable[[LoginState], bool]:
    return _after_first_factor(lambda user: user.factor is step)


def _must_enter_password(state: LoginState) -> bool:
    """As the first factor, or as the second one after an emailed code."""
    return not state.registered if state.user is None else state.user.factor is StepName.PASSWORD


def _must_verify_email(state: LoginState) -> bool:
    return state.registered if state.user is None else state.user.must_verify_email


STEPS: Final[tuple[tuple[StepName, Callable[[LoginState], bool]], ...]] = (
    (StepName.DIRECTORY, _is_external(StepName.DIRECTORY)),
    (StepName.COMPLETE_EXTERNAL, _is_external(StepName.COMPLETE_EXTERNAL)),
    (StepName.EXTERNAL_NO_ACCOUNT, _is_external(StepName.EXTERNAL_NO_ACCOUNT)),
    (StepName.SELECT_ACCOUNT, _before_first_factor(lambda state: state.must_choose)),
    (StepName.REGISTER, _before_first_factor(lambda state: state.registering)),
    (StepName.PASSKEY, _before_first_factor(lambda state: state.passkey)),
    (StepName.EMAIL_CODE, _before_first_factor(lambda state: state.email_code)),
    (StepName.LOGIN_NAME, _before_first_factor(lambda state: not state.login_name)),
    (StepName.PASSWORD, _must_enter_password),
    (StepName.SECURITY_KEY, _needs_factor(StepName.SECURITY_KEY)),
    (StepName.TOTP, _needs_factor(StepName.TOTP)),
    (StepName.OTP_EMAIL, _needs_factor(StepName.OTP_EMAIL)),
    (StepName.OTP_SMS, _needs_factor(StepName.OTP_SMS)),
    (StepName.RECOVERY_CODE, _needs_factor(StepName.RECOVERY_CODE)),
    (StepName.FACTOR_MISSING, _needs_factor(StepName.FACTOR_MISSING)),
    (StepName.ENROL_EMAIL, _needs_factor(StepName.ENROL_EMAIL)),
    (StepName.ENROL, _needs_factor(StepName.ENROL)),
    (StepName.ENROL_PASSKEY, _needs_factor(StepName.ENROL_PASSKEY)),
    (StepName.ENROL_KEY, _needs_factor(StepName.ENROL_KEY)),
    (StepName.ENROL_TOTP, _needs_factor(StepName.ENROL_TOTP)),
    (StepName.RECOVERY_CODES, _after_first_factor(lambda user: user.must_see_codes)),
    (StepName.CHANGE_PASSWORD, _after_first_factor(lambda user: user.must_change_password)),
    (StepName.VERIFY_EMAIL, _must_verify_email),
)


def next_step(state: LoginState) -> StepName:
    return next((step for step, is_required in STEPS if is_required(state)), StepName.DONE)
