from __future__ import annotations

from portico_contracts.login_steps.select_account import SelectAccountAnswer, SelectAccountStep
from portico_contracts.step_names import StepName

from portico_authz.authorize.login_requirements import assess_user, step_up_progress
from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Progress
from portico_authz.domain.session import Session
from portico_authz.login.login_step import Common, LoginStep, prepare_step
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import is_known_by_code, offered_providers, policy_of_page
from portico_authz.login.state import Login, Transition
from portico_authz.login.steps.email_code import request_email_code
from portico_authz.session.accounts import account_id, account_of
from portico_authz.steps import LoginState, next_step


async def _show(deps: Dependencies, transition: Transition, common: Common) -> SelectAccountStep:
    login, policy = transition.login, await policy_of_page(deps, transition.login)
    accounts = [
        await account_of(deps, login.browser, choice.session, usable=choice.usable or choice.lacks_factor)
        for choice in login.accounts
    ]
    return SelectAccountStep(**common, accounts=tuple(accounts), providers=offered_providers(login, policy))


async def _submit(deps: Dependencies, login: Login, answer: SelectAccountAnswer) -> Transition:
    """An id that was not shown changes nothing: the session may have ended meanwhile."""
    if not answer.account:
        return await save_progress(deps, Transition(login.at(StepName.LOGIN_NAME, Progress(other=True))))
    for choice in login.accounts:
        if account_id(login.browser, choice.session) == answer.account:
            if choice.lacks_factor:
                return await _step_up(deps, login, choice.session, answer.languages)
            # The name is stored for the password page, should the session end before the response.
            session = choice.session
            progress = Progress(
                chosen=session.sid, login_name=session.login_name, org_id=session.org_id, shown=session.shown_name
            )
            step = StepName.DONE if choice.usable else StepName.PASSWORD
            opened = await save_progress(deps, Transition(login.at(step, progress)))
            if choice.usable or not await is_known_by_code(deps, opened.login):
                return opened
            return await request_email_code(deps, opened.login, answer.languages, answer.address)
    return Transition(login)


async def _step_up(deps: Dependencies, login: Login, session: Session, languages: tuple[str, ...]) -> Transition:
    progress = step_up_progress(session)
    user = await deps.users_client.find_user(session.user_id)
    assessed = await assess_user(deps, login.ctx, login.browser, user, progress) if user else None
    step = StepName.PASSWORD if assessed is None or assessed.needs_password else next_step(LoginState(user=assessed))
    return await save_progress(deps, await prepare_step(deps, login.at(step, progress), languages))


STEP = LoginStep(SelectAccountAnswer, _show, _submit)
