"""Handles second factor and passkey pages. users verifies, counts and invalidates the responses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, NamedTuple

from portico_contracts.login import Answer, Problem, StepName
from portico_contracts.users import (
    FINISH_ASSERTION,
    VERIFY_FACTOR_EMAIL,
    VERIFY_FACTOR_TEXT,
    VERIFY_RECOVERY_CODE,
    VERIFY_TOTP,
    Factor,
    FinishAssertion,
    User,
    VerifyFactorEmail,
    VerifyFactorText,
    VerifyRecoveryCode,
    VerifyTotp,
)
from portico_oauth.assurance import ONE_TIME_CODE, TEXT_MESSAGE, WEBAUTHN, add_second_factor

from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import Progress
from portico_authz.domain.factors import SECOND_FACTORS, WEBAUTHN_STEPS, is_allowed, response_in
from portico_authz.domain.session import short_name
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import alternative_factors, may_use_passkey
from portico_authz.login.prepare_step import SENT_CODES, prepare_step, send_factor_code
from portico_authz.login.state import Login, Transition


class Verified(NamedTuple):
    """`device_bound`: the key states with its signature that it cannot be copied to another device."""

    user: User | None
    factor: Factor
    device_bound: bool = False


class Proof(NamedTuple):
    user: User
    device_bound: bool


async def submit_factor(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    if answer.other is not None:
        return await _choose_other(deps, login, answer)
    if answer.resend and login.step in SENT_CODES:
        return await save_progress(deps, await send_factor_code(deps, login, answer.languages))
    value = response_in(answer)
    if not value:
        return Transition(login, _problem_of(login.step))
    proof = await verify_factor(deps, login, login.progress.user_id, value)
    if isinstance(proof, Transition):
        return proof
    progress = _with_factor(login.step, login.progress, proof)
    if answer.trust and login.step in SECOND_FACTORS:
        progress = replace(progress, trust_by=login.step, trust_epoch=proof.user.trust_epoch)
    return await continue_login(deps, login, progress, proof.user, answer.languages)


async def verify_factor(deps: Dependencies, login: Login, user_id: str, value: str) -> Proof | Transition:
    """Counts as an attempt at users (LG-07); `user_id` is empty for a passkey, which identifies its owner."""
    challenge = login.progress.asked.name if login.progress.asked else ""
    if login.step in WEBAUTHN_STEPS:
        # The challenge is used up whatever the result, even if this replica fails before the page is reloaded.
        without = login.at(login.step, replace(login.progress, asked=None))
        login = (await save_progress(deps, Transition(without))).login

    device_bound = False

    async def verify() -> User | None:
        nonlocal device_bound
        user, factor, device_bound = await _VERIFIERS[login.step](deps, user_id, challenge, value)
        if user is None or user_id not in ("", user.user_id):
            return None
        # A factor that the user's organization does not allow authenticates no user.
        return user if is_allowed(factor, await deps.users_client.login_policy(user.org_id)) else None

    result = await attempt(deps, login, verify())
    if isinstance(result, User):
        return Proof(result, device_bound)
    failed = result or Transition(login, _problem_of(login.step))
    if login.step not in WEBAUTHN_STEPS:
        return failed
    renewed = await save_progress(deps, await prepare_step(deps, login, (), user_id))
    return replace(failed, login=renewed.login)


async def request_passkey(deps: Dependencies, login: Login) -> Transition:
    if not await may_use_passkey(deps, login):
        return Transition(login)
    progress = replace(login.progress.only_name(), passkey=True, external=login.progress.external)
    return await save_progress(deps, await prepare_step(deps, login.at(StepName.PASSKEY, progress)))


def _problem_of(step: StepName) -> Problem:
    return Problem.WRONG_KEY if step in WEBAUTHN_STEPS else Problem.WRONG_CODE


async def _choose_other(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    if answer.other is None or answer.other not in await alternative_factors(deps, login):
        return Transition(login)
    chosen = login.at(answer.other, replace(login.progress, factor=answer.other))
    return await save_progress(deps, await prepare_step(deps, chosen, answer.languages))


def _with_factor(step: StepName, progress: Progress, proof: Proof) -> Progress:
    """Returns the progress after a verified factor. A passkey with user verification counts as two factors."""
    methods = WEBAUTHN if step in WEBAUTHN_STEPS else _METHODS.get(step, (ONE_TIME_CODE,))
    if step is StepName.PASSKEY:
        user, bound = proof
        name = Progress(login_name=user.login_name, shown=short_name(user.login_name), external=progress.external)
        amr = add_second_factor((), *methods)
        return replace(name, user_id=user.user_id, amr=amr, second=True, device_bound=bound)
    bound = progress.device_bound or proof.device_bound
    amr = add_second_factor(progress.amr, *methods)
    return replace(progress, amr=amr, second=True, asked=None, factor=None, device_bound=bound)


async def _finish_assertion(deps: Dependencies, user_id: str, challenge: str, credential: str) -> Verified:
    question = FinishAssertion(assertion=challenge, credential=credential, user_id=user_id)
    finished = await deps.bus.call(FINISH_ASSERTION, question) if challenge else None
    if finished is None or (not user_id and not finished.user_verified):
        return Verified(None, Factor.PASSKEY)
    return Verified(finished.user, finished.kind, finished.device_bound)


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


_METHODS: Final = {StepName.OTP_SMS: (ONE_TIME_CODE, TEXT_MESSAGE)}
"""The amr values (RFC 8176) of codes that are not only one-time codes."""

_VERIFIERS: Final[dict[StepName, Callable[[Dependencies, str, str, str], Awaitable[Verified]]]] = {
    StepName.PASSKEY: _finish_assertion,
    StepName.SECURITY_KEY: _finish_assertion,
    StepName.TOTP: _verify_totp,
    StepName.OTP_EMAIL: _verify_email_code,
    StepName.OTP_SMS: _verify_text_code,
    StepName.RECOVERY_CODE: _verify_recovery_code,
}
