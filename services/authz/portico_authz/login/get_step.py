from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import GetStep, Problem
from portico_contracts.login_steps import AnyStep
from portico_contracts.step_names import StepName
from portico_oauth.errors import ServiceError

from portico_authz.authorize.agents import agent_at
from portico_authz.authorize.restart import or_restart
from portico_authz.checked_request import UNKNOWN_AGENT, UserAgent
from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import WEBAUTHN_STEPS
from portico_authz.domain.progress import UNTOUCHED
from portico_authz.login.build_step import build_step
from portico_authz.login.continue_login import complete_login
from portico_authz.login.leave_to_provider import leave_to_provider, named_by_hint
from portico_authz.login.login_step import prepare_step
from portico_authz.login.open_login import open_login, owner_of, save_progress, update_request
from portico_authz.login.state import Login, Transition


async def get_step(deps: Dependencies, id: str, query: GetStep) -> AnyStep:
    try:
        transition = await current_step(deps, id, query.browser, agent_at(deps, query.address))
    except ServiceError as error:
        return await or_restart(deps, id, error)
    return await build_step(deps, await _to_named_provider(deps, transition))


async def _to_named_provider(deps: Dependencies, transition: Transition) -> Transition:
    """Goes to the provider named by the scope, or that the hint leads to, once: the pages can be reached afterwards."""
    login = transition.login
    if login.progress != UNTOUCHED or login.is_retry:
        return transition
    if not login.ctx.scope.provider:
        return await _to_hinted_provider(deps, transition)
    left = await leave_to_provider(deps, login, login.ctx.scope.provider, login.restarted)
    if left.login.step is StepName.LDAP or left.leave_to:
        return left
    if not left.problem:
        return transition
    await update_request(deps, login, progress=login.restarted)
    return left


async def _to_hinted_provider(deps: Dependencies, transition: Transition) -> Transition:
    home = await named_by_hint(deps, transition.login) if transition.login.ctx.login_hint else None
    if home is None:
        return transition
    at = transition.login.at(StepName.PASSWORD, home.progress)
    left = await leave_to_provider(deps, at, home.provider.id, home.progress)
    return left if left.leave_to else await save_progress(deps, left)


async def current_step(deps: Dependencies, id: str, handle: str, agent: UserAgent = UNKNOWN_AGENT) -> Transition:
    login = await open_login(deps, id, handle, agent)
    if login.is_retry:
        # The old handle authenticates no user; only WebAuthn needs a challenge before it can be repeated.
        owner = await owner_of(deps, login.request) if login.step in WEBAUTHN_STEPS else ""
        return await _prepared(deps, login, owner) if owner else Transition(login)
    if login.step is StepName.DONE:
        return await complete_login(deps, login)
    login = replace(login, csrf=login.request.csrf)
    if login.starts_again:
        return await save_progress(deps, Transition(login, Problem.CREDENTIALS_CHANGED))
    return await _prepared(deps, login)


async def _prepared(deps: Dependencies, login: Login, user_id: str = "") -> Transition:
    prepared = await prepare_step(deps, login, (), user_id)
    return await save_progress(deps, prepared) if prepared.login.progress != login.progress else prepared
