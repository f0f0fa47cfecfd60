"""Enrolment of a required second factor (decision 0046): users enrols only a user who has none."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.authz import EndSessions
from portico_contracts.login import Answer, Problem, StepName
from portico_contracts.users import User
from portico_contracts.users.enrolment import (
    FINISH_ENROLMENT,
    VERIFY_ENROLMENT_CODE,
    FinishEnrolment,
    VerifyEnrolmentCode,
)
from portico_oauth.assurance import add_second_factor
from portico_oauth.errors import Kind, ServiceError

from portico_authz.authorize.login_requirements import find_authenticated
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import Enrolment, Progress
from portico_authz.domain.factors import ENROLLED_BY, KEY_REGISTRATIONS, methods_of, response_in
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.open_login import save_progress
from portico_authz.login.prepare_enrolment import begin_enrolment
from portico_authz.login.prepare_step import prepare_step
from portico_authz.login.state import Login, Transition
from portico_authz.session.end_sessions import end_sessions_or_log


async def submit_enrolment_code(deps: Dependencies, login: Login, answer: Answer) -> Transition:
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
        return await leave_enrolment(deps, login, answer)
    if not isinstance(user, User):
        return user or Transition(login, Problem.WRONG_CODE)
    return await _at(deps, login, answer, StepName.ENROL, replace(enrolment, is_open=True))


async def choose_registration(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    enrolment = login.progress.enrolment
    prepared = await prepare_step(deps, login, answer.languages)
    offered = prepared.shown.registrations if prepared.shown else ()
    if enrolment is None or answer.other is None or answer.other not in offered:
        return await save_progress(deps, prepared)
    return await _at(deps, login, answer, answer.other, replace(enrolment, chosen=answer.other))


async def submit_factor_registration(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    enrolment = login.progress.enrolment
    if enrolment is None:
        return await save_progress(deps, await prepare_step(deps, login, answer.languages))
    if answer.other is StepName.ENROL:
        return await _at(deps, login, answer, StepName.ENROL, replace(enrolment, chosen=None))
    question = _completion(login, enrolment, answer)
    if login.step in KEY_REGISTRATIONS:
        # The challenge is used up whatever the result, even if this replica fails before the page is reloaded.
        without = login.at(login.step, replace(login.progress, asked=None))
        login = (await save_progress(deps, Transition(without))).login

    device_bound = False

    async def finish() -> User | None:
        nonlocal device_bound
        finished = await deps.bus.call(FINISH_ENROLMENT, question)
        device_bound = finished.device_bound
        return finished.user

    try:
        user = await attempt(deps, login, finish()) if response_in(answer) else None
    except ServiceError as error:
        if error.kind is not Kind.FAILED_PRECONDITION:
            raise
        return await leave_enrolment(deps, login, answer)
    if not isinstance(user, User):
        wrong = Problem.WRONG_KEY if login.step in KEY_REGISTRATIONS else Problem.WRONG_CODE
        problem = user or Transition(login, wrong)
        prepared = await save_progress(deps, await prepare_step(deps, login, answer.languages))
        return replace(prepared, problem=problem.problem, retry_after=problem.retry_after)
    # Every session but the one this sign-in adds a factor to.
    await end_sessions_or_log(deps, EndSessions(user_id=user.user_id, but_session_id=login.progress.step_up))
    progress = _with_factor(login, enrolment, device_bound=device_bound)
    return await continue_login(deps, login, progress, user, answer.languages)


def _completion(login: Login, enrolment: Enrolment, answer: Answer) -> FinishEnrolment:
    asked = login.progress.asked
    return FinishEnrolment(
        user_id=login.progress.user_id,
        enrolment=enrolment.name,
        factor=ENROLLED_BY[login.step],
        code=answer.code.strip(),
        registration=asked.name if asked and asked.step is login.step else "",
        credential=answer.credential,
    )


async def leave_enrolment(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """If users ended the enrolment, requests the factor registered by another login, or starts a new enrolment."""
    user = await find_authenticated(deps, login.progress)
    if user is None:  # the next call decides again
        return Transition(login)
    return await continue_login(deps, login, replace(login.progress, enrolment=None), user, answer.languages)


async def _at(deps: Dependencies, login: Login, answer: Answer, step: StepName, enrolment: Enrolment) -> Transition:
    moved = login.at(step, replace(login.progress, enrolment=enrolment))
    return await save_progress(deps, await prepare_step(deps, moved, answer.languages))


def _with_factor(login: Login, enrolment: Enrolment, *, device_bound: bool) -> Progress:
    """The registered factor counts in this sign-in."""
    amr = add_second_factor(login.progress.amr, *methods_of(login.step, device_bound=device_bound))
    done = replace(enrolment, is_done=True)
    # Without the epoch, because the enrolment itself has changed it.
    progress = replace(login.progress, amr=amr, second=True, asked=None, factor=None, enrolment=done, epoch=None)
    return replace(progress, device_bound=progress.device_bound or device_bound)
