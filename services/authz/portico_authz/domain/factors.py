"""Second factors: which of them somebody is asked for, in which order, and how strong a sign-in can get by them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from portico_contracts.login import Answer, StepName
from portico_contracts.users import Factor, LoginPolicy
from portico_oauth.assurance import ACR_MULTI_FACTOR, ACR_PASSWORD, ACR_PHISHING_RESISTANT, level_of

KINDS_OF_KEYS: Final = (Factor.U2F, Factor.PASSKEY)

_FACTORS: Final = {
    StepName.SECURITY_KEY: KINDS_OF_KEYS,
    StepName.TOTP: (Factor.TOTP,),
    StepName.OTP_EMAIL: (Factor.OTP_EMAIL,),
    StepName.RECOVERY_CODE: (Factor.RECOVERY_CODE,),
}
"""By the step they are asked for with, the strongest first. A passkey is a key that can do more than a factor has to."""

SECOND_FACTORS: Final = frozenset(_FACTORS)
"""The steps of second factors."""

PROOFS: Final = SECOND_FACTORS | {StepName.PASSKEY}
"""The steps whose proof a password cannot stand in for."""

KEYS: Final = frozenset({StepName.PASSKEY, StepName.SECURITY_KEY})
"""The steps a key answers."""


def entered_in(answer: Answer) -> str:
    """What somebody proves a factor with; empty for everything else."""
    if answer.step not in PROOFS:
        return ""
    return answer.credential if answer.step in KEYS else answer.code.strip()


def allowed_of(factors: Collection[Factor], policy: LoginPolicy) -> tuple[Factor, ...]:
    """Of what somebody has what counts in their organization. Recovery codes stand in for whatever does."""
    return tuple(factor for factor in factors if is_allowed(factor, policy))


def is_allowed(factor: Factor, policy: LoginPolicy) -> bool:
    """It proves something in an organization."""
    return factor is Factor.RECOVERY_CODE or factor in policy.factors


def steps_of(factors: Collection[Factor]) -> tuple[StepName, ...]:
    """The steps one of which a user has to answer, the likeliest first; none where nothing is demanded.

    Recovery codes stand in for another factor; by themselves they demand nothing.
    """
    steps = tuple(step for step, served in _FACTORS.items() if any(factor in factors for factor in served))
    return () if steps == (StepName.RECOVERY_CODE,) else steps


def step_to_ask(factors: Collection[Factor], chosen: StepName | None, *, forced: bool) -> StepName | None:
    """The step to ask a user, who may have chosen one; None where nothing is demanded.

    Args:
        forced: their organization lets nobody sign in without a second factor.
    """
    steps = steps_of(factors)
    if not steps:
        return StepName.FACTOR_MISSING if forced else None
    return chosen if chosen in steps else steps[0]


def reachable_level(factors: Collection[Factor]) -> int:
    """How strong a sign-in can get (`portico_oauth.assurance.level_of`)."""
    steps = steps_of(factors)
    if StepName.SECURITY_KEY in steps:
        return level_of(ACR_PHISHING_RESISTANT)
    return level_of(ACR_MULTI_FACTOR if steps else ACR_PASSWORD)
