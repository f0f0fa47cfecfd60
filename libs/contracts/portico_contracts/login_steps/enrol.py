from __future__ import annotations

from portico_contracts.login import Answer, Step
from portico_contracts.step_names import StepName


class EnrolStep(Step, frozen=True, tag="enrol"):
    """`others` are the steps that enrol a factor; `OTP_EMAIL`, codes by email, is enrolled by choosing it."""

    name = StepName.ENROL
    others: tuple[StepName, ...] = ()


class EnrolAnswer(Answer, frozen=True, tag="enrol"):
    """`other` is the step of `EnrolStep.others` to enrol."""

    step = StepName.ENROL
    other: StepName | None = None
