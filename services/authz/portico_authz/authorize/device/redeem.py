"""Answers a poll of a device, and issues the grant once (RFC 8628 sections 3.4 and 3.5).

Between the approval and this request the user may have been locked, have lost the role, or have signed out, so
everything is checked again before the grant is claimed; a store that is away leaves it for the next poll.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.authz import CodeGrant, DeviceRedeemed, RedeemDevice
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_authz.authorize import Endpoint, run_checks
from portico_authz.authorize.device.admission import require_device_access
from portico_authz.authorize.device.begin import device_context
from portico_authz.dependencies import Dependencies
from portico_authz.domain.device import DeviceRequest, PollOutcome
from portico_authz.domain.session import Session

PENDING = ErrorCode(
    "AUTHZ-268",
    Kind.AUTHORIZATION_PENDING,
    "The user has not answered yet.",
    "Ask again after the interval.",
)
TOO_FAST = ErrorCode(
    "AUTHZ-269",
    Kind.POLLED_TOO_FAST,
    "The device asks more often than the interval allows.",
    "Wait 5 seconds longer than before between two requests.",
)
DENIED = ErrorCode("AUTHZ-270", Kind.DEVICE_DENIED, "The user has denied the request.", "Let the user start again.")
EXPIRED = ErrorCode(
    "AUTHZ-271",
    Kind.EXPIRED_TOKEN,
    "The device code has expired.",
    "Request a new device code.",
)
INVALID = ErrorCode(
    "AUTHZ-272",
    Kind.INVALID_GRANT,
    "The device code is unknown, already used, or belongs to another client.",
    "Request a new device code. It works once.",
)
NO_LONGER_ALLOWED = ErrorCode(
    "AUTHZ-273",
    Kind.DEVICE_DENIED,
    "The user may no longer use this application, or has signed out.",
    "Have the user sign in again.",
)

_ERRORS: Final = {
    PollOutcome.PENDING: PENDING,
    PollOutcome.TOO_FAST: TOO_FAST,
    PollOutcome.DENIED: DENIED,
    PollOutcome.EXPIRED: EXPIRED,
    PollOutcome.UNKNOWN: INVALID,
    PollOutcome.SPENT: INVALID,
}


async def redeem_device(deps: Dependencies, query: RedeemDevice) -> DeviceRedeemed:
    """Raises AUTHZ-268..273."""
    now = deps.clock.now()
    poll = await deps.stores.devices.poll(query.device_code, query.client_id, now)
    refused = await _check_again(deps, poll.grant, now) if poll.grant else None
    if poll.grant:
        poll = await deps.stores.devices.claim(query.device_code, query.client_id, now)
    if poll.outcome in _ERRORS:
        raise _ERRORS[poll.outcome].error(outcome=poll.outcome.value, client_id=query.client_id)
    if refused or poll.grant is None:
        raise NO_LONGER_ALLOWED.error(cause=refused)
    return DeviceRedeemed(poll.grant)


async def _check_again(deps: Dependencies, grant: CodeGrant, now: float) -> str | None:
    """Returns why the user may no longer have the grant; raises `unavailable`."""
    session = await deps.stores.sessions.find(grant.session_id)
    if session is None or not session.is_live(now):
        return "the session has ended"
    if await deps.users_client.find_user(session.user_id, session.version) is None:
        return "the user is not active"
    try:
        await _check_access(deps, grant, session)
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            raise
        return error.id
    return None


async def _check_access(deps: Dependencies, grant: CodeGrant, session: Session) -> None:
    resource = " ".join(grant.resources)
    device = DeviceRequest("", "", grant.client_id, " ".join(grant.scope), 0, 0, resource=resource)
    ctx = await run_checks(device_context(deps, device), Endpoint.DEVICE)
    await require_device_access(deps, ctx, session)
