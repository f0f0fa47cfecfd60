from __future__ import annotations

from portico_contracts.login_steps.totp import TotpAnswer, TotpStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.factors import second_factor, submit_factor
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Transition


async def _show(deps: Dependencies, transition: Transition, common: Common) -> TotpStep:
    return TotpStep(**common, **await second_factor(deps, transition.login))


STEP = LoginStep(TotpAnswer, _show, submit_factor)
