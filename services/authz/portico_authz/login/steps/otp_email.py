from __future__ import annotations

from portico_contracts.login_steps.otp_email import OtpEmailAnswer, OtpEmailStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.factors import second_factor, submit_sent_code
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.page_options import challenge_of
from portico_authz.login.state import Transition


async def _show(deps: Dependencies, transition: Transition, common: Common) -> OtpEmailStep:
    challenge = challenge_of(transition.login)
    mail = challenge.mail if challenge else ""
    return OtpEmailStep(**common, **await second_factor(deps, transition.login), mail=mail)


STEP = LoginStep(OtpEmailAnswer, _show, submit_sent_code)
