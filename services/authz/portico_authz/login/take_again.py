"""The answer to a proof was lost: the browser still has its old handle and sends the form again.

Whoever proves to be the very same user gets the handle the lost answer had. Nothing else can be done with the old one.
"""

from __future__ import annotations

from msgspec.structs import replace as with_fields
from portico_contracts.login import Answer, GetStep, Problem, Step, StepName
from portico_contracts.users import User

from portico_authz.desk import Desk
from portico_authz.domain.factors import PROOFS, entered_in
from portico_authz.login.ask_step import ask_step
from portico_authz.login.open_login import Login, show
from portico_authz.login.proceed import owner_of, waiting_told
from portico_authz.login.send_form import FORM_USED, count_repeat
from portico_authz.login.take_factor import verify_factor
from portico_authz.login.take_password import verify_password


async def take_again(desk: Desk, login: Login, answer: Answer) -> Step:
    """Takes a form that was sent already, or the password page shown in its place.

    A mailed code that verified an address is used up, so the password is asked for instead. Where a second factor or a
    passkey was proven, nothing but that will do (LG-08): the very same again, or the factor anew.

    Raises:
        ServiceError: LOGIN-001 for any other form.
    """
    if answer.cancel or answer.restart or answer.step not in (login.sent.step, login.asked):
        raise FORM_USED.error(cause="the handle was replaced")
    await count_repeat(desk, login, answer)
    if login.asked in PROOFS:
        return await _take_factor_again(desk, login, answer)
    password = answer.new_password if answer.step is StepName.CHANGE_PASSWORD else answer.password
    if not password:
        return await show(desk, login)

    async def verify() -> User | None:
        return await verify_password(desk, login, password)

    user = await waiting_told(desk, login, verify)
    if isinstance(user, Step):
        return user
    if user is None or user.user_id != await owner_of(desk, login.request):
        return await show(desk, login, Problem.WRONG_CREDENTIALS)
    return await _given_again(desk, login)


async def _take_factor_again(desk: Desk, login: Login, answer: Answer) -> Step:
    entered = entered_in(answer)
    if not entered:
        return await show(desk, login)
    if not login.sent.is_same(entered):
        owner = await owner_of(desk, login.request)
        told = await verify_factor(desk, login, "" if login.asked is StepName.PASSKEY else owner, entered)
        if isinstance(told, Step):
            return told
        if told.user_id != owner:
            return await show(desk, login, Problem.WRONG_KEY)
    return await _given_again(desk, login)


async def _given_again(desk: Desk, login: Login) -> Step:
    step = await ask_step(desk, login.request.id, GetStep(browser=login.handle))
    return step if step.set_cookie else with_fields(step, set_cookie=desk.cookie.set(login.handle))
