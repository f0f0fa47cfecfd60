from __future__ import annotations

from dataclasses import dataclass, field

from portico_contracts.login_steps.enrol_totp import EnrolTotpAnswer, EnrolTotpStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.users.enrolment import BEGIN_ENROLLED_TOTP, BeginEnrolledTotp

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Enrolment
from portico_authz.login.enrolment import begins_with, register_factor
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Login, Shown, Transition


@dataclass(frozen=True, slots=True)
class _Secret(Shown):
    """For an authenticator app."""

    uri: str = field(repr=False)
    secret: str = field(repr=False)


async def _load(deps: Dependencies, login: Login, enrolment: Enrolment) -> Transition:
    question = BeginEnrolledTotp(user_id=login.progress.user_id, enrolment=enrolment.name)
    begun = await deps.bus.call(BEGIN_ENROLLED_TOTP, question)
    return Transition(login, shown=_Secret(begun.uri, begun.secret))


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> EnrolTotpStep:
    shown = transition.shown
    if not isinstance(shown, _Secret):
        return EnrolTotpStep(**common)
    return EnrolTotpStep(**common, uri=shown.uri, secret=shown.secret)


STEP = LoginStep(EnrolTotpAnswer, _show, register_factor, begins_with(_load), failure=SignInFailure.WRONG_TOTP_CODE)
