from __future__ import annotations

from portico_contracts.login import Answer, LinkingStep
from portico_contracts.step_names import StepName


class ExternalNoAccountStep(LinkingStep, frozen=True, tag="external_no_account"):
    """Another provider identified a user who has no account."""

    name = StepName.EXTERNAL_NO_ACCOUNT


class ExternalNoAccountAnswer(Answer, frozen=True, tag="external_no_account"):
    """`link`: sign in to an account and link it."""

    step = StepName.EXTERNAL_NO_ACCOUNT
    link: bool = False
