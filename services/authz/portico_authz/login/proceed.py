"""After a proof: what is still demanded is asked next; when nothing is, the session begins (LG-08).

Every proof gives the browser a new handle, also one that is not yet the end (LG-11).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from msgspec.structs import replace as with_fields
from portico_contracts.login import Problem, Step, StepName
from portico_contracts.users import SEND_MAIL_CODE, SendMailCode, User
from portico_oauth.errors import Kind, Refusal

from portico_authz.authorize.standing import find_proven, proven_of
from portico_authz.desk import Desk
from portico_authz.domain.auth_request import Progress
from portico_authz.login.open_login import Login, done, keep, show
from portico_authz.session.sign_in import begin_session, renew_handle, renew_handle_only
from portico_authz.steps import LoginFacts, next_step


async def proceed(desk: Desk, login: Login, progress: Progress, user: User, languages: tuple[str, ...]) -> Step:
    """Goes on with a user who proved who they are, as ``progress`` says.

    Raises:
        Refusal: AUTHZ-028, AUTHZ-030, UNAVAILABLE.
    """
    step = next_step(LoginFacts(proven=await proven_of(desk, user)))
    if step is StepName.DONE:
        return await _sign_in(desk, login, progress, user)
    problem, retry_after = Problem.NONE, 0
    if step is StepName.VERIFY_MAIL and not progress.challenge:
        progress, problem, retry_after = await send_code(desk, progress, languages)
    await keep(desk, login, progress=progress)
    handle = await renew_handle_only(desk, login.browser, login.handle)
    shown = await show(desk, login.at(step, progress), problem, retry_after=retry_after)
    return with_fields(shown, set_cookie=desk.cookie.set(handle))


async def finish(desk: Desk, login: Login) -> Step:
    """Ends a login of which the last demand went away by itself."""
    user = await find_proven(desk, login.progress)
    if user is None:  # asked about a moment ago; whatever changed meanwhile is decided on by the next question
        return done(login.request.id)
    return await proceed(desk, login, login.progress, user, ())


async def send_code(desk: Desk, progress: Progress, languages: tuple[str, ...]) -> tuple[Progress, Problem, int]:
    """Has a code mailed, again where one was already; the progress with its challenge, or how long to wait."""
    question = SendMailCode(
        user_id="" if progress.challenge else progress.user_id, challenge=progress.challenge, languages=languages
    )
    try:
        sent = await desk.bus.call(SEND_MAIL_CODE, question)
    except Refusal as refusal:
        if refusal.kind is not Kind.SLOW_DOWN:
            raise
        return progress, Problem.SLOW_DOWN, refusal.retry_after or 1
    return replace(progress, challenge=sent.challenge, mail=sent.mail), Problem.NONE, 0


async def waiting_told(desk: Desk, login: Login, ask: Callable[[], Awaitable[User | None]]) -> User | Step | None:
    """What users says to a proof: the user, None for a wrong one, or the step again with how long to wait."""
    try:
        user = await ask()
    except Refusal as refusal:
        if refusal.kind is not Kind.SLOW_DOWN:
            raise
        desk.teller.say_login_failed(login.ctx.client.client_id, login.progress.user_id)
        return await show(desk, login, Problem.SLOW_DOWN, retry_after=refusal.retry_after or 1)
    # Pages are for people, of the organization that was asked for.
    if user is not None and user.human and login.ctx.org_id in ("", user.org_id):
        return user
    desk.teller.say_login_failed(login.ctx.client.client_id, login.progress.user_id)
    return None


async def _sign_in(desk: Desk, login: Login, progress: Progress, user: User) -> Step:
    session = await begin_session(desk, login.browser, user, progress.amr)
    # What was proven is used up; should the session end before the answer, the proof is asked for again.
    await keep(desk, login, progress=Progress(login_name=progress.login_name), signed_in=session.sid)
    handle = await renew_handle(desk, login.browser, login.handle, session)
    desk.teller.say_login_succeeded(user.user_id, login.ctx.client.client_id)
    return done(login.request.id, desk.cookie.set(handle))
