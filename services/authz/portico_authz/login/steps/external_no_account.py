from __future__ import annotations

from portico_contracts.login_steps.external_no_account import ExternalNoAccountAnswer, ExternalNoAccountStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.page_options import linking
from portico_authz.login.state import Login, Transition
from portico_authz.login.steps.complete_external import prove_account


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> ExternalNoAccountStep:
    return ExternalNoAccountStep(**common, **linking(transition.login))


async def _submit(deps: Dependencies, login: Login, answer: ExternalNoAccountAnswer) -> Transition:
    return await prove_account(deps, login) if answer.link else Transition(login)


STEP = LoginStep(ExternalNoAccountAnswer, _show, _submit)
