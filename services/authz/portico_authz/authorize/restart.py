"""Restarts a request that is opened in another browser than it started in, while nothing was proven for it.

Browsers that open several sign-ins at once keep the cookie of one of them. The copy has only the parameters
of the request, as if the application had redirected this browser, which any link can do. The original request
remains.
"""

from __future__ import annotations

from portico_contracts.http import AUTHORIZE_RESUME, DEVICE_PAGE
from portico_contracts.login_steps import AnyStep
from portico_contracts.login_steps.done import DoneStep
from portico_oauth.errors import ServiceError
from starlette.responses import Response

from portico_authz.authorize import run_checks_again
from portico_authz.authorize.open_request import NO_COOKIE, OTHER_BROWSER, REQUEST_NOT_FOUND
from portico_authz.authorize.pipeline import begin_again, with_errors
from portico_authz.authorize.posted import see_other
from portico_authz.checked_request import SentRequest
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser


async def restart(deps: Dependencies, ctx: SentRequest, request: AuthRequest, browser: Browser | None) -> Response:
    """Raises AUTHZ-034 where the cookie that the restart has set did not come back.

    The request of a device is not copied: a link would take its user past the page where that user
    enters the code of the device at hand (RFC 8628 section 5.4).
    """
    if request.is_proven:
        raise OTHER_BROWSER.error() if browser else REQUEST_NOT_FOUND.error(part="browser")
    if request.waiting:
        return see_other(DEVICE_PAGE)
    if request.is_restart and browser is None:
        raise REQUEST_NOT_FOUND.error(part="browser") if ctx.user_agent.handle else NO_COOKIE.error()
    return await with_errors(deps, ctx, _begin(deps, ctx, browser))


async def or_restart(deps: Dependencies, id: str, error: ServiceError) -> AnyStep:
    """Returns the step that navigates to the restart, or raises the error where none is allowed."""
    if error.id != OTHER_BROWSER.id and error.private.get("part") != "browser":
        raise error
    request = await deps.stores.requests.find(id)
    if request is None or request.is_proven:
        raise error
    return DoneStep(continue_to=f"{AUTHORIZE_RESUME}?request={id}")


async def _begin(deps: Dependencies, ctx: SentRequest, browser: Browser | None) -> Response:
    return await begin_again(deps, await run_checks_again(ctx), browser)
