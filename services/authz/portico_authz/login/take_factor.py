"""The answers to the pages of second factors, and to the one of a passkey. Users checks, counts and uses them up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from msgspec.structs import replace as with_fields
from portico_contracts.login import Answer, Problem, Step, StepName
from portico_contracts.users import (
    FINISH_ASSERTION,
    VERIFY_FACTOR_EMAIL,
    VERIFY_RECOVERY_CODE,
    VERIFY_TOTP,
    Factor,
    FinishAssertion,
    User,
    VerifyFactorEmail,
    VerifyRecoveryCode,
    VerifyTotp,
)
from portico_oauth.assurance import KEY, ONE_TIME_CODE, with_second

from portico_authz.desk import Desk
from portico_authz.domain.auth_request import Progress
from portico_authz.domain.factors import KEYS, entered_in, is_allowed
from portico_authz.domain.session import short_name
from portico_authz.login.open_login import Login, keep, may_use_passkey, show
from portico_authz.login.prepare import Prepared, prepare, send_factor_code
from portico_authz.login.proceed import proceed, waiting_told

Proof = tuple[User | None, Factor]
"""Who proved a factor, and which it was."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A factor as somebody shows it.

    Attributes:
        user_id: whose it must be; empty for a passkey.
        challenge: what it answers, as users calls it; empty for none.
        entered: the code, or what the key answered.
    """

    user_id: str
    challenge: str
    entered: str


async def take_factor(desk: Desk, login: Login, answer: Answer) -> Step:
    """Goes on when the factor is the user's, who may also choose another one or have another code mailed."""
    if answer.other is not None:
        return await _take_other(desk, login, answer)
    if answer.resend and login.asked is StepName.OTP_EMAIL:
        return await _shown(desk, login, await send_factor_code(desk, login.progress, answer.languages))
    entered = entered_in(answer)
    if not entered:
        return await show(desk, login, _wrong(login.asked))
    told = await verify_factor(desk, login, login.progress.user_id, entered)
    if isinstance(told, User):
        return await proceed(desk, login, _proven(login.asked, login.progress, told), told, answer.languages)
    return told


async def verify_factor(desk: Desk, login: Login, user_id: str, entered: str) -> User | Step:
    """The user whose factor that is, or the step again with what to say; an attempt like any other (LG-07).

    Args:
        user_id: whose it must be; empty for a passkey, which says whose it is.
        entered: the code, or what the key answered.
    """
    shown = Shown(user_id, login.progress.asked.name if login.progress.asked else "", entered)
    if login.asked in KEYS:
        # Whatever comes out, the challenge is used up, also for whoever loads the page after this replica died.
        login = login.at(login.asked, replace(login.progress, asked=None))
        await keep(desk, login, progress=login.progress)

    async def verify() -> User | None:
        user, factor = await _QUESTIONS[login.asked](desk, shown)
        if user is None or user_id not in ("", user.user_id):
            return None
        # Whatever page it came from: what their organization does not let count proves nothing.
        return user if is_allowed(factor, await desk.directory.login_policy(user.org_id)) else None

    told = await waiting_told(desk, login, verify)
    if isinstance(told, User) or login.asked not in KEYS:
        return told or await show(desk, login, _wrong(login.asked))
    again = await _shown(desk, login, await prepare(desk, login.asked, login.progress, (), user_id))
    return with_fields(told or again, options=again.options, problem=told.problem if told else _wrong(login.asked))


async def show_passkey(desk: Desk, login: Login) -> Step:
    """Asks for a passkey instead of a name and a password, where one would do."""
    if not await may_use_passkey(desk, login):
        return await show(desk, login)
    progress = replace(login.progress.only_name(), passkey=True)
    return await _shown(desk, login.at(StepName.PASSKEY, progress), await prepare(desk, StepName.PASSKEY, progress, ()))


def _wrong(step: StepName) -> Problem:
    """What to say of a factor that is not right."""
    return Problem.WRONG_KEY if step in KEYS else Problem.WRONG_CODE


async def _take_other(desk: Desk, login: Login, answer: Answer) -> Step:
    shown = await show(desk, login)
    if answer.other is None or answer.other not in shown.others:
        return shown
    progress = replace(login.progress, factor=answer.other)
    prepared = await prepare(desk, answer.other, progress, answer.languages)
    return await _shown(desk, login.at(answer.other, progress), prepared)


async def _shown(desk: Desk, login: Login, prepared: Prepared) -> Step:
    await keep(desk, login, progress=prepared.progress)
    step = login.at(login.asked, prepared.progress)
    return await show(desk, step, prepared.problem, retry_after=prepared.retry_after)


def _proven(step: StepName, progress: Progress, user: User) -> Progress:
    """A passkey verified who holds it, so that it is two factors in one."""
    said = KEY if step in KEYS else (ONE_TIME_CODE,)
    if step is StepName.PASSKEY:
        name = Progress(login_name=user.login_name, shown=short_name(user.login_name))
        return replace(name, user_id=user.user_id, amr=with_second((), *said), second=True)
    return replace(progress, amr=with_second(progress.amr, *said), second=True, asked=None, factor=None)


async def _finish_key(desk: Desk, shown: Shown) -> Proof:
    question = FinishAssertion(assertion=shown.challenge, credential=shown.entered, user_id=shown.user_id)
    finished = await desk.bus.call(FINISH_ASSERTION, question) if shown.challenge else None
    if finished is None or (not shown.user_id and not finished.user_verified):
        return None, Factor.PASSKEY
    return finished.user, finished.kind


async def _verify_totp(desk: Desk, shown: Shown) -> Proof:
    question = VerifyTotp(user_id=shown.user_id, code=shown.entered)
    return (await desk.bus.call(VERIFY_TOTP, question)).user, Factor.TOTP


async def _verify_recovery_code(desk: Desk, shown: Shown) -> Proof:
    question = VerifyRecoveryCode(user_id=shown.user_id, code=shown.entered)
    return (await desk.bus.call(VERIFY_RECOVERY_CODE, question)).user, Factor.RECOVERY_CODE


async def _verify_mail_code(desk: Desk, shown: Shown) -> Proof:
    question = VerifyFactorEmail(user_id=shown.user_id, challenge=shown.challenge, code=shown.entered)
    user = (await desk.bus.call(VERIFY_FACTOR_EMAIL, question)).user if shown.challenge else None
    return user, Factor.OTP_EMAIL


_QUESTIONS: Final[dict[StepName, Callable[[Desk, Shown], Awaitable[Proof]]]] = {
    StepName.PASSKEY: _finish_key,
    StepName.SECURITY_KEY: _finish_key,
    StepName.TOTP: _verify_totp,
    StepName.OTP_EMAIL: _verify_mail_code,
    StepName.RECOVERY_CODE: _verify_recovery_code,
}
