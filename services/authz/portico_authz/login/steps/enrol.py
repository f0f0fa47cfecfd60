from __future__ import annotations

from dataclasses import replace

from portico_contracts.login_steps.enrol import EnrolAnswer, EnrolStep
from portico_contracts.step_names import StepName

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Enrolment
from portico_authz.login.enrolment import (
    Registrations,
    at_enrolment,
    begins_with,
    register_email_codes,
    with_registrations,
)
from portico_authz.login.login_step import Common, LoginStep, prepare_step
from portico_authz.login.open_login import save_progress
from portico_authz.login.state import Login, Transition


async def _load(deps: Dependencies, login: Login, _enrolment: Enrolment) -> Transition:
    return await with_registrations(deps, login)


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> EnrolStep:
    return EnrolStep(**common, others=_offered(transition))


def _offered(transition: Transition) -> tuple[StepName, ...]:
    return transition.shown.steps if isinstance(transition.shown, Registrations) else ()


async def _submit(deps: Dependencies, login: Login, answer: EnrolAnswer) -> Transition:
    enrolment = login.progress.enrolment
    prepared = await prepare_step(deps, login, answer.languages)
    if enrolment is None or answer.other is None or answer.other not in _offered(prepared):
        return await save_progress(deps, prepared)
    if answer.other is StepName.OTP_EMAIL:
        return await register_email_codes(deps, login, enrolment, answer.languages)
    chosen = replace(enrolment, chosen=answer.other)
    return await at_enrolment(deps, login, answer.other, chosen, answer.languages)


STEP = LoginStep(EnrolAnswer, _show, _submit, begins_with(_load))
