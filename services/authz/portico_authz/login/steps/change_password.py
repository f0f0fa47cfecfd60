from __future__ import annotations

from dataclasses import replace
from typing import Final

from portico_contracts.authz import EndSessions
from portico_contracts.login import Problem
from portico_contracts.login_steps.change_password import ChangePasswordAnswer, ChangePasswordStep
from portico_contracts.users import CHANGE_PASSWORD, ChangePassword, User
from portico_oauth.assurance import PASSWORD, add_password
from portico_oauth.errors import Kind, ServiceError

from portico_authz.dependencies import Dependencies
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Login, Transition
from portico_authz.session.end_sessions import end_sessions_or_log
from portico_authz.steps import Assessed, Requirement

DAY_SECONDS: Final = 86_400


async def _show(deps: Dependencies, transition: Transition, common: Common) -> ChangePasswordStep:
    user = await deps.users_client.find_user(transition.login.progress.user_id)
    rules = (await deps.users_client.login_policy(user.org_id)).password_rules if user else None
    return ChangePasswordStep(**common, password_rules=rules)


async def _submit(deps: Dependencies, login: Login, answer: ChangePasswordAnswer) -> Transition:
    """Sets a new password by the current one, and ends the sessions that were started with that (IR-14)."""

    async def change() -> User | None:
        question = ChangePassword(
            user_id=login.progress.user_id, current_password=answer.password, new_password=answer.new_password
        )
        return (await deps.bus.call(CHANGE_PASSWORD, question)).user

    if not answer.password or not answer.new_password:
        return Transition(login, Problem.WRONG_CREDENTIALS)
    try:
        user = await attempt(deps, login, change())
    except ServiceError as error:
        if error.kind not in (Kind.INVALID_REQUEST, Kind.FAILED_PRECONDITION):
            raise
        return Transition(login, Problem.INVALID_PASSWORD, detail=error.id)
    if not isinstance(user, User):
        return user or Transition(login, Problem.WRONG_CREDENTIALS)
    await end_sessions_or_log(deps, EndSessions(user_id=user.user_id))
    # Every session has ended, so the password counts as a whole sign-in; the change itself has changed the epochs.
    amr = add_password(login.progress.amr)
    trust = login.progress.trust_at(user.trust_epoch)
    progress = replace(login.progress, amr=amr, under_way=None, step_up="", epoch=None, trust=trust)
    return await continue_login(deps, login, progress, user, answer.languages)


def _is_due(assessed: Assessed) -> bool:
    user, policy = assessed.user, assessed.policy
    is_used = policy.password_sign_in or PASSWORD in assessed.progress.amr
    return (user.password_change_required and is_used) or _is_too_old(assessed)


def _is_too_old(assessed: Assessed) -> bool:
    """Reports whether the password is too old; one without a known date never is."""
    user, days = assessed.user, assessed.policy.password_max_age_days
    if not days or not user.password_changed or PASSWORD not in assessed.progress.amr:
        return False
    return assessed.now >= user.password_changed + days * DAY_SECONDS


STEP = LoginStep(ChangePasswordAnswer, _show, _submit, requirement=Requirement(20, _is_due))
