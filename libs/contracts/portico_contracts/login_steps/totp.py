from __future__ import annotations

from portico_contracts.login import FactorCodeAnswer, SecondFactorStep
from portico_contracts.step_names import StepName


class TotpStep(SecondFactorStep, frozen=True, tag="totp"):
    """The code of an authenticator app."""

    name = StepName.TOTP


class TotpAnswer(FactorCodeAnswer, frozen=True, tag="totp"):
    """`code` comes from the authenticator app."""

    step = StepName.TOTP
