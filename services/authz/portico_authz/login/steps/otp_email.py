from __future__ import annotations

from portico_contracts.login_steps.otp_email import OtpEmailAnswer, OtpEmailStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.step_names import StepName
from portico_contracts.users import SEND_FACTOR_EMAIL, VERIFY_FACTOR_EMAIL, Factor, SendFactorEmail, VerifyFactorEmail

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import FactorChallenge
from portico_authz.login.factors import SentCode, second_factor
from portico_authz.login.key_challenges import challenge_of
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.sent_codes import masked
from portico_authz.login.state import Transition
from portico_authz.login.verifiers import Verified


async def _show(deps: Dependencies, transition: Transition, common: Common) -> OtpEmailStep:
    challenge = challenge_of(transition.login)
    mail = challenge.mail if challenge else ""
    return OtpEmailStep(**common, **await second_factor(deps, transition.login), mail=mail)


async def _send(deps: Dependencies, user_id: str, languages: tuple[str, ...]) -> FactorChallenge:
    sent = await deps.bus.call(SEND_FACTOR_EMAIL, SendFactorEmail(user_id=user_id, languages=languages))
    return FactorChallenge(StepName.OTP_EMAIL, sent.challenge, mail=masked(sent.mail))


async def _verify(deps: Dependencies, user_id: str, challenge: str, code: str) -> Verified:
    question = VerifyFactorEmail(user_id=user_id, challenge=challenge, code=code)
    user = (await deps.bus.call(VERIFY_FACTOR_EMAIL, question)).user if challenge else None
    return Verified(user, Factor.OTP_EMAIL)


_CODE = SentCode(_send)
STEP = LoginStep(OtpEmailAnswer, _show, _CODE.submit, _CODE.begin, _verify, failure=SignInFailure.WRONG_EMAIL_CODE)
