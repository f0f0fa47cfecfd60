"""Signs the first administrator in, in the browser that created the account (decision 0057)."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import structlog
from portico_contracts.users import Factor, User
from portico_contracts.users.first_run import FINISH_FIRST_RUN, CompleteFirstRun, FinishFirstRun, FirstRunCompleted
from portico_oauth.assurance import ONE_TIME_CODE, PASSWORD, add_second_factor
from portico_oauth.errors import ServiceError

from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import new_browser
from portico_authz.domain.progress import Progress
from portico_authz.session.direct_sign_in import sign_in_directly, with_new_password, with_passkey

log = structlog.get_logger("portico.login")


async def complete_first_run(deps: Dependencies, _id: str, message: CompleteFirstRun) -> FirstRunCompleted:
    """A failed sign-in is not an error: the account exists, and its recovery codes are shown only now."""
    done = await deps.bus.call(FINISH_FIRST_RUN, msgspec.convert(message, FinishFirstRun, from_attributes=True))
    completed = FirstRunCompleted(login_name=done.login_name, recovery_codes=done.recovery_codes)
    if done.user is None:
        return completed
    try:
        progress = _progress(done.user, message, device_bound=done.device_bound)
        # A new browser, so that a handle known to others is never that of the administrator.
        handle = await sign_in_directly(deps, done.user, progress, new_browser(deps.random), message.device)
    except ServiceError as error:
        log.warning("first administrator not signed in", cause=error.private)
        return completed
    return msgspec.structs.replace(completed, org_id=done.user.org_id, set_cookie=deps.cookie.set(handle))


def _progress(user: User, message: CompleteFirstRun, *, device_bound: bool) -> Progress:
    if message.factor is Factor.PASSKEY:
        return with_passkey(user, device_bound=device_bound)
    return replace(with_new_password(user), amr=add_second_factor((PASSWORD,), ONE_TIME_CODE), second=True)
