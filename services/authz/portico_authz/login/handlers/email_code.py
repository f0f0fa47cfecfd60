"""Sign-in with an emailed code instead of a password (decision 0099).

The page is the same for every login name (LG-01). The challenge stays in the request, so that the code works only in
the browser that requested it.
"""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Answer, Problem, StepName
from portico_contracts.users import User
from portico_contracts.users.email_codes import SEND_SIGN_IN_CODE, VERIFY_SIGN_IN_CODE, SendSignInCode, VerifySignInCode
from portico_oauth.assurance import ONE_TIME_CODE
from portico_oauth.errors import ServiceError

from portico_authz.authorize.login_requirements import policy_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import FactorChallenge
from portico_authz.login.continue_login import Attempted, attempt, continue_login
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import may_use_email_code
from portico_authz.login.prepare_enrolment import not_sent
from portico_authz.login.state import Login, Transition


async def request_email_code(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """The answer to the password page, where the organization allows codes instead."""
    return await _send(deps, login, answer) if await may_use_email_code(deps, login) else Transition(login)


async def submit_sign_in_code(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    if answer.other is StepName.PASSWORD:
        progress = replace(login.progress, asked=None)
        return await save_progress(deps, Transition(login.at(StepName.PASSWORD, progress)))
    if answer.resend:
        return await _send(deps, login, answer)
    if not answer.code.strip():
        return Transition(login, Problem.WRONG_CODE)
    user = await attempt(deps, login, _verify(deps, login, answer.code.strip()))
    if not isinstance(user, User):
        return user or Transition(login, Problem.WRONG_CODE)
    progress = replace(
        login.progress.only_name(),
        user_id=user.user_id,
        amr=(ONE_TIME_CODE,),
        emailed=True,
        external=login.progress.external,
    )
    return await continue_login(deps, login, progress, user, answer.languages)


async def _send(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    if not (await policy_of(deps, login.ctx, login.progress)).email_code_sign_in:
        return Transition(login, Problem.NOT_SENT)
    question = SendSignInCode(
        login_name=login.progress.login_name,
        org_id=login.ctx.org_id,
        languages=answer.languages,
        sender=answer.address,
        earlier=_challenge_of(login),
    )
    try:
        sent = await deps.bus.call(SEND_SIGN_IN_CODE, question)
    except ServiceError as error:
        return not_sent(login, error)
    progress = replace(login.progress, asked=FactorChallenge(StepName.EMAIL_CODE, sent.challenge))
    return await save_progress(deps, Transition(login.at(StepName.EMAIL_CODE, progress)))


async def _verify(deps: Dependencies, login: Login, code: str) -> User | Attempted:
    question = VerifySignInCode(challenge=_challenge_of(login), code=code)
    verified = await deps.bus.call(VERIFY_SIGN_IN_CODE, question)
    return verified.user or Attempted(verified.attempted)


def _challenge_of(login: Login) -> str:
    asked = login.progress.asked
    return asked.name if asked and asked.step is StepName.EMAIL_CODE else ""
