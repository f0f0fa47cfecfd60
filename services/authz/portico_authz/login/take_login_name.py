"""The answer to the login name page."""

from __future__ import annotations

from portico_contracts.login import Answer, Step, StepName
from portico_contracts.users import FIND_ORGANIZATION, FindOrganization

from portico_authz.authorize.standing import policy_of
from portico_authz.desk import Desk
from portico_authz.domain.auth_request import Progress
from portico_authz.login.open_login import Login, keep, show
from portico_authz.login.take_factor import show_passkey


async def take_login_name(desk: Desk, login: Login, answer: Answer) -> Step:
    """Any name is accepted, whether or not somebody has it (LG-01)."""
    if answer.register:
        return await _show_registration(desk, login)
    if answer.passkey:
        return await show_passkey(desk, login)
    name = answer.login_name.strip()
    if not name:
        return await show(desk, login)
    progress = Progress(login_name=name, org_id=await _organization_of(desk, login, name))
    await keep(desk, login, progress=progress)
    return await show(desk, login.at(StepName.PASSWORD, progress))


async def _show_registration(desk: Desk, login: Login) -> Step:
    if not (await policy_of(desk, login.ctx, login.progress)).may_register:
        return await show(desk, login)
    progress = Progress(registering=True)
    await keep(desk, login, progress=progress)
    return await show(desk, login.at(StepName.REGISTER, progress))


async def _organization_of(desk: Desk, login: Login, name: str) -> str:
    """The organization the name's domain belongs to; the one a scope names comes first.

    It says which policy holds before anybody is known. It restricts nobody: a mail address of any domain may be
    somebody's login name.
    """
    _, at, domain = name.rpartition("@")
    if login.ctx.org_id or not at or not domain:
        return ""
    return (await desk.bus.call(FIND_ORGANIZATION, FindOrganization(domain=domain.casefold()))).org_id
