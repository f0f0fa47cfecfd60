"""Sign-in with an emailed code instead of a password (decision 0099).

The page is the same for every login name (LG-01). The challenge stays in the request, so that the code works only in
the browser that requested it.
"""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Problem
from portico_contracts.login_steps.email_code import EmailCodeAnswer, EmailCodeStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.step_names import StepName
from portico_contracts.users import User
from portico_contracts.users.email_codes import (
    SEND_SIGN_IN_CODE,
    VERIFY_SIGN_IN_CODE,
    SendSignInCode,
    VerifySignInCode,
)
from portico_oauth.assurance import ONE_TIME_CODE
from portico_oauth.errors import ServiceError

from portico_authz.authorize.login_requirements import policy_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import FactorChallenge
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import is_known_by_code, linking, may_use_email_code, policy_of_page
from portico_authz.login.sent_codes import not_sent
from portico_authz.login.state import Login, Transition
from portico_authz.login.verifiers import Attempted


async def request_email_code(deps: Dependencies, login: Login, languages: tuple[str, ...], address: str) -> Transition:
    """The answer to the password page, where the organization allows codes instead."""
    is_allowed = may_use_email_code(login, await policy_of_page(deps, login))
    return await _send(deps, login, languages, address) if is_allowed else Transition(login)


async def send_sign_in_code(deps: Dependencies, login: Login, languages: tuple[str, ...], *, sender: str) -> Transition:
    """Sends a code instead of the earlier one of this request; the policy of the page must allow it."""
    asked = login.progress.asked
    question = SendSignInCode(
        login_name=login.progress.login_name,
        org_id=login.ctx.scope.org_id,
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


async def _show(deps: Dependencies, transition: Transition, common: Common) -> EmailCodeStep:
    login = transition.login
    others = () if login.is_retry else await _others(deps, login)
    return EmailCodeStep(**common, **linking(login), others=others)


async def _others(deps: Dependencies, login: Login) -> tuple[StepName, ...]:
    if not (await policy_of_page(deps, login)).password_sign_in or await is_known_by_code(deps, login):
        return ()
    return (StepName.PASSWORD,)


async def _submit(deps: Dependencies, login: Login, answer: EmailCodeAnswer) -> Transition:
    if answer.other is StepName.PASSWORD and answer.other in await _others(deps, login):
        progress = replace(login.progress, asked=None)
        return await save_progress(deps, Transition(login.at(StepName.PASSWORD, progress)))
    if answer.resend:
        return await _send(deps, login, answer.languages, answer.address)
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


async def _send(deps: Dependencies, login: Login, languages: tuple[str, ...], address: str) -> Transition:
    if not (await policy_of(deps, login.ctx, login.progress)).email_code_sign_in:
        return Transition(login, Problem.NOT_SENT)
    return await save_progress(deps, await send_sign_in_code(deps, login, languages, sender=address))


async def _verify(deps: Dependencies, login: Login, code: str) -> User | Attempted:
    asked = login.progress.asked
    challenge = asked.name if asked and asked.step is StepName.EMAIL_CODE else ""
    verified = await deps.bus.call(VERIFY_SIGN_IN_CODE, VerifySignInCode(challenge=challenge, code=code))
    return verified.user or Attempted(verified.attempted, verified.failure)


STEP = LoginStep(EmailCodeAnswer, _show, _submit, failure=SignInFailure.WRONG_EMAIL_CODE)
