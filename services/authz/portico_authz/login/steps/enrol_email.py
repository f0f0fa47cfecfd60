from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Problem
from portico_contracts.login_steps.enrol_email import EnrolEmailAnswer, EnrolEmailStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.step_names import StepName
from portico_contracts.users import User
from portico_contracts.users.enrolment import VERIFY_ENROLMENT_CODE, VerifyEnrolmentCode
from portico_oauth.errors import Kind, ServiceError

from portico_authz.authorize.login_requirements import find_authenticated
from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Enrolment
from portico_authz.login.continue_login import attempt
from portico_authz.login.enrolment import at_enrolment, begin_enrolment, begins_with, leave_enrolment
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.open_login import save_progress
from portico_authz.login.state import Login, Transition


async def _load(_deps: Dependencies, login: Login, _enrolment: Enrolment) -> Transition:
    return Transition(login)


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> EnrolEmailStep:
    enrolment = transition.login.progress.enrolment
    return EnrolEmailStep(**common, mail=enrolment.mail if enrolment else "")


async def _submit(deps: Dependencies, login: Login, answer: EnrolEmailAnswer) -> Transition:
    enrolment = login.progress.enrolment
    if answer.resend or enrolment is None:
        return await save_progress(deps, await begin_enrolment(deps, login, answer.languages))
    if not answer.code.strip():
        return Transition(login, Problem.WRONG_CODE)
    question = VerifyEnrolmentCode(user_id=login.progress.user_id, enrolment=enrolment.name, code=answer.code)

    async def verify() -> User | None:
        right = (await deps.bus.call(VERIFY_ENROLMENT_CODE, question)).right
        return await find_authenticated(deps, login.progress) if right else None

    try:
        user = await attempt(deps, login, verify())
    except ServiceError as error:
        if error.kind is not Kind.FAILED_PRECONDITION:
            raise
        return await leave_enrolment(deps, login, answer.languages)
    if not isinstance(user, User):
        return user or Transition(login, Problem.WRONG_CODE)
    opened = replace(enrolment, is_open=True)
    return await at_enrolment(deps, login, StepName.ENROL, opened, answer.languages)


STEP = LoginStep(EnrolEmailAnswer, _show, _submit, begins_with(_load), failure=SignInFailure.WRONG_EMAIL_CODE)
