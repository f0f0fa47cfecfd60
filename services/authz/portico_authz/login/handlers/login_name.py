"""The answers to the account page and to the page of the login name."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_contracts.users import FIND_ORGANIZATION, FindOrganization
from portico_oauth.typed_text import trimmed

from portico_authz.authorize.login_requirements import assess_user, policy_of, step_up_progress
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import Progress
from portico_authz.domain.session import Session
from portico_authz.login.handlers.email_code import request_email_code
from portico_authz.login.handlers.factor import request_passkey
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import is_known_by_code
from portico_authz.login.prepare_step import prepare_step
from portico_authz.login.state import Login, Transition
from portico_authz.session.accounts import account_id
from portico_authz.steps import LoginState, next_step


async def select_account(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """An id that was not shown changes nothing: the session may have ended meanwhile."""
    if not answer.account:
        return await save_progress(deps, Transition(login.at(StepName.LOGIN_NAME, Progress(other=True))))
    for choice in login.accounts:
        if account_id(login.browser, choice.session) == answer.account:
            if choice.lacks_factor:
                return await _step_up(deps, login, choice.session, answer)
            # The name is stored for the password page, should the session end before the response.
            session = choice.session
            progress = Progress(
                chosen=session.sid, login_name=session.login_name, org_id=session.org_id, shown=session.shown_name
            )
            step = StepName.DONE if choice.usable else StepName.PASSWORD
            opened = await save_progress(deps, Transition(login.at(step, progress)))
            if choice.usable or not await is_known_by_code(deps, opened.login):
                return opened
            return await request_email_code(deps, opened.login, answer)
    return Transition(login)


async def _step_up(deps: Dependencies, login: Login, session: Session, answer: Answer) -> Transition:
    progress = step_up_progress(session)
    user = await deps.users_client.find_user(session.user_id)
    assessed = await assess_user(deps, login.ctx, login.browser, user, progress) if user else None
    step = StepName.PASSWORD if assessed is None or assessed.needs_password else next_step(LoginState(user=assessed))
    return await save_progress(deps, await prepare_step(deps, login.at(step, progress), answer.languages))


async def entered_name(deps: Dependencies, login: Login, answer: Answer) -> Progress | None:
    """Returns the progress after any name, whether or not a user has it (LG-01); None for another answer.

    Nothing is verified by a name, so that it can be stored together with its form.
    """
    if login.step is not StepName.LOGIN_NAME or answer.step is not StepName.LOGIN_NAME:
        return None
    if any((answer.cancel, answer.restart, answer.provider, answer.create, answer.register, answer.passkey)):
        return None
    name = trimmed(answer.login_name)
    if not name:
        return None
    org_id = await _organization_of(deps, login, name)
    return Progress(login_name=name, org_id=org_id, external=login.progress.external)


async def submit_login_name(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """Everything on the page but a name."""
    if answer.register:
        return await _request_registration(deps, login)
    if answer.passkey:
        return await request_passkey(deps, login)
    return Transition(login)


async def _request_registration(deps: Dependencies, login: Login) -> Transition:
    if not (await policy_of(deps, login.ctx, login.progress)).may_register:
        return Transition(login)
    return await save_progress(deps, Transition(login.at(StepName.REGISTER, Progress(registering=True))))


async def _organization_of(deps: Dependencies, login: Login, name: str) -> str:
    """Selects the login policy by the name's domain; users of any organization may have an address of any domain."""
    _, at, domain = name.rpartition("@")
    if login.ctx.org_id or not at or not domain:
        return ""
    return (await deps.bus.call(FIND_ORGANIZATION, FindOrganization(domain=domain.casefold()))).org_id
