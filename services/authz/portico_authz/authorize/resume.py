"""``/oauth/v2/authorize/resume``: after the login pages the relying party gets its response, once.

A code may be lost in transit. Until it is redeemed, the browser can get another one for a few seconds, which
invalidates the first. Tokens and errors cannot be withdrawn, so they are returned once.
"""

from __future__ import annotations

from portico_oauth.response_types import ResponseType
from starlette.responses import Response

from portico_authz.authorize.decide import CANCELLED, AskConsent, Interact, Issue, Refuse, StepUp
from portico_authz.authorize.device.admission import require_device_access
from portico_authz.authorize.device.answer import approve, deny
from portico_authz.authorize.open_request import context_of, decide_stored, load_both
from portico_authz.authorize.pipeline import (
    answer_with,
    answer_with_tokens,
    redirect_to_login,
    redirect_to_sign_in,
    request_not_found,
    with_errors,
)
from portico_authz.authorize.project_access import require_project_access
from portico_authz.authorize.push import claim_pushed
from portico_authz.authorize.restart import restart
from portico_authz.checked_request import CheckedRequest, SentRequest, UserAgent
from portico_authz.codes.issue import new_code
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser
from portico_authz.domain.code import reference_of
from portico_authz.domain.session import Session
from portico_authz.domain.submission import RETRY_WINDOW_SECONDS


async def resume(deps: Dependencies, request_id: str, user_agent: UserAgent) -> Response:
    """Answers a stored request, or redirects the browser to the login pages while a step is open."""
    request, browser = await load_both(deps, request_id, user_agent.handle)
    ctx = context_of(deps, request, user_agent)
    if browser is None or browser.id != request.browser_id:
        return await restart(deps, ctx, request, browser)
    return await with_errors(deps, ctx, _resume(deps, ctx, request, browser))


async def _resume(deps: Dependencies, sent: SentRequest, request: AuthRequest, browser: Browser) -> Response:
    decision, decided, ctx = await decide_stored(deps, sent, request, browser)
    if isinstance(decision, Issue | AskConsent):  # before the request is consumed: access may be granted later
        require = require_device_access if ctx.device else require_project_access
        await require(deps, ctx, decision.session)
    if isinstance(decision, Issue):
        await claim_pushed(deps, ctx, request.id)
    match decision:
        case Interact():
            return redirect_to_sign_in(deps, ctx, decided)
        case StepUp() | AskConsent():
            return redirect_to_login(request.id)
        case Issue(session) if ctx.device:
            return await approve(deps, ctx, ctx.device, request, session)
        case Issue(session) if ctx.response_type is ResponseType.CODE:
            return await _answer_with_code(deps, ctx, request, session)
        case Issue(session):
            await _consume(deps, ctx, request)
            return await answer_with_tokens(deps, ctx, session)
        case Refuse(error) if ctx.device and error is CANCELLED:
            return await deny(deps, ctx, ctx.device, request)
        case Refuse(error):
            await _consume(deps, ctx, request)
            raise error.error()


async def _answer_with_code(
    deps: Dependencies, ctx: CheckedRequest, request: AuthRequest, session: Session
) -> Response:
    """One valid code per request: the earlier one is withdrawn before the next becomes the response."""
    code = new_code(deps, session)
    if request.answer and not await deps.stores.codes.withdraw(request.answer, deps.lifetimes.code):
        raise request_not_found(ctx)
    if not await deps.stores.requests.record_code(request, reference_of(code), RETRY_WINDOW_SECONDS):
        raise request_not_found(ctx)
    return await answer_with(deps, ctx, session, code)


async def _consume(deps: Dependencies, ctx: CheckedRequest, request: AuthRequest) -> None:
    if not await deps.stores.requests.consume(request.id):
        raise request_not_found(ctx)
    await deps.stores.requests.forget(request)
