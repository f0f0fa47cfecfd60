"""The answer to the account page: an account of this browser, or another one."""

from __future__ import annotations

from portico_contracts.login import Answer, Step, StepName

from portico_authz.authorize.standing import proven_of, stepping_up
from portico_authz.desk import Desk
from portico_authz.domain.auth_request import Progress
from portico_authz.domain.session import Session
from portico_authz.login.open_login import Login, done, keep, show
from portico_authz.login.prepare import prepare
from portico_authz.session.accounts import account_id
from portico_authz.steps import LoginFacts, next_step


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
            if choice.lacks_factor:
                return await _step_up(desk, login, choice.session, answer)
            # The name stays, so that its password is asked for should the session end before the answer.
            session = choice.session
            progress = Progress(chosen=session.sid, login_name=session.login_name, shown=session.shown_name)
            await keep(desk, login, progress=progress)
            return done(login.request.id) if choice.usable else await show(desk, login.at(StepName.PASSWORD, progress))
    return await show(desk, login)


async def _step_up(desk: Desk, login: Login, session: Session, answer: Answer) -> Step:
    """Only the second factor is asked for."""
    progress = stepping_up(session)
    user = await desk.directory.find_user(session.user_id)
    step = next_step(LoginFacts(proven=await proven_of(desk, user, progress))) if user else StepName.PASSWORD
    progress, problem, retry_after = await prepare(desk, step, progress, answer.languages)
    await keep(desk, login, progress=progress)
    return await show(desk, login.at(step, progress), problem, retry_after=retry_after)
