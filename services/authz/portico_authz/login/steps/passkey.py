from __future__ import annotations

from dataclasses import replace

from portico_contracts.login_steps.passkey import PasskeyAnswer, PasskeyStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.step_names import StepName
from portico_contracts.users import BeginAssertion

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import UsingPasskey
from portico_authz.login.factors import prove_factor
from portico_authz.login.key_challenges import (
    at_challenge,
    begin_assertion,
    finish_assertion,
    has_fresh_challenge,
    webauthn_options,
)
from portico_authz.login.login_step import Common, LoginStep, prepare_step
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import linking, may_use_passkey, policy_of_page
from portico_authz.login.state import Login, Transition


async def request_passkey(deps: Dependencies, login: Login) -> Transition:
    if not may_use_passkey(login, await policy_of_page(deps, login)):
        return Transition(login)
    progress = replace(login.progress.only_name(), under_way=UsingPasskey(), external=login.progress.external)
    return await save_progress(deps, await prepare_step(deps, login.at(StepName.PASSKEY, progress)))


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> PasskeyStep:
    return PasskeyStep(**common, **linking(transition.login), options=webauthn_options(transition.login))


async def _begin(deps: Dependencies, login: Login, _languages: tuple[str, ...], _owner: str) -> Transition:
    if has_fresh_challenge(deps, login):
        return Transition(login)
    question = BeginAssertion(user_id="", passkey=True)
    return Transition(at_challenge(login, await begin_assertion(deps, StepName.PASSKEY, question)))


STEP = LoginStep(PasskeyAnswer, _show, prove_factor, _begin, finish_assertion, failure=SignInFailure.UNKNOWN_PASSKEY)
