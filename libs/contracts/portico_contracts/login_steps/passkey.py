from __future__ import annotations

from portico_contracts.login import KeyAnswer, LinkingStep
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret


class PasskeyStep(LinkingStep, frozen=True, tag="passkey"):
    """`options` is JSON for ``navigator.credentials.get()``, binary values in base64url; empty without a usable credential."""

    name = StepName.PASSKEY
    options: Secret = ""


class PasskeyAnswer(KeyAnswer, frozen=True, tag="passkey"):
    """The assertion of a passkey."""

    step = StepName.PASSKEY
