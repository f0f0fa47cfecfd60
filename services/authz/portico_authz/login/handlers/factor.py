"""Handles second factor and passkey pages. users verifies, counts and invalidates the responses."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from portico_contracts.login import Answer, Problem, StepName
from portico_contracts.users import User
from portico_oauth.assurance import add_second_factor

from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import Progress
from portico_authz.domain.factors import SECOND_FACTORS, WEBAUTHN_STEPS, methods_of, response_in
from portico_authz.domain.session import short_name
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import alternative_factors, may_use_passkey, policy_of_page
from portico_authz.login.prepare_step import SENT_CODES, prepare_step, send_factor_code
from portico_authz.login.state import Login, Transition
from portico_authz.login.verifiers import verify_allowed


class Proof(NamedTuple):
    user: User
    device_bound: bool


async def submit_factor(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    if answer.other is not None:
        return await _choose_other(deps, login, answer)
    if answer.resend and login.step in SENT_CODES:
        return await save_progress(deps, await send_factor_code(deps, login, answer.languages))
    value = response_in(answer)
    if not value:
        return Transition(login, _problem_of(login.step))
    proof = await verify_factor(deps, login, login.progress.user_id, value)
    if isinstance(proof, Transition):
        return proof
    progress = _with_factor(login.step, login.progress, proof)
    if answer.trust and login.step in SECOND_FACTORS:
        progress = replace(progress, trust_by=login.step, trust_epoch=proof.user.trust_epoch)
    return await continue_login(deps, login, progress, proof.user, answer.languages)


async def verify_factor(deps: Dependencies, login: Login, user_id: str, value: str) -> Proof | Transition:
    """Counts as an attempt at users (LG-07); `user_id` is empty for a passkey, which identifies its owner."""
    challenge = login.progress.asked.name if login.progress.asked else ""
    if login.step in WEBAUTHN_STEPS:
        # The challenge is used up whatever the result, even if this replica fails before the page is reloaded.
        without = login.at(login.step, replace(login.progress, asked=None))
        login = (await save_progress(deps, Transition(without))).login

    device_bound = False

    async def verify() -> User | None:
        nonlocal device_bound
        verified = await verify_allowed(deps, login.step, user_id, challenge, value)
        device_bound = verified.device_bound
        return verified.user

    result = await attempt(deps, login, verify())
    if isinstance(result, User):
        return Proof(result, device_bound)
    failed = result or Transition(login, _problem_of(login.step))
    if login.step not in WEBAUTHN_STEPS:
        return failed
    renewed = await save_progress(deps, await prepare_step(deps, login, (), user_id))
    return replace(failed, login=renewed.login)


async def request_passkey(deps: Dependencies, login: Login) -> Transition:
    if not may_use_passkey(login, await policy_of_page(deps, login)):
        return Transition(login)
    progress = replace(login.progress.only_name(), passkey=True, external=login.progress.external)
    return await save_progress(deps, await prepare_step(deps, login.at(StepName.PASSKEY, progress)))


def _problem_of(step: StepName) -> Problem:
    return Problem.WRONG_KEY if step in WEBAUTHN_STEPS else Problem.WRONG_CODE


async def _choose_other(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    if answer.other is None or answer.other not in await alternative_factors(deps, login):
        return Transition(login)
    chosen = login.at(answer.other, replace(login.progress, factor=answer.other))
    return await save_progress(deps, await prepare_step(deps, chosen, answer.languages))


def _with_factor(step: StepName, progress: Progress, proof: Proof) -> Progress:
    """Returns the progress after a verified factor. A passkey with user verification counts as two factors."""
    methods = methods_of(step, device_bound=proof.device_bound)
    if step is StepName.PASSKEY:
        user, bound = proof
        name = Progress(login_name=user.login_name, shown=short_name(user.login_name), external=progress.external)
        amr = add_second_factor((), *methods)
        return replace(name, user_id=user.user_id, amr=amr, second=True, device_bound=bound)
    bound = progress.device_bound or proof.device_bound
    amr = add_second_factor(progress.amr, *methods)
    return replace(progress, amr=amr, second=True, asked=None, factor=None, device_bound=bound)
