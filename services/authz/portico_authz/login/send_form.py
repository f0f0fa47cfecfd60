"""Each form is good for one answer (LG-14); one whose answer may have been lost is taken once more where it proves
the same again.
"""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Answer, StepName
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import same

from portico_authz.desk import Desk
from portico_authz.domain.factors import entered_in
from portico_authz.domain.submission import MAX_REPEATS, new_submission, with_entered
from portico_authz.login.open_login import Login, new_csrf

FORM_USED = ErrorCode(
    "LOGIN-001",
    Kind.PERMISSION_DENIED,
    "This form was already sent or does not belong to this sign-in. Open the page again.",
    "Ask for the step again and send the csrf value it has.",
)


async def send_form(desk: Desk, login: Login, answer: Answer) -> Login:
    """Uses up the CSRF value of an answer; the login with the next one.

    A password form that was sent a moment ago and is not answered yet (a double click) is taken as well: the password
    is verified again, and both answers give the browser the same handle.

    Raises:
        ServiceError: LOGIN-001.
    """
    csrf = new_csrf(desk, login.browser)
    sent = new_submission(answer.step, answer.csrf, login.handle, desk.random, desk.clock.now())
    sent = with_entered(sent, entered_in(answer))
    if answer.csrf and await desk.stores.requests.send(login.request.id, csrf, sent):
        return replace(login, csrf=csrf, submission=sent)
    if answer.step is not StepName.PASSWORD or answer.cancel or answer.restart:
        raise FORM_USED.error()
    await count_repeat(desk, login, answer)
    request = await desk.stores.requests.find(login.request.id)
    earlier = request.submission if request else None
    if not request or not earlier or not same(earlier.csrf, answer.csrf):
        raise FORM_USED.error(cause="another form was sent meanwhile")
    if earlier.step is not answer.step or not earlier.is_of(login.handle, desk.clock.now()):
        raise FORM_USED.error(cause="not sent by this browser a moment ago")
    return replace(login, csrf=request.csrf, submission=earlier)


async def count_repeat(desk: Desk, login: Login, answer: Answer) -> None:
    """Counts that the form sent last is sent again.

    Raises:
        ServiceError: LOGIN-001 for another form, and when it was sent too often.
    """
    if not answer.csrf or not await desk.stores.requests.repeat(login.request.id, answer.csrf, MAX_REPEATS):
        raise FORM_USED.error(cause="not the form that was sent last")
