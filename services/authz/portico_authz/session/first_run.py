"""Signs the first administrator in, in the browser that created the account (decision 0057)."""

from __future__ import annotations

import msgspec
import structlog
from portico_contracts.users import Factor, User
from portico_contracts.users.first_run import FINISH_FIRST_RUN, CompleteFirstRun, FinishFirstRun, FirstRunCompleted
from portico_oauth.assurance import ONE_TIME_CODE, PASSWORD, add_second_factor, webauthn_methods
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import bucket_of, new_opaque

from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import new_browser
from portico_authz.domain.progress import Progress
from portico_authz.domain.session import short_name
from portico_authz.event_publisher import SignInOrigin
from portico_authz.session.sign_in import new_session, start_session

log = structlog.get_logger("portico.login")


async def complete_first_run(deps: Dependencies, _id: str, message: CompleteFirstRun) -> FirstRunCompleted:
    """A failed sign-in is not an error: the account exists, and its recovery codes are shown only now."""
    done = await deps.bus.call(FINISH_FIRST_RUN, msgspec.convert(message, FinishFirstRun, from_attributes=True))
    completed = FirstRunCompleted(login_name=done.login_name, recovery_codes=done.recovery_codes)
    if done.user is None:
        return completed
    try:
        handle = await _sign_in(deps, done.user, message, device_bound=done.device_bound)
    except ServiceError as error:
        log.warning("first administrator not signed in", cause=error.private)
        return completed
    return msgspec.structs.replace(completed, org_id=done.user.org_id, set_cookie=deps.cookie.set(handle))


async def _sign_in(deps: Dependencies, user: User, message: CompleteFirstRun, *, device_bound: bool) -> str:
    """Starts with a new browser, so that a handle known to others is never that of the administrator."""
    browser = new_browser(deps.random)
    handle = browser.new_handle(deps.random)
    progress = Progress(
        login_name=user.login_name,
        shown=short_name(user.login_name),
        user_id=user.user_id,
        amr=add_second_factor((), *webauthn_methods(device_bound=device_bound))
        if message.factor is Factor.PASSKEY
        else add_second_factor((PASSWORD,), ONE_TIME_CODE),
        second=True,
        device_bound=device_bound,
    )
    sid = new_opaque(bucket_of(user.user_id), deps.random)
    # The session last, so that none is left if a store fails.
    await deps.stores.browsers.create(handle, browser.with_session(sid), deps.lifetimes.session)
    origin = SignInOrigin("", message.device, "")
    new = await new_session(deps, browser, user, progress, sid, origin, began=deps.clock.now())
    session = (await start_session(deps, browser, new, None)).session
    deps.publisher.session_started(session.sid, user.user_id)
    deps.publisher.login_succeeded(user.user_id, origin, session.amr)
    return handle
