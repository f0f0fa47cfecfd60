"""Replaces the parameters by those of a pushed request, and requires one where the application does (RFC 9126).

All other parameters are ignored, as in a request object by reference (RFC 9101 section 6.3). Nothing is known
about an invalid request_uri, so the error has no return address.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final

from portico_contracts.diagnostics import Hint
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.opaque import fingerprint
from portico_oauth.parameters import REPEATED

from portico_authz.checked_request import ClientRequest, Pushed, SentRequest, UserAgent

REQUEST_URI: Final = "urn:ietf:params:oauth:request_uri:"
"""Prefix of the URIs of pushed requests; any other request_uri is a request object by reference."""

PUSHED_SECONDS: Final = 60

PUSHED_NOT_FOUND = ErrorCode(
    "AUTHZ-261",
    Kind.INVALID_REQUEST_URI,
    "This sign-in link has expired or was already used. Go back to the application and start again.",
    "Push a new request for each sign-in, use its request_uri within 60 seconds, and send the same client_id.",
)
NOT_PUSHED = ErrorCode(
    "AUTHZ-262",
    Kind.INVALID_REQUEST,
    "This application must push its authorization requests.",
    "Push the parameters (RFC 9126), or turn off requirePushedAuthorizationRequests of the application.",
)


def check_pushed_request(ctx: SentRequest) -> Awaitable[None] | None:
    uri = ctx.parameters.get("request_uri")
    if uri is None or not uri.startswith(REQUEST_URI):
        return None
    return _restore(ctx, uri.removeprefix(REQUEST_URI))


async def _restore(ctx: SentRequest, id: str) -> None:
    if "request_uri" in ctx.parameters.repeated:
        raise REPEATED.error(compared=_compare("pushed_request", Hint.REPEATED))
    found = await ctx.sources.pushed_requests.find(id)
    if found is None:
        raise PUSHED_NOT_FOUND.error(compared=_compare("pushed_request", Hint.EXPIRED))
    stored, claimant = found
    if stored["client_id"] != ctx.parameters.get("client_id"):
        raise PUSHED_NOT_FOUND.error(compared=_compare("pushed_request", Hint.OTHER_CLIENT))
    if claimant and not claimant.startswith(claimant_of(ctx.user_agent)):
        raise PUSHED_NOT_FOUND.error(compared=_compare("pushed_request", Hint.USED_BEFORE))
    ctx.parameters = ctx.parameters.replaced_by(stored)
    ctx.pushed = Pushed(id, claimant)


def claimant_of(user_agent: UserAgent, answer: str = "") -> str:
    """Who claims a response without a sign-in: the browser, with `reference_of` the code that is the response."""
    return f"{fingerprint(user_agent.handle)} {answer}"


def check_push_required(ctx: ClientRequest) -> None:
    if ctx.client.require_pushed_authorization_requests and not ctx.pushed:
        raise NOT_PUSHED.error(compared=_compare("push_required", Hint.MISSING))


def compare_pushed_request(_ctx: SentRequest) -> Compared:
    """Diagnostics of a pushed request, whose request_uri is secret."""
    return _compare("pushed_request")


def compare_push_required(_ctx: SentRequest) -> Compared:
    """Diagnostics of the requirement."""
    return _compare("push_required")


def _compare(check: str, hint: str = "") -> Compared:
    return Compared(check, "", ("a request_uri of this client, for 60 seconds",), hint)
