"""Handles the password page and the forced password change. Authz only forwards passwords."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.authz import EndSessions
from portico_contracts.login import Answer, Problem
from portico_contracts.users import CHANGE_PASSWORD, ChangePassword, Factor, User
from portico_oauth.assurance import PASSWORD, add_password, add_second_factor
from portico_oauth.errors import Kind, ServiceError

from portico_authz.authorize.login_requirements import allowed_factors
from portico_authz.dependencies import Dependencies
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.handlers.email_code import request_email_code
from portico_authz.login.handlers.factor import request_passkey
from portico_authz.login.state import Login, Transition
from portico_authz.login.verifiers import Attempted, verify_named
from portico_authz.session.end_sessions import end_sessions_or_log


async def submit_password(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """A wrong password and an unknown user get the same response (LG-01)."""
    if answer.passkey:
        return await request_passkey(deps, login)
    if answer.email_code:
        return await request_email_code(deps, login, answer)
    if not answer.password:
        return Transition(login, Problem.WRONG_CREDENTIALS)
    user = await attempt(deps, login, verify_password(deps, login, answer.password))
    if not isinstance(user, User):
        return user or Transition(login, Problem.WRONG_CREDENTIALS)
    if login.progress.emailed:
        return await _add_password(deps, login, user, answer)
    progress = replace(
        login.progress.only_name(), user_id=user.user_id, amr=(PASSWORD,), external=login.progress.external
    )
    return await continue_login(deps, login, progress, user, answer.languages)


async def _add_password(deps: Dependencies, login: Login, user: User, answer: Answer) -> Transition:
    """After an emailed code the password is the second factor of a user who has email as one, else it permits to
    enrol one.
    """
    if user.user_id != login.progress.user_id:
        return Transition(login, Problem.WRONG_CREDENTIALS)
    second = Factor.OTP_EMAIL in await allowed_factors(deps, user)
    amr = login.progress.amr
    amr = add_second_factor(amr, PASSWORD) if second else add_password(amr)
    progress = replace(login.progress, amr=amr, second=second)
    return await continue_login(deps, login, progress, user, answer.languages)


async def verify_password(deps: Dependencies, login: Login, password: str) -> User | Attempted:
    return await verify_named(deps, login.progress.login_name, password, login.ctx.org_id)


async def change_password(deps: Dependencies, login: Login, answer: Answer) -> Transition:
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
    progress = replace(
        login.progress, amr=amr, challenge="", mail="", step_up="", epoch=None, trust_epoch=user.trust_epoch
    )
    return await continue_login(deps, login, progress, user, answer.languages)
