"""What a step needs before it can be shown: a code on its way, or a challenge for a key."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from portico_contracts.login import Problem, StepName
from portico_contracts.users import (
    BEGIN_ASSERTION,
    SEND_EMAIL_CODE,
    SEND_FACTOR_EMAIL,
    BeginAssertion,
    SendEmailCode,
    SendFactorEmail,
)
from portico_oauth.errors import Kind, ServiceError

from portico_authz.desk import Desk
from portico_authz.domain.auth_request import Asked, Progress
from portico_authz.domain.factors import KEYS, KINDS_OF_KEYS
from portico_authz.session.allowed_factors import allowed_factors

RENEW_SECONDS: Final = 150
"""A challenge for a key is good for 5 minutes. A page that is loaded anew in their second half gets another one."""


class Prepared(NamedTuple):
    """What is kept of it, and what to say: for how long to wait where that is the problem."""

    progress: Progress
    problem: Problem = Problem.NONE
    retry_after: int = 0


async def prepare(
    desk: Desk, step: StepName, progress: Progress, languages: tuple[str, ...], user_id: str = ""
) -> Prepared:
    """Gets what the step needs, unless it is there.

    Args:
        user_id: whose factor it is, where that is nobody who is to be taken for proven by this progress.
    """
    if step is StepName.VERIFY_EMAIL and not progress.challenge:
        return await send_code(desk, progress, languages)
    asked = progress.asked if progress.asked and progress.asked.step is step else None
    if step is StepName.OTP_EMAIL and asked is None:
        return await send_factor_code(desk, progress, languages)
    if step in KEYS and (asked is None or asked.renew_at <= desk.clock.now()):
        return Prepared(await _with_challenge(desk, step, progress, user_id or progress.user_id))
    return Prepared(progress)


async def send_code(desk: Desk, progress: Progress, languages: tuple[str, ...]) -> Prepared:
    """Has the code mailed that verifies an address, again where one was already."""
    question = SendEmailCode(
        user_id="" if progress.challenge else progress.user_id, challenge=progress.challenge, languages=languages
    )
    try:
        sent = await desk.bus.call(SEND_EMAIL_CODE, question)
    except ServiceError as error:
        if error.kind is not Kind.TOO_MANY_REQUESTS:
            raise
        return Prepared(progress, Problem.SLOW_DOWN, error.retry_after or 1)
    return Prepared(replace(progress, challenge=sent.challenge, mail=sent.mail))


async def send_factor_code(desk: Desk, progress: Progress, languages: tuple[str, ...]) -> Prepared:
    """Has a sign-in code mailed; each new one stands in the place of the one before."""
    try:
        sent = await desk.bus.call(SEND_FACTOR_EMAIL, SendFactorEmail(user_id=progress.user_id, languages=languages))
    except ServiceError as error:
        if error.kind is Kind.TOO_MANY_REQUESTS:
            return Prepared(progress, Problem.SLOW_DOWN, error.retry_after or 1)
        if error.kind is Kind.FAILED_PRECONDITION:
            return Prepared(progress, Problem.NOT_SENT)
        raise
    asked = Asked(StepName.OTP_EMAIL, sent.challenge, mail=_in_part(sent.mail))
    return Prepared(replace(progress, asked=asked))


async def _with_challenge(desk: Desk, step: StepName, progress: Progress, user_id: str) -> Progress:
    first = step is StepName.PASSKEY
    if not first and not user_id:
        return progress
    question = BeginAssertion(passkey=True)
    if not first:
        user = await desk.directory.find_user(user_id)
        kinds = await allowed_factors(desk, user) if user else ()
        question = BeginAssertion(user_id=user_id, kinds=tuple(kind for kind in KINDS_OF_KEYS if kind in kinds))
    begun = await desk.bus.call(BEGIN_ASSERTION, question)
    asked = Asked(step, begun.assertion, begun.options, renew_at=desk.clock.now() + RENEW_SECONDS)
    return replace(progress, asked=asked)


def _in_part(mail: str) -> str:
    """Enough to know which mailbox it is, for somebody who proved no more than a password."""
    local, _, domain = mail.rpartition("@")
    return f"{local[:1]}\u2026@{domain}"
