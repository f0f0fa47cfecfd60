"""The login API: what an answer changes.

An answer is taken in this order: bounds, browser, CSRF value, then the step it answers; the CSRF value is
used up before anything changes (LG-14). A browser whose handle was replaced by an answer it did not get goes by
`take_again`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from msgspec.structs import replace as with_fields
from portico_contracts.login import Answer, Step, StepName
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_authz.desk import Desk
from portico_authz.domain.auth_request import UNTOUCHED, Progress
from portico_authz.domain.factors import PROOFS
from portico_authz.login.offer_passkey import as_passkey, at_offer
from portico_authz.login.open_login import Login, done, keep, open_login, show
from portico_authz.login.proceed import finish
from portico_authz.login.send_form import send_form
from portico_authz.login.take_account import take_account
from portico_authz.login.take_again import take_again
from portico_authz.login.take_factor import take_factor
from portico_authz.login.take_login_name import take_login_name
from portico_authz.login.take_password import take_new_password, take_password
from portico_authz.login.take_registration import take_mail_code, take_registration

MAX_TEXT: Final = 200
"""Characters of whatever is entered: the specification's limit."""

MAX_CREDENTIAL: Final = 8_192
"""Characters of what a key answers; real ones have one or two thousand."""

MAX_LANGUAGES: Final = 20

TOO_LONG = ErrorCode(
    "LOGIN-002", Kind.INVALID_REQUEST, "A login name or password has at most 200 characters.", "Enter a shorter text."
)


async def take_answer(desk: Desk, id: str, answer: Answer) -> Step:
    """Takes an answer and says what follows.

    Raises:
        ServiceError: LOGIN-001 for a CSRF value that is not the one in force, LOGIN-002, AUTHZ-03x.
    """
    too_long = max(map(len, _texts(answer))) > MAX_TEXT or len(answer.credential) > MAX_CREDENTIAL
    if too_long or len(answer.languages) > MAX_LANGUAGES:
        raise TOO_LONG.error()
    answer = as_passkey(answer)
    login = await open_login(desk, id, answer.browser)
    if login.is_repeated:
        return await take_again(desk, login, answer)
    if login.asked is StepName.DONE:
        return await finish(desk, login) if login.to_finish else done(id)
    login = await send_form(desk, login, answer)
    try:
        return await _take(desk, await at_offer(desk, login, answer), answer)
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            # The answer was not taken, so the form that brought it may be sent again.
            with suppress(ServiceError):
                await desk.stores.requests.swap(id, login.csrf, answer.csrf)
        raise


async def _take(desk: Desk, login: Login, answer: Answer) -> Step:
    if answer.cancel:
        await keep(desk, login, denied=True)
        return done(login.request.id)
    if answer.restart:
        return await _restart(desk, login)
    if answer.step is not login.asked:
        return await show(desk, login)
    return await _ANSWERS[answer.step](desk, login, answer)


async def _restart(desk: Desk, login: Login) -> Step:
    """Back to the beginning: whatever was answered or proven for this request counts no more."""
    # Who does not want to go on with the only session there is wants another account.
    await keep(desk, login, progress=Progress(other=True) if login.progress.step_up else UNTOUCHED)
    again = await open_login(desk, login.request.id, login.handle)
    if again.asked is StepName.DONE:
        return done(login.request.id)
    shown = await show(desk, replace(again, csrf=login.csrf))
    return with_fields(shown, login_name=login.progress.shown_name or shown.login_name)


async def _show_again(desk: Desk, login: Login, _answer: Answer) -> Step:
    """Nothing can be answered here: somebody else has to do something first."""
    return await show(desk, login)


_ANSWERS: Final[dict[StepName, Callable[[Desk, Login, Answer], Awaitable[Step]]]] = {
    StepName.SELECT_ACCOUNT: take_account,
    StepName.REGISTER: take_registration,
    StepName.LOGIN_NAME: take_login_name,
    StepName.PASSWORD: take_password,
    **dict.fromkeys(PROOFS, take_factor),
    StepName.FACTOR_MISSING: _show_again,
    StepName.CHANGE_PASSWORD: take_new_password,
    StepName.VERIFY_EMAIL: take_mail_code,
}


def _texts(answer: Answer) -> tuple[str, ...]:
    entered = answer.registration
    registration = (entered.email, entered.first_name, entered.last_name, entered.password) if entered else ()
    return (
        *(answer.login_name, answer.password, answer.new_password, answer.account, answer.code),
        *registration,
        *answer.languages,
    )
