"""Approves or denies a device after the pages, and sends the browser to the page that names the result."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.http import DEVICE_PAGE
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import bucket_of, new_opaque
from starlette.responses import Response

from portico_authz.authorize.decide import LOGIN_REQUIRED
from portico_authz.authorize.posted import see_other
from portico_authz.checked_request import CheckedRequest
from portico_authz.codes.issue import grant_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.device import DeviceRequest
from portico_authz.domain.progress import Consented
from portico_authz.domain.session import Session
from portico_authz.event_publisher import SignInOrigin

NOT_WAITING = ErrorCode(
    "AUTHZ-267",
    Kind.FAILED_PRECONDITION,
    "This code has expired or was already used. Start again on the device.",
    "Let the device request a new code.",
)


async def approve(
    deps: Dependencies, ctx: CheckedRequest, device: DeviceRequest, request: AuthRequest, session: Session
) -> Response:
    """Raises AUTHZ-267 where the device no longer waits: one answer counts. This request may repeat its own."""
    now = deps.clock.now()
    used = replace(session, idle_until=now + deps.lifetimes.session_idle)
    # First, so that a session with a grant knows its application when it ends.
    if not await deps.stores.sessions.use(used, ctx.client.client_id, now):
        raise LOGIN_REQUIRED.error(cause="the session ended meanwhile")
    grant = grant_of(ctx, session, new_opaque(bucket_of(session.user_id), deps.random))
    if not await deps.stores.devices.answer(device, request.id, grant, now):
        raise NOT_WAITING.error()
    return await _done(deps, ctx, request, session.user_id, approved=True)


async def deny(deps: Dependencies, ctx: CheckedRequest, device: DeviceRequest, request: AuthRequest) -> Response:
    """Raises AUTHZ-267 where the device no longer waits: it may have been approved elsewhere."""
    if not await deps.stores.devices.answer(device, request.id, None, deps.clock.now()):
        raise NOT_WAITING.error()
    return await _done(deps, ctx, request, request.progress.user_id or _consented_by(request), approved=False)


async def _done(
    deps: Dependencies, ctx: CheckedRequest, request: AuthRequest, user_id: str, *, approved: bool
) -> Response:
    # Repeated answers are one event: that of the call which ends the request.
    if await deps.stores.requests.consume(request.id):
        origin = SignInOrigin(ctx.client.client_id, request.device, request.country)
        deps.publisher.device_answered(user_id, origin, approved=approved)
    await deps.stores.requests.forget(request)
    return see_other(f"{DEVICE_PAGE}?answer={'approved' if approved else 'denied'}")


def _consented_by(request: AuthRequest) -> str:
    under_way = request.progress.under_way
    return under_way.user_id if isinstance(under_way, Consented) else ""
