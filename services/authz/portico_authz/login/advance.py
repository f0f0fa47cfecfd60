from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from portico_contracts.login import Answer, Problem, StepName

from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import Progress
from portico_authz.domain.factors import FACTOR_STEPS, REGISTRATIONS
from portico_authz.login.handlers.consent import submit_consent
from portico_authz.login.handlers.email_code import submit_sign_in_code
from portico_authz.login.handlers.enrolment import (
    choose_registration,
    leave_enrolment,
    submit_enrolment_code,
    submit_factor_registration,
)
from portico_authz.login.handlers.external import answer_no_account, create_instead, submit_details, submit_ldap
from portico_authz.login.handlers.factor import submit_factor
from portico_authz.login.handlers.login_name import select_account, submit_login_name
from portico_authz.login.handlers.password import change_password, submit_password
from portico_authz.login.handlers.registration import submit_email_code, submit_registration
from portico_authz.login.leave_to_provider import leave_to_provider
from portico_authz.login.offer_passkey import use_offer
from portico_authz.login.open_login import open_login, save_progress, update_request
from portico_authz.login.state import Login, Transition


async def advance(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """Applies an answer to the login; an answer to a step that is not open changes nothing."""
    login = await use_offer(deps, login, answer)
    if answer.cancel:
        await update_request(deps, login, denied=True)
        return Transition(replace(login, step=StepName.DONE))
    if answer.restart:
        return await _restart(deps, login)
    if login.starts_again or answer.step is not login.step:
        return await _show_current(deps, login)
    if answer.provider:
        return await leave_to_provider(deps, login, answer.provider)
    if answer.create:
        return await create_instead(deps, login)
    return await _HANDLERS[answer.step](deps, login, answer)


async def _restart(deps: Dependencies, login: Login) -> Transition:
    # An end user who does not continue with a session, also one of this sign-in, wants another account.
    leaves_session = login.progress.step_up or login.consenting
    progress = Progress(other=True) if leaves_session else login.restarted
    await update_request(deps, login, progress=progress, signed_in="")
    opened = await open_login(deps, login.request.id, login.handle)
    return Transition(replace(opened, csrf=login.csrf), login_name=login.progress.shown_name)


async def _show_current(deps: Dependencies, login: Login) -> Transition:
    if not login.starts_again:
        return Transition(login)
    return await save_progress(deps, Transition(login, Problem.CREDENTIALS_CHANGED))


async def _show_again(_deps: Dependencies, login: Login, _answer: Answer) -> Transition:
    return Transition(login)


_HANDLERS: Final[dict[StepName, Callable[[Dependencies, Login, Answer], Awaitable[Transition]]]] = {
    StepName.SELECT_ACCOUNT: select_account,
    StepName.REGISTER: submit_registration,
    StepName.LOGIN_NAME: submit_login_name,
    StepName.PASSWORD: submit_password,
    StepName.EMAIL_CODE: submit_sign_in_code,
    **dict.fromkeys(FACTOR_STEPS, submit_factor),
    StepName.FACTOR_MISSING: _show_again,
    StepName.ENROL_EMAIL: submit_enrolment_code,
    StepName.ENROL: choose_registration,
    **dict.fromkeys(REGISTRATIONS, submit_factor_registration),
    StepName.RECOVERY_CODES: leave_enrolment,
    StepName.DIRECTORY: submit_ldap,
    StepName.COMPLETE_EXTERNAL: submit_details,
    StepName.EXTERNAL_NO_ACCOUNT: answer_no_account,
    StepName.CHANGE_PASSWORD: change_password,
    StepName.CONSENT: submit_consent,
    StepName.VERIFY_EMAIL: submit_email_code,
}
