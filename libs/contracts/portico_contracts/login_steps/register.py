from __future__ import annotations

from portico_contracts.login import Answer, Step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Message, Secret
from portico_contracts.users.external import OfferedProvider
from portico_contracts.users.organizations import PasswordRules


class Registration(Message, frozen=True):
    """Data of a new account (prompt=create)."""

    email: str
    first_name: str
    last_name: str
    password: Secret


class RegisterStep(Step, frozen=True, tag="register"):
    """`password_rules` are for the new password; `without_password`: the emailed code is the first factor instead."""

    name = StepName.REGISTER
    may_register: bool = False
    password_rules: PasswordRules | None = None
    providers: tuple[OfferedProvider, ...] = ()
    without_password: bool = False


class RegisterAnswer(Answer, frozen=True, tag="register"):
    """The form of a new account, complete or not."""

    step = StepName.REGISTER
    registration: Registration | None = None
