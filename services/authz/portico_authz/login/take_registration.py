"""The answers to the registration, and to the page that asks for the mailed code."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from portico_contracts.login import Answer, Problem, Registration, Step, StepName
from portico_contracts.users import REGISTER, VERIFY_EMAIL, Register, User, VerifyEmail
from portico_oauth.assurance import PASSWORD
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_authz.desk import Desk
from portico_authz.domain.auth_request import Progress
from portico_authz.login.open_login import Login, keep, show
from portico_authz.login.prepare import send_code
from portico_authz.login.proceed import proceed, waiting_told

FIELD_MISSING = ErrorCode(
    "LOGIN-006", Kind.INVALID_REQUEST, "Every field of the registration must be filled in.", "Fill in the empty fields."
)

_OF_THE_FORM: Final = (Kind.INVALID_REQUEST, Kind.FAILED_PRECONDITION)


async def take_registration(desk: Desk, login: Login, answer: Answer) -> Step:
    """Asks for an account. An address that has one gets the same answer, and a mail that says so (LG-01)."""
    entered = answer.registration
    if entered is None or not _is_complete(entered):
        return await show(desk, login, Problem.INVALID_FIELD, detail=FIELD_MISSING.id)
    question = Register(
        email=entered.email.strip(),
        first_name=entered.first_name.strip(),
        last_name=entered.last_name.strip(),
        password=entered.password,
        org_id=login.ctx.org_id,
        languages=answer.languages,
    )
    try:
        sent = await desk.bus.call(REGISTER, question)
    except ServiceError as error:
        if error.kind is Kind.TOO_MANY_REQUESTS:
            return await show(desk, login, Problem.SLOW_DOWN, retry_after=error.retry_after or 1)
        if error.kind not in _OF_THE_FORM:
            raise
        return await show(desk, login, Problem.INVALID_FIELD, detail=error.id)
    progress = Progress(challenge=sent.challenge, mail=sent.mail)
    await keep(desk, login, progress=progress)
    return await show(desk, login.at(StepName.VERIFY_EMAIL, progress))


async def take_mail_code(desk: Desk, login: Login, answer: Answer) -> Step:
    """The right code proves the address; after a registration it proves as well whose password was chosen there."""

    async def verify() -> User | None:
        question = VerifyEmail(challenge=login.progress.challenge, code=answer.code.strip())
        user = (await desk.bus.call(VERIFY_EMAIL, question)).user
        # A code proves nothing about anybody else than who proved the password before.
        return user if user and login.progress.user_id in ("", user.user_id) else None

    if answer.resend:
        progress, problem, retry_after = await send_code(desk, login.progress, answer.languages)
        await keep(desk, login, progress=progress)
        return await show(desk, login.at(StepName.VERIFY_EMAIL, progress), problem, retry_after=retry_after)
    if not answer.code.strip() or not login.progress.challenge:
        return await show(desk, login, Problem.WRONG_CODE)
    try:
        user = await waiting_told(desk, login, verify)
    except ServiceError as error:
        if error.kind is not Kind.ALREADY_EXISTS:
            raise
        return await _show_taken(desk, login, error.id)
    if not isinstance(user, User):
        return user or await show(desk, login, Problem.WRONG_CODE)
    proven = replace(login.progress, user_id=user.user_id, challenge="", mail="")
    return await proceed(
        desk, login, proven if proven.amr else replace(proven, amr=(PASSWORD,)), user, answer.languages
    )


async def _show_taken(desk: Desk, login: Login, error_code: str) -> Step:
    """The registration again: the address became another account's while its code was on its way."""
    progress = Progress(registering=True)
    await keep(desk, login, progress=progress)
    return await show(desk, login.at(StepName.REGISTER, progress), Problem.INVALID_FIELD, detail=error_code)


def _is_complete(entered: Registration) -> bool:
    return all(text.strip() for text in (entered.email, entered.first_name, entered.last_name, entered.password))
