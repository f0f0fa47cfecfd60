"""Which step is next: the first that is required.

A second factor precedes everything else that is required of an authenticated user, so that a user with one of two
factors can neither change nor read anything (LG-08). What else is required has a `Requirement` in the module of its
step. Consent comes after all of them, when a session suffices (`portico_authz.authorize.consent`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from portico_contracts.step_names import StepName
from portico_contracts.users import LoginPolicy, User

from portico_authz.domain.progress import Progress


@dataclass(frozen=True, slots=True)
class Assessed:
    """A user whose first factor is verified, at a time in unix seconds."""

    user: User
    policy: LoginPolicy
    progress: Progress
    now: float


@dataclass(frozen=True, slots=True)
class Requirement:
    """When a step is required of an authenticated user; of several the one with the lowest order is next."""

    order: int
    is_open: Callable[[Assessed], bool]


@dataclass(frozen=True, slots=True)
class AuthenticatedUser:
    """A user whose first factor is verified, and the remaining requirements of account and organization.

    Attributes:
        factor: the step of the required factor or enrolment, or that reports its absence; None if verified.
        required: the first other step that is required (`Requirement`).
        needs_password: a session alone is not enough for the required enrolment: no code protects it.
        trusted: the second factor is not requested, because the user trusts this browser.
    """

    factor: StepName | None = None
    required: StepName | None = None
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


def next_step(state: LoginState) -> StepName:
    return _first_factor_of(state) if state.user is None else state.user.factor or state.user.required or StepName.DONE


def _first_factor_of(state: LoginState) -> StepName:
    if state.registered:
        return StepName.VERIFY_EMAIL
    if state.external:
        return state.external
    steps = (
        (StepName.SELECT_ACCOUNT, state.must_choose),
        (StepName.REGISTER, state.registering),
        (StepName.PASSKEY, state.passkey),
        (StepName.EMAIL_CODE, state.email_code),
        (StepName.LOGIN_NAME, not state.login_name),
    )
    return _first_required(steps) or StepName.PASSWORD


def _first_required(steps: tuple[tuple[StepName, bool], ...]) -> StepName | None:
    for step, is_required in steps:
        if is_required:
            return step
    return None
