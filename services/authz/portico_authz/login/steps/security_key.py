from __future__ import annotations

from portico_contracts.login_steps.security_key import SecurityKeyAnswer, SecurityKeyStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.step_names import StepName
from portico_contracts.users import BeginAssertion

from portico_authz.authorize.login_requirements import allowed_factors
from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import WEBAUTHN_FACTORS
from portico_authz.login.factors import second_factor, submit_factor
from portico_authz.login.key_challenges import (
    at_challenge,
    begin_assertion,
    finish_assertion,
    has_fresh_challenge,
    webauthn_options,
)
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Login, Transition


async def _show(deps: Dependencies, transition: Transition, common: Common) -> SecurityKeyStep:
    login = transition.login
    return SecurityKeyStep(**common, **await second_factor(deps, login), options=webauthn_options(login))


async def _begin(deps: Dependencies, login: Login, _languages: tuple[str, ...], owner: str) -> Transition:
    if has_fresh_challenge(deps, login) or not owner:
        return Transition(login)
    user = await deps.users_client.find_user(owner)
    allowed = await allowed_factors(deps, user) if user else ()
    question = BeginAssertion(user_id=owner, kinds=tuple(kind for kind in WEBAUTHN_FACTORS if kind in allowed))
    return Transition(at_challenge(login, await begin_assertion(deps, StepName.SECURITY_KEY, question)))


STEP = LoginStep(SecurityKeyAnswer, _show, submit_factor, _begin, finish_assertion, failure=SignInFailure.UNKNOWN_KEY)
