from __future__ import annotations

from portico_contracts.login import CodeAnswer, LinkingStep
from portico_contracts.step_names import StepName


class EmailCodeStep(LinkingStep, frozen=True, tag="email_code"):
    """`others` is the step of the password, where it is offered."""

    name = StepName.EMAIL_CODE
    others: tuple[StepName, ...] = ()


class EmailCodeAnswer(CodeAnswer, frozen=True, tag="email_code"):
    """The emailed code, or the request for another one or for the step of `EmailCodeStep.others`."""

    step = StepName.EMAIL_CODE
    resend: bool = False
    other: StepName | None = None
