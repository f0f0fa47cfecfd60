"""An identity of another provider has to be as recent as the request demands: prompt=login, max_age (OIDC Core §3.1.2.1).

The provider is asked to authenticate the user again, and states when it did. One that cannot state it proves nothing by
itself: then a factor or the password of the account here is the proof, or the request fails.
"""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Problem, StepName
from portico_contracts.users import User
from portico_oauth.clock_leeway import CLOCK_LEEWAY

from portico_authz.authorize.decide import ASKED_AGAIN
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import Progress
from portico_authz.domain.recency import demanded_since
from portico_authz.domain.session import short_name
from portico_authz.login.open_login import save_progress
from portico_authz.login.state import Login, Transition


def is_recent_enough(login: Login, progress: Progress) -> bool:
    """False where a first factor from elsewhere is older than the request demands, or of unknown age."""
    since = demanded_since(login.ctx.prompts, login.ctx.max_age, login.request.began)
    if since is None or not progress.external_factor:
        return True
    if progress.auth_time:  # by the provider's clock, in whole seconds
        return progress.auth_time > since - CLOCK_LEEWAY
    return progress.second


async def ask_again(deps: Dependencies, login: Login, progress: Progress, user: User) -> Transition:
    """Requests the password of the account here, or another sign-in at the provider: once, then the request fails.

    A provider that states no time would not state one the second time either.
    """
    deps.publisher.login_failed(login.ctx.client.client_id, user.user_id)
    unproven = progress.unproven + 1
    if not progress.auth_time and not user.has_password:
        unproven = ASKED_AGAIN + 1
    step, left = StepName.LOGIN_NAME, Progress(unproven=unproven)
    if user.has_password:
        step, left = StepName.PASSWORD, replace(left, login_name=user.login_name, shown=short_name(user.login_name))
    if unproven > ASKED_AGAIN:
        step = StepName.DONE
    return await save_progress(deps, Transition(login.at(step, left), Problem.EXTERNAL_TOO_OLD))
