from __future__ import annotations

from portico_contracts.login_steps.enrol_passkey import EnrolPasskeyAnswer, EnrolPasskeyStep
from portico_contracts.sign_in_failures import SignInFailure

from portico_authz.dependencies import Dependencies
from portico_authz.login.enrolment import begins_with, register_factor, with_key
from portico_authz.login.key_challenges import webauthn_options
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Transition


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> EnrolPasskeyStep:
    return EnrolPasskeyStep(**common, options=webauthn_options(transition.login))


STEP = LoginStep(
    EnrolPasskeyAnswer, _show, register_factor, begins_with(with_key), failure=SignInFailure.UNKNOWN_PASSKEY
)
