"""The answer to the login name page."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_contracts.users import FIND_ORGANIZATION, FindOrganization
from portico_oauth.typed_text import trimmed

from portico_authz.authorize.login_requirements import policy_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import Progress
from portico_authz.login.handlers.factor import request_passkey
from portico_authz.login.open_login import save_progress
from portico_authz.login.state import Login, Transition


async def submit_login_name(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """Accepts any name, whether or not a user has it (LG-01)."""
    if answer.register:
        return await _request_registration(deps, login)
    if answer.passkey:
        return await request_passkey(deps, login)
    name = trimmed(answer.login_name)
    if not name:
        return Transition(login)
    org_id = await _organization_of(deps, login, name)
    progress = Progress(login_name=name, org_id=org_id, external=login.progress.external)
    return await save_progress(deps, Transition(login.at(StepName.PASSWORD, progress)))


async def _request_registration(deps: Dependencies, login: Login) -> Transition:
    if not (await policy_of(deps, login.ctx, login.progress)).may_register:
        return Transition(login)
    return await save_progress(deps, Transition(login.at(StepName.REGISTER, Progress(registering=True))))


async def _organization_of(deps: Dependencies, login: Login, name: str) -> str:
    """The organization the name's domain belongs to; the one a scope names comes first.

    It selects the login policy before a user is identified. It restricts no user: an email address of any domain is a
    possible login name.
    """
    _, at, domain = name.rpartition("@")
    if login.ctx.org_id or not at or not domain:
        return ""
    return (await deps.bus.call(FIND_ORGANIZATION, FindOrganization(domain=domain.casefold()))).org_id
