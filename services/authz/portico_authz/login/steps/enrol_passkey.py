from __future__ import annotations

from dataclasses import replace

from portico_contracts.login_steps.enrol_passkey import EnrolPasskeyAnswer, EnrolPasskeyStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.users import LoginPolicy

from portico_authz.authorize.login_requirements import find_authenticated
from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import may_skip_passkey
from portico_authz.login.continue_login import continue_login
from portico_authz.login.enrolment import begins_with, register_factor, with_key
from portico_authz.login.key_challenges import webauthn_options
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Login, Transition


async def _show(deps: Dependencies, transition: Transition, common: Common) -> EnrolPasskeyStep:
    login = transition.login
    options, registering = webauthn_options(login), login.progress.registered
    may_skip = registering and may_skip_passkey(await _policy(deps, login))
    return EnrolPasskeyStep(**common, options=options, registering=registering, may_skip=may_skip)


async def _submit(deps: Dependencies, login: Login, answer: EnrolPasskeyAnswer) -> Transition:
    if answer.skip and login.progress.registered and may_skip_passkey(await _policy(deps, login)):
        return await _skip(deps, login, answer)
    return await register_factor(deps, login, answer)


async def _skip(deps: Dependencies, login: Login, answer: EnrolPasskeyAnswer) -> Transition:
    user = await find_authenticated(deps, login.progress)
    if user is None:  # the next call decides again
        return Transition(login)
    progress = replace(login.progress, registered=False, under_way=None, asked=None)
    return await continue_login(deps, login, progress, user, answer.languages)


async def _policy(deps: Dependencies, login: Login) -> LoginPolicy:
    user = await deps.users_client.find_user(login.progress.user_id)
    return await deps.users_client.login_policy(user.org_id) if user else LoginPolicy(may_register=False)


STEP = LoginStep(EnrolPasskeyAnswer, _show, _submit, begins_with(with_key), failure=SignInFailure.UNKNOWN_PASSKEY)
