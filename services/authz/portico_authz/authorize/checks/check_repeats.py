"""A known parameter occurs once, in query and body together (RFC 6749 §3.1, AZ-04)."""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import REPEATED

from portico_authz.context import Context

IDENTITY_REPEATED = ErrorCode(
    "AUTHZ-001",
    Kind.INVALID_REQUEST,
    "The parameter client_id or redirect_uri is repeated.",
    "Send client_id and redirect_uri once.",
)


def check_identity_repeats(ctx: Context) -> None:
    """Client and return address must be unambiguous before a response may be redirected."""
    if ctx.parameters.repeated & {"client_id", "redirect_uri"}:
        raise IDENTITY_REPEATED.error()


def check_repeats(ctx: Context) -> None:
    """Rejects every other repeated parameter; this error may be redirected."""
    if ctx.parameters.repeated:
        raise REPEATED.error(names=sorted(ctx.parameters.repeated))
