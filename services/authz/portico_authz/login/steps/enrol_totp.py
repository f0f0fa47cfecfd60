from __future__ import annotations

from portico_contracts.login_steps.enrol_totp import EnrolTotpAnswer, EnrolTotpStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.enrolment import register_factor
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Login, Transition


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> EnrolTotpStep:
    shown = transition.shown
    return EnrolTotpStep(**common, uri=shown.uri if shown else "", secret=shown.secret if shown else "")


async def _submit(deps: Dependencies, login: Login, answer: EnrolTotpAnswer) -> Transition:
    return await register_factor(deps, login, answer, answer.other)


STEP = LoginStep(EnrolTotpAnswer, _show, _submit)
