from __future__ import annotations

from portico_contracts.login_steps.recovery_code import RecoveryCodeAnswer, RecoveryCodeStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.users import VERIFY_RECOVERY_CODE, Factor, VerifyRecoveryCode

from portico_authz.dependencies import Dependencies
from portico_authz.login.factors import second_factor, submit_factor
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Transition
from portico_authz.login.verifiers import Verified


async def _show(deps: Dependencies, transition: Transition, common: Common) -> RecoveryCodeStep:
    return RecoveryCodeStep(**common, **await second_factor(deps, transition.login))


async def _verify(deps: Dependencies, user_id: str, _challenge: str, code: str) -> Verified:
    question = VerifyRecoveryCode(user_id=user_id, code=code)
    return Verified((await deps.bus.call(VERIFY_RECOVERY_CODE, question)).user, Factor.RECOVERY_CODE)


STEP = LoginStep(RecoveryCodeAnswer, _show, submit_factor, verify=_verify, failure=SignInFailure.WRONG_RECOVERY_CODE)
