"""The password, which authz only forwards."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Problem
from portico_contracts.login_steps.password import PasswordAnswer, PasswordStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.users import Factor, User
from portico_oauth.assurance import PASSWORD, add_password, add_second_factor

from portico_authz.authorize.login_requirements import allowed_factors
from portico_authz.dependencies import Dependencies
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.page_options import (
    first_page,
    has_no_passkey,
    is_known_by_code,
    may_use_email_code,
    may_use_passkey,
    policy_of_page,
)
from portico_authz.login.state import Login, Transition
from portico_authz.login.steps.email_code import request_email_code, send_sign_in_code
from portico_authz.login.steps.passkey import request_passkey
from portico_authz.login.verifiers import Attempted, verify_named


async def _show(deps: Dependencies, transition: Transition, common: Common) -> PasswordStep:
    login, policy = transition.login, await policy_of_page(deps, transition.login)
    return PasswordStep(
        **common,
        **first_page(login, policy),
        may_reset=policy.may_reset,
        may_use_passkey=may_use_passkey(login, policy) and not await has_no_passkey(deps, login),
        may_use_email_code=may_use_email_code(login, policy),
        without_password=not policy.password_sign_in,
        for_owners=policy.exempt_owners and not policy.password_sign_in,
    )


async def _begin(deps: Dependencies, login: Login, languages: tuple[str, ...], _owner: str) -> Transition:
    """Goes on to the emailed code where this page is useless for the user who confirms a session."""
    if not login.request.confirms or not may_use_email_code(login, await policy_of_page(deps, login)):
        return Transition(login)
    if not await is_known_by_code(deps, login):
        return Transition(login)
    return await send_sign_in_code(deps, login, languages, sender=login.request.client_address)


async def _submit(deps: Dependencies, login: Login, answer: PasswordAnswer) -> Transition:
    """A wrong password and an unknown user get the same response (LG-01)."""
    if answer.passkey:
        return await request_passkey(deps, login)
    if answer.email_code:
        return await request_email_code(deps, login, answer.languages, answer.address)
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


async def _add_password(deps: Dependencies, login: Login, user: User, answer: PasswordAnswer) -> Transition:
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
    return await verify_named(deps, login.progress.login_name, password, login.ctx.scope.org_id)


STEP = LoginStep(PasswordAnswer, _show, _submit, _begin, failure=SignInFailure.WRONG_PASSWORD)
