"""Pushed authorization requests (RFC 9126): checks as at the authorization endpoint, before the browser is involved.

The stored parameters are checked again when the browser brings the request_uri, since the application may have
changed. Loading the page twice works; the first response claims the request, and only its browser or sign-in can
repeat it.
"""

from __future__ import annotations

from portico_contracts.authz import PushRequest, RequestPushed
from portico_contracts.diagnostics import DiagnosedEndpoint, Hint
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.opaque import new_opaque
from portico_oauth.parameters import Parameters

from portico_authz.authorize import KNOWN_PARAMETERS, Endpoint, readable, run_checks
from portico_authz.authorize.checks.check_pushed_request import (
    PUSHED_NOT_FOUND,
    PUSHED_SECONDS,
    REQUEST_URI,
    claimant_of,
)
from portico_authz.authorize.checks.check_sizes import stored_parameters
from portico_authz.authorize.diagnostics import record_error
from portico_authz.checked_request import CheckedRequest, Pushed, SentRequest
from portico_authz.dependencies import Dependencies
from portico_authz.domain.code import reference_of

PUSH_NOT_ALLOWED = ErrorCode(
    "AUTHZ-260",
    Kind.UNAUTHORIZED_CLIENT,
    "Pushed authorization requests are turned off.",
    "Set PORTICO_PUSHED_AUTHORIZATION_REQUESTS, or requirePushedAuthorizationRequests of the application.",
)
NESTED_REQUEST_URI = ErrorCode(
    "AUTHZ-263", Kind.INVALID_REQUEST, "The parameter request_uri cannot be pushed.", "Push plain parameters."
)


async def push_request(deps: Dependencies, message: PushRequest) -> RequestPushed:
    id = new_opaque(deps.random(1).hex(), deps.random)
    ctx = CheckedRequest(deps.sources, readable(_sent(message)), pushed=Pushed(id))
    try:
        await _check(deps, ctx)
    except ServiceError as error:
        record_error(deps, ctx, error, DiagnosedEndpoint.PUSHED_AUTHORIZATION)
        raise
    stored = stored_parameters(ctx.parameters, KNOWN_PARAMETERS)
    await deps.stores.pushed_requests.save(id, stored, PUSHED_SECONDS, message.client_address)
    return RequestPushed(request_uri=REQUEST_URI + id, expires_in=PUSHED_SECONDS)


async def claim_pushed(deps: Dependencies, ctx: SentRequest, claimant: str) -> None:
    """Raises AUTHZ-261, without a redirect, if another response was given: the application gets one."""
    if not ctx.pushed:
        return
    # Sign-ins that began with it before can stay open that long.
    seconds = max(deps.lifetimes.auth_request, PUSHED_SECONDS)
    if not await deps.stores.pushed_requests.claim(ctx.pushed.id, claimant, seconds, ctx.pushed.claimant):
        raise _used_before(ctx)


async def claim_for_code(deps: Dependencies, ctx: SentRequest, pushed: Pushed, code: str) -> None:
    """Claims a pushed request like `claim_pushed`, for a code; the browser's code before it is withdrawn.

    The order matters: of two calls that withdraw the same code, one claims the request.
    """
    earlier = pushed.claimant.removeprefix(claimant_of(ctx.user_agent))
    if earlier and not await deps.stores.codes.withdraw(earlier, deps.lifetimes.code):
        raise _used_before(ctx)
    await claim_pushed(deps, ctx, claimant_of(ctx.user_agent, reference_of(code)))


def require_unanswered(ctx: SentRequest) -> None:
    """Raises AUTHZ-261 where a response was given: no sign-in begins that could not be answered."""
    if ctx.pushed and ctx.pushed.claimant:
        raise _used_before(ctx)


def _used_before(ctx: SentRequest) -> ServiceError:
    ctx.address = None
    return PUSHED_NOT_FOUND.error(compared=Compared("pushed_request", hint=Hint.USED_BEFORE))


def _sent(message: PushRequest) -> Parameters:
    """The client_id is the one that was authenticated."""
    parameters = {**message.parameters, "client_id": message.client_id}
    return Parameters([*parameters.items(), *((name, "") for name in message.repeated)])


async def _check(deps: Dependencies, sent: SentRequest) -> None:
    if "request_uri" in sent.parameters:
        raise NESTED_REQUEST_URI.error(compared=Compared("request_objects", "request_uri", ("neither",)))
    ctx = await run_checks(sent, Endpoint.AUTHORIZE)
    if not (deps.pushed_requests or ctx.client.require_pushed_authorization_requests):
        raise PUSH_NOT_ALLOWED.error(client_id=ctx.client.client_id, compared=Compared("push_allowed"))
