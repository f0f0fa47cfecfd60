from __future__ import annotations

from portico_contracts.login_steps.otp_sms import OtpSmsAnswer, OtpSmsStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.factors import second_factor, submit_sent_code
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.page_options import challenge_of
from portico_authz.login.state import Transition


async def _show(deps: Dependencies, transition: Transition, common: Common) -> OtpSmsStep:
    challenge = challenge_of(transition.login)
    return OtpSmsStep(
        **common,
        **await second_factor(deps, transition.login),
        mail=challenge.mail if challenge else "",
        delayed=challenge is not None and challenge.delayed,
    )


STEP = LoginStep(OtpSmsAnswer, _show, submit_sent_code)
