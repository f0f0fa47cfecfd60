"""Verifies passwords and factors at users, which counts the attempts: for the login pages and for login sessions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from portico_contracts.step_names import StepName
from portico_contracts.users import (
    FINISH_ASSERTION,
    VERIFY_FACTOR_EMAIL,
    VERIFY_FACTOR_TEXT,
    VERIFY_PASSWORD,
    VERIFY_RECOVERY_CODE,
    VERIFY_TOTP,
    Factor,
    FinishAssertion,
    User,
    VerifyFactorEmail,
    VerifyFactorText,
    VerifyPassword,
    VerifyRecoveryCode,
    VerifyTotp,
)

from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import is_allowed


class Attempted(NamedTuple):
    """Wrong credentials; the id of the user is empty for an unknown name, and only for the event (LG-01)."""

    user_id: str


class Verified(NamedTuple):
    """`device_bound`: the key states with its signature that it cannot be copied to another device."""

    user: User | None
    factor: Factor
    device_bound: bool = False
    user_verified: bool = False


async def verify_named(deps: Dependencies, login_name: str, password: str, org_id: str) -> User | Attempted:
    """Returns the user of a login name with this password; users counts it as an attempt (LG-05)."""
    question = VerifyPassword(login_name=login_name, password=password, org_id=org_id)
    asked = deps.users_client.begin()
    verified = await deps.bus.call(VERIFY_PASSWORD, question)
    if verified.user is None:
        return Attempted(verified.attempted)
    # Saves the request for this user when the browser comes for the response.
    deps.users_client.cache_user(verified.user, asked)
    return verified.user


async def verify_allowed(deps: Dependencies, step: StepName, user_id: str, challenge: str, value: str) -> Verified:
    """A factor of another user, or one that the user's organization does not allow, authenticates no user."""
    verified = await _VERIFIERS[step](deps, user_id, challenge, value)
    user = verified.user
    if user is None or user_id not in ("", user.user_id):
        return verified._replace(user=None)
    policy = await deps.users_client.login_policy(user.org_id)
    return verified if is_allowed(verified.factor, policy) else verified._replace(user=None)


async def _finish_assertion(deps: Dependencies, user_id: str, challenge: str, credential: str) -> Verified:
    question = FinishAssertion(assertion=challenge, credential=credential, user_id=user_id)
    finished = await deps.bus.call(FINISH_ASSERTION, question) if challenge else None
    if finished is None or (not user_id and not finished.user_verified):
        return Verified(None, Factor.PASSKEY)
    return Verified(finished.user, finished.kind, finished.device_bound, finished.user_verified)


async def _verify_totp(deps: Dependencies, user_id: str, _challenge: str, code: str) -> Verified:
    return Verified((await deps.bus.call(VERIFY_TOTP, VerifyTotp(user_id=user_id, code=code))).user, Factor.TOTP)


async def _verify_recovery_code(deps: Dependencies, user_id: str, _challenge: str, code: str) -> Verified:
    question = VerifyRecoveryCode(user_id=user_id, code=code)
    return Verified((await deps.bus.call(VERIFY_RECOVERY_CODE, question)).user, Factor.RECOVERY_CODE)


async def _verify_email_code(deps: Dependencies, user_id: str, challenge: str, code: str) -> Verified:
    question = VerifyFactorEmail(user_id=user_id, challenge=challenge, code=code)
    user = (await deps.bus.call(VERIFY_FACTOR_EMAIL, question)).user if challenge else None
    return Verified(user, Factor.OTP_EMAIL)


async def _verify_text_code(deps: Dependencies, user_id: str, challenge: str, code: str) -> Verified:
    question = VerifyFactorText(user_id=user_id, challenge=challenge, code=code)
    user = (await deps.bus.call(VERIFY_FACTOR_TEXT, question)).user if challenge else None
    return Verified(user, Factor.OTP_SMS)


_VERIFIERS: Final[dict[StepName, Callable[[Dependencies, str, str, str], Awaitable[Verified]]]] = {
    StepName.PASSKEY: _finish_assertion,
    StepName.SECURITY_KEY: _finish_assertion,
    StepName.TOTP: _verify_totp,
    StepName.OTP_EMAIL: _verify_email_code,
    StepName.OTP_SMS: _verify_text_code,
    StepName.RECOVERY_CODE: _verify_recovery_code,
}
