from __future__ import annotations

from dataclasses import replace
from typing import Final

from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import (
    BEGIN_ASSERTION,
    SEND_EMAIL_CODE,
    SEND_FACTOR_EMAIL,
    SEND_FACTOR_TEXT,
    BeginAssertion,
    SendEmailCode,
    SendFactorEmail,
    SendFactorText,
)
from portico_contracts.users.email_codes import SEND_SIGN_IN_CODE, SendSignInCode
from portico_oauth.errors import Kind, ServiceError

from portico_authz.authorize.login_requirements import allowed_factors
from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import ENROLMENT_STEPS, RENEW_SECONDS, WEBAUTHN_FACTORS, WEBAUTHN_STEPS
from portico_authz.domain.progress import FactorChallenge, VerifyingEmail
from portico_authz.login.page_options import is_known_by_code, may_use_email_code, policy_of_page
from portico_authz.login.prepare_enrolment import masked, masked_phone, not_sent, prepare_enrolment
from portico_authz.login.state import Login, Transition

SENT_CODES: Final = frozenset({StepName.OTP_EMAIL, StepName.OTP_SMS})


async def prepare_step(
    deps: Dependencies, login: Login, languages: tuple[str, ...] = (), user_id: str = ""
) -> Transition:
    """`user_id` is the factor's owner, where the progress must not count that user as authenticated."""
    progress = login.progress
    if login.step in ENROLMENT_STEPS:
        return await prepare_enrolment(deps, login, languages)
    if login.step is StepName.VERIFY_EMAIL and not isinstance(progress.under_way, VerifyingEmail):
        return await send_code(deps, login, languages)
    challenge = progress.asked if progress.asked and progress.asked.step is login.step else None
    if login.step in SENT_CODES and challenge is None:
        return await send_factor_code(deps, login, languages)
    if await _goes_on_to_email_code(deps, login):
        return await send_sign_in_code(deps, login, languages, sender=login.request.client_address)
    if login.step in WEBAUTHN_STEPS and (challenge is None or challenge.renew_at <= deps.clock.now()):
        return Transition(await _with_challenge(deps, login, user_id or progress.user_id))
    return Transition(login)


async def send_code(deps: Dependencies, login: Login, languages: tuple[str, ...]) -> Transition:
    progress = login.progress
    earlier = progress.under_way.challenge if isinstance(progress.under_way, VerifyingEmail) else ""
    question = SendEmailCode(user_id="" if earlier else progress.user_id, challenge=earlier, languages=languages)
    try:
        sent = await deps.bus.call(SEND_EMAIL_CODE, question)
    except ServiceError as error:
        if error.kind is not Kind.TOO_MANY_REQUESTS:
            raise
        return Transition(login, Problem.SLOW_DOWN, error.retry_after or 1)
    verifying = VerifyingEmail(sent.challenge, sent.mail)
    return Transition(login.at(login.step, replace(progress, under_way=verifying)))


async def _goes_on_to_email_code(deps: Dependencies, login: Login) -> bool:
    """Reports whether the page of the password is useless for the user who confirms a session."""
    if not login.request.confirms or not may_use_email_code(login, await policy_of_page(deps, login)):
        return False
    return await is_known_by_code(deps, login)


async def send_sign_in_code(deps: Dependencies, login: Login, languages: tuple[str, ...], *, sender: str) -> Transition:
    """Sends a code instead of the earlier one of this request; the policy of the page must allow it."""
    asked = login.progress.asked
    question = SendSignInCode(
        login_name=login.progress.login_name,
        org_id=login.ctx.org_id,
        languages=languages,
        sender=sender,
        earlier=asked.name if asked and asked.step is StepName.EMAIL_CODE else "",
    )
    try:
        sent = await deps.bus.call(SEND_SIGN_IN_CODE, question)
    except ServiceError as error:
        return not_sent(login, error)
    progress = replace(login.progress, asked=FactorChallenge(StepName.EMAIL_CODE, sent.challenge))
    return Transition(login.at(StepName.EMAIL_CODE, progress))


async def send_factor_code(deps: Dependencies, login: Login, languages: tuple[str, ...]) -> Transition:
    send = _send_text if login.step is StepName.OTP_SMS else _send_email
    try:
        challenge = await send(deps, login.progress.user_id, languages)
    except ServiceError as error:
        return not_sent(login, error)
    return Transition(login.at(login.step, replace(login.progress, asked=challenge)))


async def _send_email(deps: Dependencies, user_id: str, languages: tuple[str, ...]) -> FactorChallenge:
    sent = await deps.bus.call(SEND_FACTOR_EMAIL, SendFactorEmail(user_id=user_id, languages=languages))
    return FactorChallenge(StepName.OTP_EMAIL, sent.challenge, mail=masked(sent.mail))


async def _send_text(deps: Dependencies, user_id: str, languages: tuple[str, ...]) -> FactorChallenge:
    sent = await deps.bus.call(SEND_FACTOR_TEXT, SendFactorText(user_id=user_id, languages=languages))
    return FactorChallenge(StepName.OTP_SMS, sent.challenge, mail=masked_phone(sent.phone), delayed=sent.delayed)


async def _with_challenge(deps: Dependencies, login: Login, user_id: str) -> Login:
    is_first_factor = login.step is StepName.PASSKEY
    if not is_first_factor and not user_id:
        return login
    question = BeginAssertion(user_id="", passkey=True)
    if not is_first_factor:
        user = await deps.users_client.find_user(user_id)
        kinds = await allowed_factors(deps, user) if user else ()
        question = BeginAssertion(user_id=user_id, kinds=tuple(kind for kind in WEBAUTHN_FACTORS if kind in kinds))
    begun = await deps.bus.call(BEGIN_ASSERTION, question)
    challenge = FactorChallenge(login.step, begun.assertion, begun.options, renew_at=deps.clock.now() + RENEW_SECONDS)
    return login.at(login.step, replace(login.progress, asked=challenge))
