"""The login API: what to show next, and what an answer changes.

An answer is taken in this order: bounds, browser, CSRF value, then the step it answers; the CSRF value is
used up before anything changes (LG-14).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from portico_contracts.http import AUTHORIZE_RESUME
from portico_contracts.login import Answer, AskStep, Problem, Step, StepName
from portico_contracts.users import VERIFY_PASSWORD, User, VerifyPassword
from portico_oauth.assurance import PASSWORD
from portico_oauth.errors import Fact, Kind, Refusal
from portico_oauth.opaque import new_opaque

from portico_authz.authorize.decide import Interact
from portico_authz.authorize.open_request import REQUEST_GONE, context_of, decide_again, open_request
from portico_authz.context import Context
from portico_authz.desk import Desk
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser
from portico_authz.session.sign_in import begin_session, renew_handle

MAX_TEXT: Final = 200
"""Characters of a login name or a password: the specification's limit."""

FORM_USED = Fact(
    "LOGIN-001",
    Kind.NOT_ALLOWED,
    "This form was already sent or does not belong to this sign-in. Open the page again.",
    "Ask for the step again and send the csrf value it has.",
)
TOO_LONG = Fact(
    "LOGIN-002", Kind.MALFORMED, "A login name or password has at most 200 characters.", "Enter a shorter text."
)
PASSWORD_CHANGE = Fact(
    "LOGIN-003",
    Kind.PRECONDITION,
    "Your password must be changed before you can sign in. Please ask your administrator.",
    "Set a new password for the user that need not be changed.",
)


@dataclass(frozen=True, slots=True)
class Login:
    """One login under way.

    Attributes:
        handle: the browser's, as it came with the question.
        asked: the step that is open.
    """

    request: AuthRequest
    browser: Browser
    handle: str
    ctx: Context
    asked: StepName

    def show(self, step: StepName, csrf: str, problem: Problem = Problem.NONE, retry_after: int = 0) -> Step:
        """A step to render."""
        return Step(
            name=step,
            csrf=csrf,
            client_name=self.ctx.client.name,
            return_uri=self.ctx.proven.redirect_uri,
            login_name=self.request.login_name or self.request.prefill,
            problem=problem,
            retry_after=retry_after,
            ui_locales=self.ctx.ui_locales,
        )


async def ask_step(desk: Desk, id: str, ask: AskStep) -> Step:
    """What to show for a request. Asking again changes nothing: a form that is open stays good."""
    login = await _open(desk, id, ask.browser)
    if login.asked is StepName.DONE:
        return _done(id)
    csrf = await desk.stores.requests.arm(id, _new_csrf(desk, login.browser))
    if csrf is None:
        raise REQUEST_GONE.refusal(part="request")
    return login.show(login.asked, csrf)


async def take_answer(desk: Desk, id: str, answer: Answer) -> Step:
    """Takes an answer and says what follows.

    Raises:
        Refusal: LOGIN-001 for a CSRF value that is not the one in force, LOGIN-002, LOGIN-003, AUTHZ-03x.
    """
    if max(len(answer.login_name), len(answer.password)) > MAX_TEXT:
        raise TOO_LONG.refusal()
    login = await _open(desk, id, answer.browser)
    if login.asked is StepName.DONE:
        return _done(id)
    csrf = _new_csrf(desk, login.browser)
    if not answer.csrf or not await desk.stores.requests.swap(id, answer.csrf, csrf):
        raise FORM_USED.refusal()
    try:
        return await _take(desk, login, answer, csrf)
    except Refusal as refusal:
        if refusal.kind is Kind.UNAVAILABLE:
            # The answer was not taken, so the form that brought it may be sent again.
            with suppress(Refusal):
                await desk.stores.requests.swap(id, csrf, answer.csrf)
        raise


async def _open(desk: Desk, id: str, handle: str) -> Login:
    request, browser = await open_request(desk, id, handle)
    ctx = context_of(desk, request)
    decision = await decide_again(desk, ctx, request, browser)
    asked = decision.step if isinstance(decision, Interact) else StepName.DONE
    return Login(request, browser, handle, ctx, asked)


async def _take(desk: Desk, login: Login, answer: Answer, csrf: str) -> Step:
    if answer.cancel:
        await _change(desk, login, denied=True)
        return _done(login.request.id)
    if answer.restart:
        await _change(desk, login, login_name="")
        return login.show(StepName.LOGIN_NAME, csrf)
    if answer.step is not login.asked:
        return login.show(login.asked, csrf)
    return await _ANSWERS[answer.step](desk, login, answer, csrf)


async def _take_login_name(desk: Desk, login: Login, answer: Answer, csrf: str) -> Step:
    """Any name is accepted, whether or not somebody has it (LG-01)."""
    name = answer.login_name.strip()
    if not name:
        return login.show(StepName.LOGIN_NAME, csrf)
    await _change(desk, login, login_name=name)
    named = replace(login, request=replace(login.request, login_name=name))
    return named.show(StepName.PASSWORD, csrf)


async def _take_password(desk: Desk, login: Login, answer: Answer, csrf: str) -> Step:
    """A wrong password and an unknown user get the same answer (LG-01)."""
    try:
        user = await _verify(desk, login, answer.password)
    except Refusal as refusal:
        if refusal.kind is not Kind.SLOW_DOWN:
            raise
        return login.show(StepName.PASSWORD, csrf, Problem.SLOW_DOWN, refusal.retry_after or 1)
    if user is None:
        return login.show(StepName.PASSWORD, csrf, Problem.WRONG_CREDENTIALS)
    if user.password_change_required:
        raise PASSWORD_CHANGE.refusal(user_id=user.user_id)
    session = await begin_session(desk, login.browser, user, (PASSWORD,))
    await _change(desk, login, signed_in=session.sid)
    handle = await renew_handle(desk, login.browser, login.handle, session)
    return _done(login.request.id, desk.cookie.set(handle))


_ANSWERS: Final[dict[StepName, Callable[[Desk, Login, Answer, str], Awaitable[Step]]]] = {
    StepName.LOGIN_NAME: _take_login_name,
    StepName.PASSWORD: _take_password,
}


async def _verify(desk: Desk, login: Login, password: str) -> User | None:
    """Asks users; an empty password is wrong without asking."""
    if not password:
        return None
    question = VerifyPassword(login_name=login.request.login_name, password=password, org_id=login.ctx.org_id)
    user = (await desk.bus.call(VERIFY_PASSWORD, question)).user
    return user if user and user.human else None


async def _change(
    desk: Desk, login: Login, *, login_name: str | None = None, signed_in: str | None = None, denied: bool = False
) -> None:
    changed = await desk.stores.requests.change(
        login.request.id, login_name=login_name, signed_in=signed_in, denied=denied
    )
    if not changed:
        raise REQUEST_GONE.refusal(part="request")


def _done(id: str, set_cookie: str = "") -> Step:
    return Step(name=StepName.DONE, continue_to=f"{AUTHORIZE_RESUME}?request={id}", set_cookie=set_cookie)


def _new_csrf(desk: Desk, browser: Browser) -> str:
    return new_opaque(browser.bucket, desk.random)
