from __future__ import annotations

from dataclasses import dataclass, field

from portico_contracts.login_steps.recovery_codes import RecoveryCodesAnswer, RecoveryCodesStep
from portico_contracts.users.enrolment import GET_ENROLLED_CODES, GetEnrolledCodes

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Enrolment
from portico_authz.login.enrolment import begins_with, leave_enrolment
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Login, Shown, Transition
from portico_authz.steps import Assessed, Requirement


@dataclass(frozen=True, slots=True)
class _Codes(Shown):
    codes: tuple[str, ...] = field(repr=False)


async def _load(deps: Dependencies, login: Login, enrolment: Enrolment) -> Transition:
    question = GetEnrolledCodes(user_id=login.progress.user_id, enrolment=enrolment.name)
    return Transition(login, shown=_Codes((await deps.bus.call(GET_ENROLLED_CODES, question)).codes))


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> RecoveryCodesStep:
    shown = transition.shown
    return RecoveryCodesStep(**common, recovery_codes=shown.codes if isinstance(shown, _Codes) else ())


async def _submit(deps: Dependencies, login: Login, answer: RecoveryCodesAnswer) -> Transition:
    return await leave_enrolment(deps, login, answer.languages)


def _is_unseen(assessed: Assessed) -> bool:
    enrolment = assessed.progress.enrolment
    return enrolment is not None and enrolment.is_done


STEP = LoginStep(RecoveryCodesAnswer, _show, _submit, begins_with(_load), requirement=Requirement(10, _is_unseen))
