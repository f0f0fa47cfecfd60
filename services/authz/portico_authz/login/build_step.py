"""Builds the login API's response from a transition, and rotates the browser's handle with it (LG-11)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace as with_fields
from portico_contracts.diagnostics import DiagnosedEndpoint
from portico_contracts.http import AUTHORIZE_RESUME
from portico_contracts.login_steps import AnyStep
from portico_contracts.login_steps.done import DoneStep
from portico_contracts.step_names import StepName
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.authorize.open_request import REQUEST_NOT_FOUND
from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import HandleRotation, RotationResult
from portico_authz.login.login_step import STEPS
from portico_authz.login.named_user import csrf_of_page
from portico_authz.login.open_login import owner_of
from portico_authz.login.state import Transition
from portico_authz.page_branding import branding_of_login
from portico_authz.session.trusted_devices import remember_handle

HANDLE_CHANGED = ErrorCode(
    "AUTHZ-028",
    Kind.FAILED_PRECONDITION,
    "Another sign-in of this browser was completed at the same time.",
    "Open the page again.",
)

_STORED: Final = (RotationResult.ROTATED, RotationResult.ANSWERED)


async def build_step(deps: Dependencies, transition: Transition) -> AnyStep:
    """Rotates the handle last: until then everything can be repeated with the old handle."""
    login, rotation = transition.login, transition.rotation
    step = await (_done if login.step is StepName.DONE else _page_of)(deps, transition)
    if rotation and await rotate_handle(deps, transition, rotation) is RotationResult.ANSWERED:
        deps.traces.issued(login.ctx.client, DiagnosedEndpoint.AUTHORIZATION)
        address = login.ctx.verified_address
        code = address.with_query({"code": transition.code})
        step = with_fields(step, continue_to=code, return_uri=address.redirect_uri)
    handle = rotation.new if rotation else transition.handle
    return with_fields(step, set_cookie=deps.cookie.set(handle)) if handle else step


async def rotate_handle(deps: Dependencies, transition: Transition, rotation: HandleRotation) -> RotationResult:
    """Publishes the sign-in that is complete with it. Raises AUTHZ-028, AUTHZ-030."""
    result = await _rotate(deps, rotation, transition.user_id)
    if rotation.signed_in and result in _STORED:
        if transition.starts_session:
            deps.publisher.session_started(rotation.signed_in, transition.user_id)
        origin = transition.login.origin
        deps.publisher.login_succeeded(transition.user_id, origin, transition.methods, trusted=transition.trusted)
    return result


async def _done(deps: Dependencies, transition: Transition) -> DoneStep:
    login, leave_to = transition.login, transition.leave_to
    resume = "" if leave_to else f"{AUTHORIZE_RESUME}?request={login.request.id}"
    look = await branding_of_login(deps, login.ctx, login.progress)
    return DoneStep(continue_to=resume, leave_to=leave_to, ui_locales=login.ctx.ui_locales, look=look)


async def _page_of(deps: Dependencies, transition: Transition) -> AnyStep:
    login = transition.login
    known = login.consenting.shown_name if login.consenting else login.progress.shown_name
    common = {
        "csrf": csrf_of_page(login),
        "client_name": login.ctx.client.name,
        "return_uri": login.ctx.address.redirect_uri if login.ctx.address else "",
        "login_name": transition.login_name or known or login.request.prefill,
        "problem": transition.problem,
        "retry_after": transition.retry_after,
        "confirms": login.request.confirms,
        "ui_locales": login.ctx.ui_locales,
        "detail": transition.detail,
        "look": await branding_of_login(deps, login.ctx, login.progress),
    }
    return await STEPS[login.step].show(deps, transition, common)


async def _rotate(deps: Dependencies, rotation: HandleRotation, user_id: str) -> RotationResult:
    """Raises unless it, or an identical submission of the same user, has rotated the handle."""
    browser = rotation.browser
    await remember_handle(deps, rotation.old, browser)
    seconds = browser.seconds_to_keep(deps.clock.now(), deps.lifetimes.session)
    result = await deps.stores.browsers.rotate_handle(rotation, seconds)
    if result is RotationResult.NOT_FOUND:
        raise REQUEST_NOT_FOUND.error(part="request")
    if result is RotationResult.ALREADY_ROTATED:
        request = await deps.stores.requests.find(rotation.request_id)
        if request is not None and await owner_of(deps, request) == user_id:
            return result
    if result not in _STORED:
        raise HANDLE_CHANGED.error()
    return result
