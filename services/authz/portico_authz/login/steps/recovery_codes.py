from __future__ import annotations

from portico_contracts.login_steps.recovery_codes import RecoveryCodesAnswer, RecoveryCodesStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.enrolment import leave_enrolment
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Login, Transition


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> RecoveryCodesStep:
    return RecoveryCodesStep(**common, recovery_codes=transition.shown.recovery_codes if transition.shown else ())


async def _submit(deps: Dependencies, login: Login, answer: RecoveryCodesAnswer) -> Transition:
    return await leave_enrolment(deps, login, answer.languages)


STEP = LoginStep(RecoveryCodesAnswer, _show, _submit)
