from __future__ import annotations

from portico_contracts.login import Answer
from portico_contracts.login_steps.login_name import LoginNameAnswer, LoginNameStep
from portico_contracts.step_names import StepName
from portico_oauth.typed_text import trimmed

from portico_authz.authorize.login_requirements import policy_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Progress, Registering
from portico_authz.login.home_provider import find_home_provider, find_org_of_domain
from portico_authz.login.leave_to_provider import leave_to_provider
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import first_page, may_use_passkey, policy_of_page
from portico_authz.login.state import Login, Transition
from portico_authz.login.steps.passkey import request_passkey


async def _show(deps: Dependencies, transition: Transition, common: Common) -> LoginNameStep:
    login, policy = transition.login, await policy_of_page(deps, transition.login)
    return LoginNameStep(
        **common,
        **first_page(login, policy),
        may_register=policy.may_register,
        may_use_passkey=may_use_passkey(login, policy),
    )


async def entered_name(deps: Dependencies, login: Login, answer: Answer) -> Progress | None:
    """Returns the progress after any name, whether or not a user has it (LG-01); None for another answer.

    Nothing is verified by a name, so that it can be stored together with its form.
    """
    if login.step is not StepName.LOGIN_NAME or not isinstance(answer, LoginNameAnswer):
        return None
    name = name_in(answer)
    if not name:
        return None
    org_id, before = await _organization_of(deps, login, name), login.progress
    return Progress(login_name=name, org_id=org_id, external=before.external, returned=before.returned)


def name_in(answer: LoginNameAnswer) -> str:
    """The entered name; empty where the answer is another one."""
    is_other = any((answer.cancel, answer.restart, answer.provider, answer.create, answer.register, answer.passkey))
    return "" if is_other else trimmed(answer.login_name)


async def after_name(deps: Dependencies, login: Login, named: Progress) -> Transition:
    """The page after a name; or the provider, once: who comes back without an identity gets the page."""
    at = login.at(StepName.PASSWORD, named)
    if named.returned or named.external:
        return Transition(at)
    home = await find_home_provider(deps, login.ctx, named.login_name)
    if home is None:
        return Transition(at)
    return await leave_to_provider(deps, at, home.provider.id, login_hint=named.login_name)


async def _submit(deps: Dependencies, login: Login, answer: LoginNameAnswer) -> Transition:
    """Everything on the page but a name."""
    if answer.register:
        return await _request_registration(deps, login)
    if answer.passkey:
        return await request_passkey(deps, login)
    return Transition(login)


async def _request_registration(deps: Dependencies, login: Login) -> Transition:
    if not (await policy_of(deps, login.ctx, login.progress)).may_register:
        return Transition(login)
    return await save_progress(deps, Transition(login.at(StepName.REGISTER, Progress(under_way=Registering()))))


async def _organization_of(deps: Dependencies, login: Login, name: str) -> str:
    """Selects the login policy by the name's domain; users of any organization may have an address of any domain."""
    return "" if login.ctx.scope.org_id else await find_org_of_domain(deps, name)


STEP = LoginStep(LoginNameAnswer, _show, _submit)
