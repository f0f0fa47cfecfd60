from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Problem
from portico_contracts.login_steps.verify_email import VerifyEmailAnswer, VerifyEmailStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.step_names import StepName
from portico_contracts.users import SEND_EMAIL_CODE, VERIFY_EMAIL, SendEmailCode, User, VerifyEmail
from portico_oauth.assurance import ONE_TIME_CODE, PASSWORD
from portico_oauth.errors import Kind, ServiceError

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Progress, Registering, VerifyingEmail
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.open_login import save_progress
from portico_authz.login.state import Login, Transition
from portico_authz.steps import Assessed, Requirement


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> VerifyEmailStep:
    under_way = transition.login.progress.under_way
    return VerifyEmailStep(**common, mail=under_way.mail if isinstance(under_way, VerifyingEmail) else "")


async def _begin(deps: Dependencies, login: Login, languages: tuple[str, ...], _owner: str) -> Transition:
    is_sent = isinstance(login.progress.under_way, VerifyingEmail)
    return Transition(login) if is_sent else await _send(deps, login, languages)


async def _send(deps: Dependencies, login: Login, languages: tuple[str, ...]) -> Transition:
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


async def _submit(deps: Dependencies, login: Login, answer: VerifyEmailAnswer) -> Transition:
    under_way = login.progress.under_way
    challenge = under_way.challenge if isinstance(under_way, VerifyingEmail) else ""

    async def verify() -> User | None:
        question = VerifyEmail(challenge=challenge, code=answer.code.strip())
        user = (await deps.bus.call(VERIFY_EMAIL, question)).user
        # A code authenticates only the user of the preceding password.
        return user if user and login.progress.user_id in ("", user.user_id) else None

    if answer.resend:
        return await save_progress(deps, await _send(deps, login, answer.languages))
    if not answer.code.strip() or not challenge:
        return Transition(login, Problem.WRONG_CODE)
    try:
        user = await attempt(deps, login, verify())
    except ServiceError as error:
        if error.kind is not Kind.ALREADY_EXISTS:
            raise
        return await _restart_registration(deps, login, error.id)
    if not isinstance(user, User):
        return user or Transition(login, Problem.WRONG_CODE)
    progress = replace(login.progress, user_id=user.user_id, proved_address=True, under_way=None)
    if not login.progress.user_id:  # a registration, with the password chosen there or with this code alone
        amr = (PASSWORD,) if user.has_password else (ONE_TIME_CODE,)
        progress = replace(progress, amr=amr, emailed=not user.has_password, registered=not user.has_password)
    return await continue_login(deps, login, progress, user, answer.languages)


async def _restart_registration(deps: Dependencies, login: Login, error_id: str) -> Transition:
    restarted = login.at(StepName.REGISTER, Progress(under_way=Registering()))
    return await save_progress(deps, Transition(restarted, Problem.INVALID_FIELD, detail=error_id))


def _is_unverified(assessed: Assessed) -> bool:
    return assessed.policy.verified_mail and not assessed.user.email_verified


STEP = LoginStep(
    VerifyEmailAnswer,
    _show,
    _submit,
    _begin,
    requirement=Requirement(30, _is_unverified),
    failure=SignInFailure.WRONG_EMAIL_CODE,
)
