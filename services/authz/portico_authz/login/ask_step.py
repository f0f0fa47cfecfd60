"""The login API: what to show next."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import GetStep, Step, StepName

from portico_authz.desk import Desk
from portico_authz.domain.factors import KEYS
from portico_authz.login.open_login import Login, done, keep, open_login, show
from portico_authz.login.prepare import prepare
from portico_authz.login.proceed import finish, owner_of


async def ask_step(desk: Desk, id: str, ask: GetStep) -> Step:
    """What to show for a request. Asking again changes nothing: a form that is open stays good."""
    login = await open_login(desk, id, ask.browser)
    if login.is_repeated:
        # Nobody is taken for proven by the old handle; only a key needs something before it can prove it again.
        owner = await owner_of(desk, login.request) if login.asked in KEYS else ""
        return await _prepared(desk, login, owner) if owner else await show(desk, login)
    if login.asked is StepName.DONE:
        return await finish(desk, login) if login.to_finish else done(id)
    return await _prepared(desk, replace(login, csrf=login.request.csrf))


async def _prepared(desk: Desk, login: Login, user_id: str = "") -> Step:
    """The page with what it needs, where no answer had it prepared: the demand came up by itself, or it is too old."""
    progress, problem, retry_after = await prepare(desk, login.asked, login.progress, (), user_id)
    if progress != login.progress:
        await keep(desk, login, progress=progress)
    return await show(desk, login.at(login.asked, progress), problem, retry_after=retry_after)
