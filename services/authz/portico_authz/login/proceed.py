"""After a proof: what is still demanded is asked next; when nothing is, the session begins (LG-08).

Every proof gives the browser a new handle, also one that is not yet the end (LG-11). The new handle comes last: until
then everything can be done again with the old one, and afterwards whoever sends the same form and proves the same
gets the same handle (`domain.submission`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from msgspec.structs import replace as with_fields
from portico_contracts.login import Problem, Step, StepName
from portico_contracts.users import User
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import bucket_of

from portico_authz.authorize.open_request import REQUEST_GONE
from portico_authz.authorize.standing import find_proven, proven_of
from portico_authz.desk import Desk
from portico_authz.domain.auth_request import AuthRequest, Progress
from portico_authz.domain.renewal import Renewal, Renewed
from portico_authz.domain.session import short_name
from portico_authz.domain.submission import new_submission
from portico_authz.login.open_login import Login, done, keep, new_csrf, show
from portico_authz.login.prepare import prepare
from portico_authz.session.sign_in import begin_session, strengthen_session
from portico_authz.steps import LoginFacts, next_step

HANDLE_CHANGED = ErrorCode(
    "AUTHZ-028",
    Kind.FAILED_PRECONDITION,
    "Somebody signed in with this browser at the same moment.",
    "Open the page again.",
)


async def proceed(desk: Desk, login: Login, progress: Progress, user: User, languages: tuple[str, ...]) -> Step:
    """Goes on with a user who proved who they are, as ``progress`` says.

    Raises:
        ServiceError: AUTHZ-028, AUTHZ-030, UNAVAILABLE.
    """
    # Should the proof be asked for again, it is asked for by this name.
    if not progress.login_name:
        progress = replace(progress, login_name=user.login_name, shown=short_name(user.login_name))
    step = next_step(LoginFacts(proven=await proven_of(desk, user, progress)))
    if step is StepName.DONE:
        return await _sign_in(desk, login, progress, user)
    progress, problem, retry_after = await prepare(desk, step, progress, languages)
    shown = await show(desk, login.at(step, progress), problem, retry_after=retry_after)
    renewal = login.renewal(login.browser, progress)
    await _renew(desk, renewal, user)
    return with_fields(shown, set_cookie=desk.cookie.set(renewal.new))


async def finish(desk: Desk, login: Login) -> Step:
    """Ends a login of which the last demand went away by itself."""
    user = await find_proven(desk, login.progress)
    if user is None:  # asked about a moment ago; whatever changed meanwhile is decided on by the next question
        return done(login.request.id)
    now, csrf = desk.clock.now(), new_csrf(desk, login.browser)
    login = replace(login, submission=new_submission(StepName.DONE, csrf, login.handle, desk.random, now))
    return await proceed(desk, login, login.progress, user, ())


async def waiting_told(desk: Desk, login: Login, ask: Callable[[], Awaitable[User | None]]) -> User | Step | None:
    """What users says to a proof: the user, None for a wrong one, or the step again with how long to wait."""
    try:
        user = await ask()
    except ServiceError as error:
        if error.kind is not Kind.TOO_MANY_REQUESTS:
            raise
        desk.teller.say_login_failed(login.ctx.client.client_id, login.progress.user_id)
        return await show(desk, login, Problem.SLOW_DOWN, retry_after=error.retry_after or 1)
    # Pages are for people, of the organization that was asked for.
    if user is not None and user.human and login.ctx.org_id in ("", user.org_id):
        return user
    desk.teller.say_login_failed(login.ctx.client.client_id, login.progress.user_id)
    return None


async def owner_of(desk: Desk, request: AuthRequest) -> str:
    """The id of the user who proved something for a request; empty for nobody."""
    if not request.signed_in:
        return request.progress.user_id
    session = await desk.stores.sessions.find(request.signed_in)
    return session.user_id if session else ""


async def _sign_in(desk: Desk, login: Login, progress: Progress, user: User) -> Step:
    if progress.step_up:
        session, is_new = await strengthen_session(desk, login.browser, user, progress), False
        if session is None:
            return await _ask_password(desk, login, progress)
    else:
        sid = login.sent.next_sid(bucket_of(user.user_id), login.handle)
        session, is_new = await begin_session(desk, login.browser, user, progress, sid)
    # What was proven is used up; should the session end before the answer, the proof is asked for again.
    left = progress.only_name()
    renewal = login.renewal(login.browser.with_session(session.sid), left, session.sid)
    if await _renew(desk, renewal, user):
        if is_new:
            desk.teller.say_session_started(session.sid, user.user_id)
        desk.teller.say_login_succeeded(user.user_id, login.ctx.client.client_id)
    return done(login.request.id, desk.cookie.set(renewal.new))


async def _ask_password(desk: Desk, login: Login, progress: Progress) -> Step:
    """The session that was to get a second factor ended at the same moment."""
    left = progress.only_name()
    await keep(desk, login, progress=left)
    return await show(desk, login.at(StepName.PASSWORD, left))


async def _renew(desk: Desk, renewal: Renewal, user: User) -> bool:
    """Gives the browser its new handle; the old one is worth nothing from then on.

    Returns False when the same form, sent twice, has done that already for the same user.

    Raises:
        ServiceError: AUTHZ-028 when the handle changed otherwise, AUTHZ-030 when the request is gone; nothing of this
            sign-in can be used then.
    """
    renewed = await desk.stores.browsers.renew(renewal, desk.lifetimes.session)
    if renewed is Renewed.GONE:
        raise REQUEST_GONE.error(part="request")
    if renewed is Renewed.BEFORE:
        request = await desk.stores.requests.find(renewal.request_id)
        if request is not None and await owner_of(desk, request) == user.user_id:
            return False
    if renewed is not Renewed.NOW:
        raise HANDLE_CHANGED.error()
    return True
