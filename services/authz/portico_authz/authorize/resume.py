"""``/oauth/v2/authorize/resume``: after the login pages the relying party gets its answer, once.

A code may get lost on its way. As long as nobody used it, the browser can have another in its place for a moment; the
first one is worth nothing from then on. Tokens and errors cannot be taken back, so they are given once.
"""

from __future__ import annotations

from portico_oauth.errors import Kind, ServiceError
from portico_oauth.response_types import ResponseType
from portico_web.surfaces import redirect
from starlette.responses import Response

from portico_authz.authorize.admission import require_admission
from portico_authz.authorize.decide import Interact, Issue, Refuse, StepUp
from portico_authz.authorize.open_request import context_of, decide_again, open_request
from portico_authz.authorize.pipeline import answer_with, answered, gone, issue, to_login
from portico_authz.codes.issue_code import new_code
from portico_authz.context import Context
from portico_authz.desk import Desk
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser
from portico_authz.domain.code import reference_of
from portico_authz.domain.session import Session
from portico_authz.domain.submission import REPEAT_SECONDS


async def resume(desk: Desk, request_id: str, handle: str, languages: tuple[str, ...] = ()) -> Response:
    """Answers a kept request, or sends the browser back to the login pages while something is open.

    Raises:
        ServiceError: AUTHZ-030, AUTHZ-031, which become a page; the back button ends there.
    """
    request, browser = await open_request(desk, request_id, handle)
    ctx = context_of(desk, request, languages)
    return await answered(ctx, _resume(desk, ctx, request, browser))


async def _resume(desk: Desk, ctx: Context, request: AuthRequest, browser: Browser) -> Response:
    decision = (await decide_again(desk, ctx, request, browser)).decision
    if isinstance(decision, Issue):  # before the request is used up: who is let in later can come again
        await require_admission(desk, ctx, decision.session)
    match decision:
        case Interact() | StepUp():
            return to_login(request.id)
        case Issue(session) if ctx.response_type is ResponseType.CODE:
            return await _answer_with_code(desk, ctx, request, session)
        case Issue(session):
            await _consume(desk, ctx, request)
            return await _answer_with_tokens(desk, ctx, session)
        case Refuse(error):
            await _consume(desk, ctx, request)
            raise error.error()


async def _answer_with_code(desk: Desk, ctx: Context, request: AuthRequest, session: Session) -> Response:
    """One code in force for one request: the earlier one is taken back before the next becomes the answer."""
    code = new_code(desk, session)
    if request.answer and not await desk.stores.codes.withdraw(request.answer, desk.lifetimes.code):
        raise gone(ctx)
    if not await desk.stores.requests.answer(
        request.id, reference_of(code), instead_of=request.answer, seconds=REPEAT_SECONDS
    ):
        raise gone(ctx)
    return await answer_with(desk, ctx, session, code)


async def _answer_with_tokens(desk: Desk, ctx: Context, session: Session) -> Response:
    """The answer to a request that is consumed: a page to load again would find it gone, so errors are redirected."""
    try:
        return await issue(desk, ctx, session)
    except ServiceError as error:
        if error.kind is not Kind.UNAVAILABLE:
            raise
        return redirect(error, ctx.proven)


async def _consume(desk: Desk, ctx: Context, request: AuthRequest) -> None:
    """Claims the request before anything is minted: one request, one answer."""
    if not await desk.stores.requests.consume(request.id):
        raise gone(ctx)
