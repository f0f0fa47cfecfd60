from __future__ import annotations

from portico_contracts.login_steps.factor_missing import FactorMissingAnswer, FactorMissingStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Login, Transition


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> FactorMissingStep:
    return FactorMissingStep(**common, emailed=transition.login.progress.emailed)


async def _submit(_deps: Dependencies, login: Login, _answer: FactorMissingAnswer) -> Transition:
    """Only `cancel` and `restart` lead away."""
    return Transition(login)


STEP = LoginStep(FactorMissingAnswer, _show, _submit)
