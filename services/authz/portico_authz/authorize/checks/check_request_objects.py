"""Rejects request and request_uri with their own errors (OIDC Core section 6, section 3.1.2.6)."""

from __future__ import annotations

from portico_oauth.errors import Compared, ErrorCode, Kind

from portico_authz.checked_request import SentRequest

REQUEST_OBJECT = ErrorCode(
    "AUTHZ-010", Kind.REQUEST_NOT_SUPPORTED, "The parameter request is not supported.", "Send plain parameters."
)
REQUEST_URI = ErrorCode(
    "AUTHZ-011", Kind.REQUEST_URI_NOT_SUPPORTED, "The parameter request_uri is not supported.", "Send plain parameters."
)


def check_request_objects(ctx: SentRequest) -> None:
    """Rejects both: parameters inside a request object could contradict those outside."""
    if "request" in ctx.parameters:
        raise REQUEST_OBJECT.error(compared=compare_request_objects(ctx))
    if "request_uri" in ctx.parameters:
        raise REQUEST_URI.error(compared=compare_request_objects(ctx))


def compare_request_objects(ctx: SentRequest) -> Compared:
    """Diagnostics of request and request_uri."""
    given = " ".join(name for name in ("request", "request_uri") if name in ctx.parameters)
    return Compared("request_objects", given, ("neither",))
