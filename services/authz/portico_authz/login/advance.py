from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Answer, Problem
from portico_contracts.step_names import StepName

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Progress
from portico_authz.login.leave_to_provider import leave_to_provider
from portico_authz.login.login_step import STEPS
from portico_authz.login.offer_passkey import use_offer
from portico_authz.login.open_login import open_login, save_progress, update_request
from portico_authz.login.state import Login, Transition
from portico_authz.login.steps.complete_external import create_instead


async def advance(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """Applies an answer to the login; an answer to a step that is not open changes nothing."""
    login = await use_offer(deps, login, answer)
    if answer.cancel:
        await update_request(deps, login, denied=True)
        return Transition(replace(login, step=StepName.DONE))
    if answer.restart:
        return await _restart(deps, login)
    if login.starts_again or answer.step is not login.step:
        return await _show_current(deps, login)
    if answer.provider:
        return await leave_to_provider(deps, login, answer.provider)
    if answer.create:
        return await create_instead(deps, login)
    return await STEPS[answer.step].submit(deps, login, answer)


async def _restart(deps: Dependencies, login: Login) -> Transition:
    # An end user who does not continue with a session, also one of this sign-in, wants another account.
    leaves_session = login.progress.step_up or login.consenting
    progress = Progress(other=True) if leaves_session else login.restarted
    await update_request(deps, login, progress=progress, signed_in="")
    opened = await open_login(deps, login.request.id, login.handle, login.ctx.user_agent)
    return Transition(replace(opened, csrf=login.csrf), login_name=login.progress.shown_name)


async def _show_current(deps: Dependencies, login: Login) -> Transition:
    if not login.starts_again:
        return Transition(login)
    return await save_progress(deps, Transition(login, Problem.CREDENTIALS_CHANGED))
