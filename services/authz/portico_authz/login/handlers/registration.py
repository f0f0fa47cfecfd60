from __future__ import annotations

from dataclasses import replace
from typing import Final

from portico_contracts.login import Answer, Problem, Registration, StepName
from portico_contracts.users import REGISTER, VERIFY_EMAIL, Register, User, VerifyEmail
from portico_oauth.assurance import PASSWORD
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.typed_text import trimmed

from portico_authz.authorize.login_requirements import joined_org_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import Progress
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.open_login import save_progress
from portico_authz.login.prepare_step import send_code
from portico_authz.login.state import Login, Transition

FIELD_MISSING = ErrorCode(
    "LOGIN-006", Kind.INVALID_REQUEST, "All fields except the last name are required.", "Fill in the empty fields."
)

_OF_THE_FORM: Final = (Kind.INVALID_REQUEST, Kind.FAILED_PRECONDITION)


async def submit_registration(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """Requests an account. A registered address gets the same response, and an email about it (LG-01)."""
    entered = answer.registration
    if entered is None or not _is_complete(entered):
        return Transition(login, Problem.INVALID_FIELD, detail=FIELD_MISSING.id)
    question = Register(
        email=trimmed(entered.email),
        first_name=trimmed(entered.first_name),
        last_name=trimmed(entered.last_name),
        password=entered.password,
        org_id=joined_org_of(login.ctx),
        languages=answer.languages,
        sender=answer.address,
    )
    try:
        sent = await deps.bus.call(REGISTER, question)
    except ServiceError as error:
        if error.kind is Kind.TOO_MANY_REQUESTS:
            return Transition(login, Problem.SLOW_DOWN, error.retry_after or 1)
        if error.kind not in _OF_THE_FORM:
            raise
        return Transition(login, Problem.INVALID_FIELD, detail=error.id)
    progress = Progress(challenge=sent.challenge, mail=sent.mail)
    return await save_progress(deps, Transition(login.at(StepName.VERIFY_EMAIL, progress)))


async def submit_email_code(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    async def verify() -> User | None:
        question = VerifyEmail(challenge=login.progress.challenge, code=answer.code.strip())
        user = (await deps.bus.call(VERIFY_EMAIL, question)).user
        # A code authenticates only the user of the preceding password.
        return user if user and login.progress.user_id in ("", user.user_id) else None

    if answer.resend:
        return await save_progress(deps, await send_code(deps, login, answer.languages))
    if not answer.code.strip() or not login.progress.challenge:
        return Transition(login, Problem.WRONG_CODE)
    try:
        user = await attempt(deps, login, verify())
    except ServiceError as error:
        if error.kind is not Kind.ALREADY_EXISTS:
            raise
        return await _restart_registration(deps, login, error.id)
    if not isinstance(user, User):
        return user or Transition(login, Problem.WRONG_CODE)
    progress = replace(login.progress, user_id=user.user_id, challenge="", mail="")
    if not login.progress.user_id:  # a registration, with the password chosen there
        progress = replace(progress, amr=(PASSWORD,))
    return await continue_login(deps, login, progress, user, answer.languages)


async def _restart_registration(deps: Dependencies, login: Login, error_id: str) -> Transition:
    restarted = login.at(StepName.REGISTER, Progress(registering=True))
    return await save_progress(deps, Transition(restarted, Problem.INVALID_FIELD, detail=error_id))


def _is_complete(entered: Registration) -> bool:
    return all(trimmed(text) for text in (entered.email, entered.first_name, entered.password))
