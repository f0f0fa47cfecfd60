from __future__ import annotations

from portico_contracts.login import SecondFactorAnswer, SecondFactorStep
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret


class SecurityKeyStep(SecondFactorStep, frozen=True, tag="security_key"):
    """`options` is as in `PasskeyStep`."""

    name = StepName.SECURITY_KEY
    options: Secret = ""


class SecurityKeyAnswer(SecondFactorAnswer, frozen=True, tag="security_key"):
    """The assertion of a security key or passkey."""

    step = StepName.SECURITY_KEY
    credential: Secret = ""

    @property
    def single_use(self) -> str:
        return self.credential
