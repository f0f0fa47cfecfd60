from __future__ import annotations

from portico_contracts.login import Answer, Step
from portico_contracts.step_names import StepName


class FactorMissingStep(Step, frozen=True, tag="factor_missing"):
    """`emailed`: the first factor was an emailed code, so a code by email does not count as the second."""

    name = StepName.FACTOR_MISSING
    emailed: bool = False


class FactorMissingAnswer(Answer, frozen=True, tag="factor_missing"):
    """Only `cancel` and `restart` lead away."""

    step = StepName.FACTOR_MISSING
