from __future__ import annotations

from portico_contracts.login import KeyAnswer, Step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret


class EnrolKeyStep(Step, frozen=True, tag="enrol_key"):
    """`options` is JSON for ``navigator.credentials.create()``."""

    name = StepName.ENROL_KEY
    options: Secret = ""


class EnrolKeyAnswer(KeyAnswer, frozen=True, tag="enrol_key"):
    """The attestation; `other` is `ENROL`, to choose again."""

    step = StepName.ENROL_KEY
    other: StepName | None = None
