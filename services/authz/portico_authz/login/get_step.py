"""The login API: reads the open step. A form that is open in the browser stays valid."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import GetStep, Step, StepName

from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import WEBAUTHN_STEPS
from portico_authz.login.build_step import build_step
from portico_authz.login.continue_login import complete_login
from portico_authz.login.open_login import open_login, owner_of, save_progress
from portico_authz.login.prepare_step import prepare_step
from portico_authz.login.state import Login, Transition


async def get_step(deps: Dependencies, id: str, query: GetStep) -> Step:
    """The open step of a request."""
    return await build_step(deps, await current_step(deps, id, query.browser))


async def current_step(deps: Dependencies, id: str, handle: str) -> Transition:
    """The login of a request at its open step, with the challenge or code it needs."""
    login = await open_login(deps, id, handle)
    if login.is_retry:
        # The old handle authenticates no user; only WebAuthn needs a challenge before it can be repeated.
        owner = await owner_of(deps, login.request) if login.step in WEBAUTHN_STEPS else ""
        return await _prepared(deps, login, owner) if owner else Transition(login)
    if login.step is StepName.DONE:
        return await complete_login(deps, login)
    return await _prepared(deps, replace(login, csrf=login.request.csrf))


async def _prepared(deps: Dependencies, login: Login, user_id: str = "") -> Transition:
    """Prepares the step where no answer did: the requirement is new, or the challenge is too old."""
    prepared = await prepare_step(deps, login, (), user_id)
    return await save_progress(deps, prepared) if prepared.login.progress != login.progress else prepared
