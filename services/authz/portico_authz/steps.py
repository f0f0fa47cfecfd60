"""The order of the steps of a login, in one table.

A step is required while its condition holds; the first required one is requested next. A new step is a word in
`StepName`, a field here, and a row in its place: an identity provider's beside the password and the passkey, a second
factor's behind them and before everything else, so that one factor of two changes and reads nothing (LG-08).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from portico_contracts.login import StepName


@dataclass(frozen=True, slots=True)
class AuthenticatedUser:
    """A user whose first factor is verified, and what their account and organization still require.

    Attributes:
        factor: the step of the second factor that is still required, of the enrolment of a user who has none, or the one
            that states its absence; None when none is required, or it is verified.
        needs_password: a session alone is not enough for the enrolment that is required: no code protects it.
        must_see_codes: a factor was registered in this login, and its recovery codes are not shown yet.
        must_change_password: required by the account, or by the organization for a password of that age.
        must_verify_email: the organization requires a verified address, and this one is not.
    """

    factor: StepName | None = None
    must_change_password: bool = False
    must_verify_email: bool = False
    must_see_codes: bool = False
    needs_password: bool = False


@dataclass(frozen=True, slots=True)
class LoginState:
    """What is settled in a login that is in progress.

    Attributes:
        must_choose: there are several accounts to continue with, and none is selected.
        registering: an account is requested, and the organization permits it.
        registered: the registration is sent; the code emailed to its address is not entered yet.
        passkey: a passkey is to identify the user.
        login_name: as entered and accepted; accepted whether or not a user has it (LG-01).
        external: the page of a directory, or about an identity of another provider, that is open; None for none.
        user: None before the first factor is verified.
    """

    must_choose: bool = False
    registering: bool = False
    registered: bool = False
    passkey: bool = False
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


def _must_verify_email(state: LoginState) -> bool:
    return state.registered if state.user is None else state.user.must_verify_email


STEPS: Final[tuple[tuple[StepName, Callable[[LoginState], bool]], ...]] = (
    (StepName.DIRECTORY, _is_external(StepName.DIRECTORY)),
    (StepName.COMPLETE_EXTERNAL, _is_external(StepName.COMPLETE_EXTERNAL)),
    (StepName.EXTERNAL_NO_ACCOUNT, _is_external(StepName.EXTERNAL_NO_ACCOUNT)),
    (StepName.SELECT_ACCOUNT, _before_first_factor(lambda state: state.must_choose)),
    (StepName.REGISTER, _before_first_factor(lambda state: state.registering)),
    (StepName.PASSKEY, _before_first_factor(lambda state: state.passkey)),
    (StepName.LOGIN_NAME, _before_first_factor(lambda state: not state.login_name)),
    (StepName.PASSWORD, _before_first_factor(lambda _state: True)),
    (StepName.SECURITY_KEY, _needs_factor(StepName.SECURITY_KEY)),
    (StepName.TOTP, _needs_factor(StepName.TOTP)),
    (StepName.OTP_EMAIL, _needs_factor(StepName.OTP_EMAIL)),
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
    """The first step that is required."""
    return next((step for step, is_required in STEPS if is_required(state)), StepName.DONE)
