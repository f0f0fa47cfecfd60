"""Forms that are submitted again (LG-14).

If the response to an authentication was lost, the browser submits the form with its old handle: an identical
authentication of the same user restores the new handle, and the old one permits no more. Every other repeated
form gets the stored response, or the following page, and is not processed again. During a double click the
first response is awaited, because it may change the handle of this browser.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from portico_contracts.login import Answer, Problem
from portico_contracts.login_steps import AnyStep
from portico_contracts.login_steps.change_password import ChangePasswordAnswer
from portico_contracts.login_steps.ldap import LdapAnswer
from portico_contracts.login_steps.login_name import LoginNameAnswer
from portico_contracts.login_steps.password import PasswordAnswer
from portico_contracts.step_names import StepName
from portico_oauth.opaque import equal_in_constant_time

from portico_authz.authorize.agents import agent_at
from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import EMAILED_STEPS, FACTOR_STEPS
from portico_authz.login.build_step import build_step
from portico_authz.login.continue_login import attempt
from portico_authz.login.factors import verify_factor
from portico_authz.login.get_step import current_step
from portico_authz.login.home_provider import find_home_provider
from portico_authz.login.leave_to_provider import leave_to_provider
from portico_authz.login.open_login import open_login, owner_of
from portico_authz.login.state import Login, Transition
from portico_authz.login.steps.login_name import name_in
from portico_authz.login.steps.password import verify_password
from portico_authz.login.verify_submission import FORM_USED, count_retry


async def replay_submission(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """Accepts the retry of a form, or of the password page shown in its place.

    A used email code restores the response if it is identical; otherwise the password is requested, unless the code
    replaced it. A second factor or a passkey has no replacement (LG-08): the identical response, or a new one of the
    same factor.
    """
    if answer.cancel or answer.restart or answer.step not in (login.accepted.step, login.step):
        raise FORM_USED.error(cause="the handle was replaced")
    await count_retry(deps, login, answer)
    if login.step in FACTOR_STEPS:
        return await _replay_factor(deps, login, answer)
    if answer.step in EMAILED_STEPS and (code := answer.single_use) and login.accepted.is_same(code):
        return await _restored(deps, login)
    password = _password_in(answer)
    if answer.step is StepName.EMAIL_CODE or not password:
        return Transition(login, Problem.WRONG_CODE if answer.step is StepName.EMAIL_CODE else Problem.NONE)
    user = await attempt(deps, login, verify_password(deps, login, password))
    if isinstance(user, Transition):
        return user
    if user is None or user.user_id != await owner_of(deps, login.request):
        return Transition(login, Problem.WRONG_CREDENTIALS)
    return await _restored(deps, login)


def _password_in(answer: Answer) -> str:
    if isinstance(answer, ChangePasswordAnswer):
        return answer.new_password
    return answer.password if isinstance(answer, PasswordAnswer | LdapAnswer) else ""


async def _replay_factor(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    response = answer.single_use
    if not response:
        return Transition(login)
    if not login.accepted.is_same(response):
        owner = await owner_of(deps, login.request)
        proof = await verify_factor(deps, login, "" if login.step is StepName.PASSKEY else owner, response)
        if isinstance(proof, Transition):
            return proof
        if proof.user.user_id != owner:
            return Transition(login, Problem.WRONG_KEY)
    return await _restored(deps, login)


async def _restored(deps: Dependencies, login: Login) -> Transition:
    return replace(await current_step(deps, login.request.id, login.handle, login.ctx.user_agent), handle=login.handle)


async def _following(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """The page after the first form; from a button of a provider to the provider again, by a flow of this press.

    The browser drops the response to the first press, which alone has the address of the first flow. A name may lead to
    a provider, too.
    """
    if away := await _left_by_name(deps, login, answer):
        return away
    if answer.provider and answer.step is login.step:
        await count_retry(deps, login, answer)
        return await leave_to_provider(deps, replace(login, csrf=login.request.csrf), answer.provider)
    return await current_step(deps, login.request.id, answer.browser, login.ctx.user_agent)


async def _left_by_name(deps: Dependencies, login: Login, answer: Answer) -> Transition | None:
    named = login.progress
    if not isinstance(answer, LoginNameAnswer) or not named.login_name or name_in(answer) != named.login_name:
        return None
    if login.step is not StepName.PASSWORD or named.returned or named.external:
        return None
    home = await find_home_provider(deps, login.ctx, named.login_name)
    if home is None:
        return None
    await count_retry(deps, login, answer)
    login = replace(login, csrf=login.request.csrf)
    return await leave_to_provider(deps, login, home.provider.id, login_hint=named.login_name)


LOOKS: Final = 40
LOOK_SECONDS: Final = 0.1
"""Polling interval for the result of the first one."""


async def repeat_submission(deps: Dependencies, id: str, answer: Answer) -> AnyStep:
    for _ in range(LOOKS):
        login = await open_login(deps, id, answer.browser, agent_at(deps, answer.address))
        if login.is_retry:
            return await build_step(deps, await replay_submission(deps, login, answer))
        sent = login.request.submission
        if sent is None or sent.step is not answer.step or not equal_in_constant_time(sent.csrf, answer.csrf):
            raise FORM_USED.error(cause="another form was sent meanwhile")
        if not sent.is_of(login.handle, deps.clock.now()):
            raise FORM_USED.error(cause="not sent by this browser a moment ago")
        if login.step is StepName.DONE or equal_in_constant_time(login.request.settled, answer.csrf):
            return await build_step(deps, await _following(deps, login, answer))
        await asyncio.sleep(LOOK_SECONDS)
    raise FORM_USED.error(cause="the first one has no answer yet")
