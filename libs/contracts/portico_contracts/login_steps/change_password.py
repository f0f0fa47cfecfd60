from __future__ import annotations

from portico_contracts.login import Answer, Step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret
from portico_contracts.users.organizations import PasswordRules


class ChangePasswordStep(Step, frozen=True, tag="change_password"):
    """`password_rules` are for the new password."""

    name = StepName.CHANGE_PASSWORD
    password_rules: PasswordRules | None = None


class ChangePasswordAnswer(Answer, frozen=True, tag="change_password"):
    """`password` is the current one."""

    step = StepName.CHANGE_PASSWORD
    password: Secret = ""
    new_password: Secret = ""
