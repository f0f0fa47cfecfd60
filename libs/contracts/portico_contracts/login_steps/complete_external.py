from __future__ import annotations

from portico_contracts.login import Answer, LinkingStep
from portico_contracts.step_names import StepName
from portico_contracts.users.external import Profile


class CompleteExternalStep(LinkingStep, frozen=True, tag="complete_external"):
    """`profile` has the user's data from the provider, `missing` the names of required fields without a value."""

    name = StepName.COMPLETE_EXTERNAL
    profile: Profile | None = None
    missing: tuple[str, ...] = ()


class CompleteExternalAnswer(Answer, frozen=True, tag="complete_external"):
    """`profile` has the data of the new account; `link`: sign in to an account and link it."""

    step = StepName.COMPLETE_EXTERNAL
    profile: Profile | None = None
    link: bool = False
