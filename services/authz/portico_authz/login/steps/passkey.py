from __future__ import annotations

from dataclasses import replace

from portico_contracts.login_steps.passkey import PasskeyAnswer, PasskeyStep
from portico_contracts.step_names import StepName

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import UsingPasskey
from portico_authz.login.factors import prove_factor
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import linking, may_use_passkey, policy_of_page, webauthn_options
from portico_authz.login.prepare_step import prepare_step
from portico_authz.login.state import Login, Transition


async def request_passkey(deps: Dependencies, login: Login) -> Transition:
    if not may_use_passkey(login, await policy_of_page(deps, login)):
        return Transition(login)
    progress = replace(login.progress.only_name(), under_way=UsingPasskey(), external=login.progress.external)
    return await save_progress(deps, await prepare_step(deps, login.at(StepName.PASSKEY, progress)))


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> PasskeyStep:
    return PasskeyStep(**common, **linking(transition.login), options=webauthn_options(transition.login))


async def _submit(deps: Dependencies, login: Login, answer: PasskeyAnswer) -> Transition:
    return await prove_factor(deps, login, answer)


STEP = LoginStep(PasskeyAnswer, _show, _submit)
