from __future__ import annotations

from portico_contracts.login_steps.otp_sms import OtpSmsAnswer, OtpSmsStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.step_names import StepName
from portico_contracts.users import SEND_FACTOR_TEXT, VERIFY_FACTOR_TEXT, Factor, SendFactorText, VerifyFactorText

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import FactorChallenge
from portico_authz.login.factors import SentCode, second_factor
from portico_authz.login.key_challenges import challenge_of
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Transition
from portico_authz.login.verifiers import Verified


async def _show(deps: Dependencies, transition: Transition, common: Common) -> OtpSmsStep:
    challenge = challenge_of(transition.login)
    return OtpSmsStep(
        **common,
        **await second_factor(deps, transition.login),
        mail=challenge.mail if challenge else "",
        delayed=challenge is not None and challenge.delayed,
    )


async def _send(deps: Dependencies, user_id: str, languages: tuple[str, ...]) -> FactorChallenge:
    sent = await deps.bus.call(SEND_FACTOR_TEXT, SendFactorText(user_id=user_id, languages=languages))
    shown = f"\u2026{sent.phone[-2:]}"
    return FactorChallenge(StepName.OTP_SMS, sent.challenge, mail=shown, delayed=sent.delayed)


async def _verify(deps: Dependencies, user_id: str, challenge: str, code: str) -> Verified:
    question = VerifyFactorText(user_id=user_id, challenge=challenge, code=code)
    user = (await deps.bus.call(VERIFY_FACTOR_TEXT, question)).user if challenge else None
    return Verified(user, Factor.OTP_SMS)


_CODE = SentCode(_send)
STEP = LoginStep(OtpSmsAnswer, _show, _CODE.submit, _CODE.begin, _verify, failure=SignInFailure.WRONG_TEXT_CODE)
