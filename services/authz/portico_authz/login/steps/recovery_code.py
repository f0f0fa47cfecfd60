from __future__ import annotations

from portico_contracts.login_steps.recovery_code import RecoveryCodeAnswer, RecoveryCodeStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.factors import second_factor, submit_factor
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Transition


async def _show(deps: Dependencies, transition: Transition, common: Common) -> RecoveryCodeStep:
    return RecoveryCodeStep(**common, **await second_factor(deps, transition.login))


STEP = LoginStep(RecoveryCodeAnswer, _show, submit_factor)
