from __future__ import annotations

from dataclasses import replace

from portico_contracts.login_steps.enrol import EnrolAnswer, EnrolStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.enrolment import at_enrolment
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.open_login import save_progress
from portico_authz.login.prepare_step import prepare_step
from portico_authz.login.state import Login, Transition


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> EnrolStep:
    return EnrolStep(**common, others=transition.shown.registrations if transition.shown else ())


async def _submit(deps: Dependencies, login: Login, answer: EnrolAnswer) -> Transition:
    enrolment = login.progress.enrolment
    prepared = await prepare_step(deps, login, answer.languages)
    offered = prepared.shown.registrations if prepared.shown else ()
    if enrolment is None or answer.other is None or answer.other not in offered:
        return await save_progress(deps, prepared)
    chosen = replace(enrolment, chosen=answer.other)
    return await at_enrolment(deps, login, answer.other, chosen, answer.languages)


STEP = LoginStep(EnrolAnswer, _show, _submit)
