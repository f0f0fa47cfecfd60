from __future__ import annotations

from portico_contracts.login import KeyAnswer, Step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret


class EnrolPasskeyStep(Step, frozen=True, tag="enrol_passkey"):
    """`options` is JSON for ``navigator.credentials.create()``."""

    name = StepName.ENROL_PASSKEY
    options: Secret = ""


class EnrolPasskeyAnswer(KeyAnswer, frozen=True, tag="enrol_passkey"):
    """The attestation; `other` is `ENROL`, to choose again."""

    step = StepName.ENROL_PASSKEY
    other: StepName | None = None
