from __future__ import annotations

from portico_contracts.login import Answer, Step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret


class RecoveryCodesStep(Step, frozen=True, tag="recovery_codes"):
    """The codes are shown once; empty afterwards."""

    name = StepName.RECOVERY_CODES
    recovery_codes: tuple[Secret, ...] = ()


class RecoveryCodesAnswer(Answer, frozen=True, tag="recovery_codes"):
    """The codes were seen."""

    step = StepName.RECOVERY_CODES
