"""Each form is valid once (LG-14); a retry is accepted for seconds, because the response may be lost."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Answer
from portico_contracts.login_steps.password import PasswordAnswer
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import equal_in_constant_time

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Progress
from portico_authz.domain.submission import MAX_RETRIES, new_submission, with_response
from portico_authz.login.open_login import new_csrf
from portico_authz.login.state import Login

FORM_USED = ErrorCode(
    "LOGIN-001",
    Kind.PERMISSION_DENIED,
    "This form was already sent or does not belong to this sign-in. Open the page again.",
    "Get the step again, and send the csrf value from it.",
)


async def verify_submission(
    deps: Dependencies, login: Login, answer: Answer, progress: Progress | None = None
) -> Login:
    """Consumes the CSRF value of an answer, and returns the login with the next one.

    `progress` is the result of an answer that needs no further processing, stored in the same step.
    A password form that is still being processed (a double click) is accepted too: the password is verified
    again, and both responses give the browser the same handle.
    """
    csrf = new_csrf(deps, login.browser)
    sent = new_submission(answer.step, answer.csrf, login.handle, deps.random, deps.clock.now())
    sent = with_response(sent, answer.single_use)
    if answer.csrf and await deps.stores.requests.accept_submission(login.request.id, csrf, sent, progress):
        return replace(login, csrf=csrf, submission=sent)
    if not is_verified_again(answer):
        raise FORM_USED.error()
    await count_retry(deps, login, answer)
    request = await deps.stores.requests.find(login.request.id)
    earlier = request.submission if request else None
    if not request or not earlier or not equal_in_constant_time(earlier.csrf, answer.csrf):
        raise FORM_USED.error(cause="another form was sent meanwhile")
    if earlier.step is not answer.step or not earlier.is_of(login.handle, deps.clock.now()):
        raise FORM_USED.error(cause="not sent by this browser a moment ago")
    return replace(login, csrf=request.csrf, submission=earlier)


def is_verified_again(answer: Answer) -> bool:
    return isinstance(answer, PasswordAnswer) and not (answer.cancel or answer.restart or answer.email_code)


async def count_retry(deps: Dependencies, login: Login, answer: Answer) -> None:
    """Raises LOGIN-001 for another form, and after too many retries."""
    if not answer.csrf or not await deps.stores.requests.count_retry(login.request.id, answer.csrf, MAX_RETRIES):
        raise FORM_USED.error(cause="not the form that was sent last")
