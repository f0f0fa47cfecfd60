"""``/oauth/v2/authorize/resume`` with a proof: the browser in which a request began takes the result of its sign-in.

Without that browser's cookie the proof is refused and deleted: an attacker can neither send a proof to another
browser (login CSRF) nor get the sign-in of a user who was sent to the login page (session fixation). If the response is
lost, the same browser may repeat it for some seconds, as on the login pages (LG-14).
"""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.http import AUTHORIZE_RESUME
from portico_contracts.step_names import StepName
from starlette.responses import Response

from portico_authz.authorize.open_request import OTHER_BROWSER, REQUEST_NOT_FOUND, find_browser_of, load_both
from portico_authz.authorize.pipeline import redirect_to_login
from portico_authz.authorize.posted import see_other
from portico_authz.checked_request import UserAgent
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser
from portico_authz.domain.login_session import LoginProof
from portico_authz.domain.submission import new_submission, with_response
from portico_authz.login.build_step import rotate_handle
from portico_authz.login.continue_login import continue_login
from portico_authz.login.open_login import new_csrf
from portico_authz.login.state import Login, Transition
from portico_authz.login_sessions.requirements import checked_context, load_user, require_admitted


async def resume_with_proof(deps: Dependencies, request_id: str, proof: str, user_agent: UserAgent) -> Response:
    """Raises AUTHZ-028, 030, 031, 217, 218, and the errors of the checks of the request."""
    request, browser = await load_both(deps, request_id, user_agent.handle)
    if browser is None or browser.id != request.browser_id:
        return await _repeat(deps, request, proof, user_agent.handle)
    found = await _find_proof(deps, request, proof)
    transition = await _continue(deps, request, browser, found, proof, user_agent)
    return await _leave(deps, transition)


async def _find_proof(deps: Dependencies, request: AuthRequest, proof: str) -> LoginProof:
    """Raises AUTHZ-030, also where the login client has ended the login session meanwhile."""
    found = await deps.stores.login_proofs.find(proof)
    if found is None or found.request_id != request.id:
        raise REQUEST_NOT_FOUND.error(part="proof")
    if found.after_reset:
        return found
    if found.progress.own_page is None:
        raise REQUEST_NOT_FOUND.error(part="proof")
    session = await deps.stores.login_sessions.find(found.progress.own_page.login_session)
    if session is None or not session.is_live(deps.clock.now(), deps.lifetimes):
        raise REQUEST_NOT_FOUND.error(part="login session")
    return found


async def _continue(
    deps: Dependencies, request: AuthRequest, browser: Browser, found: LoginProof, proof: str, user_agent: UserAgent
) -> Transition:
    ctx = await checked_context(deps, request, user_agent)
    user = await load_user(deps, found.progress.user_id, found.trust_epoch)
    require_admitted(ctx, user)
    if not await deps.stores.login_proofs.consume(proof):
        raise REQUEST_NOT_FOUND.error(part="proof")
    login = Login(request, browser, user_agent.handle, ctx, StepName.DONE)
    sent = new_submission(StepName.DONE, new_csrf(deps, browser), login.handle, deps.random, deps.clock.now())
    login = replace(login, submission=with_response(sent, proof))
    return await continue_login(deps, login, found.progress, user, user_agent.languages)


async def _leave(deps: Dependencies, transition: Transition) -> Response:
    """Continues on Portico's pages; the cookie of the response replaces the browser's."""
    login, rotation = transition.login, transition.rotation
    is_done = login.step is StepName.DONE
    response = _to_response(login.request) if is_done else redirect_to_login(login.request.id)
    if rotation is not None:
        await rotate_handle(deps, transition, rotation)
        response.headers.append("Set-Cookie", deps.cookie.set(rotation.new))
    return response


async def _repeat(deps: Dependencies, request: AuthRequest, proof: str, handle: str) -> Response:
    """Restores the new handle of the browser that has just used this proof. Raises AUTHZ-031."""
    sent = request.submission
    if sent is not None and sent.is_of(handle, deps.clock.now()) and sent.is_same(proof):
        rotated = sent.next_handle(handle)
        if await find_browser_of(deps, request, rotated) is not None:
            response = _to_response(request)
            response.headers.append("Set-Cookie", deps.cookie.set(rotated))
            return response
    if await deps.stores.login_proofs.find(proof) is not None:
        await deps.stores.login_proofs.consume(proof)
    raise OTHER_BROWSER.error()


def _to_response(request: AuthRequest) -> Response:
    return see_other(f"{AUTHORIZE_RESUME}?request={request.id}")
