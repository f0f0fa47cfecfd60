from __future__ import annotations

from portico_contracts.login_steps.security_key import SecurityKeyAnswer, SecurityKeyStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.factors import second_factor, submit_factor
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.page_options import webauthn_options
from portico_authz.login.state import Transition


async def _show(deps: Dependencies, transition: Transition, common: Common) -> SecurityKeyStep:
    login = transition.login
    return SecurityKeyStep(**common, **await second_factor(deps, login), options=webauthn_options(login))


STEP = LoginStep(SecurityKeyAnswer, _show, submit_factor)
