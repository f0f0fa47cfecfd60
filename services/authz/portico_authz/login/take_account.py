"""The answer to the account page: an account of this browser, or another one."""

from __future__ import annotations

from portico_contracts.login import Answer, Step, StepName

from portico_authz.desk import Desk
from portico_authz.domain.auth_request import Progress
from portico_authz.login.open_login import Login, done, keep, show
from portico_authz.session.accounts import account_id


async def take_account(desk: Desk, login: Login, answer: Answer) -> Step:
    """Goes on as the chosen account: with its session where that will do, else with its password.

    An id that is none of those shown changes nothing: the session may have ended meanwhile.
    """
    if not answer.account:
        progress = Progress(other=True)
        await keep(desk, login, progress=progress)
        return await show(desk, login.at(StepName.LOGIN_NAME, progress))
    for choice in login.accounts:
        if account_id(login.browser, choice.session) == answer.account:
            # The name stays, so that its password is asked for should the session end before the answer.
            progress = Progress(chosen=choice.session.sid, login_name=choice.session.login_name)
            await keep(desk, login, progress=progress)
            return done(login.request.id) if choice.usable else await show(desk, login.at(StepName.PASSWORD, progress))
    return await show(desk, login)
