from __future__ import annotations

from portico_contracts.login import FactorCodeAnswer, SecondFactorStep
from portico_contracts.step_names import StepName


class RecoveryCodeStep(SecondFactorStep, frozen=True, tag="recovery_code"):
    """A recovery code replaces another factor."""

    name = StepName.RECOVERY_CODE


class RecoveryCodeAnswer(FactorCodeAnswer, frozen=True, tag="recovery_code"):
    """`code` is a recovery code."""

    step = StepName.RECOVERY_CODE
