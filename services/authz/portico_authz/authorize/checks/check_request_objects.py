"""request and request_uri are refused by name, never ignored (OIDC Core §6, §3.1.2.6)."""

from __future__ import annotations

from portico_oauth.errors import Fact, Kind

from portico_authz.context import Context

REQUEST_OBJECT = Fact(
    "AUTHZ-010", Kind.REQUEST_OBJECT, "The parameter request is not supported.", "Send plain parameters."
)
REQUEST_URI = Fact(
    "AUTHZ-011", Kind.REQUEST_URI, "The parameter request_uri is not supported.", "Send plain parameters."
)


def check_request_objects(ctx: Context) -> None:
    """Parameters inside them could say something else than the ones beside them."""
    if "request" in ctx.parameters:
        raise REQUEST_OBJECT.refusal()
    if "request_uri" in ctx.parameters:
        raise REQUEST_URI.refusal()
