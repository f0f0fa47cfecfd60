from __future__ import annotations

from portico_contracts.login_steps.recovery_codes import RecoveryCodesAnswer, RecoveryCodesStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.enrolment import leave_enrolment
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Login, Transition
from portico_authz.steps import Assessed, Requirement


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> RecoveryCodesStep:
    return RecoveryCodesStep(**common, recovery_codes=transition.shown.recovery_codes if transition.shown else ())


async def _submit(deps: Dependencies, login: Login, answer: RecoveryCodesAnswer) -> Transition:
    return await leave_enrolment(deps, login, answer.languages)


def _is_unseen(assessed: Assessed) -> bool:
    enrolment = assessed.progress.enrolment
    return enrolment is not None and enrolment.is_done


STEP = LoginStep(RecoveryCodesAnswer, _show, _submit, Requirement(10, _is_unseen))
