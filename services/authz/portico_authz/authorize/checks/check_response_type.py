"""response_type is one that is served and that the client may use (RFC 6749 §3.1.1, AZ-13)."""

from __future__ import annotations

from portico_oauth.errors import Fact, Kind
from portico_oauth.grant_types import AUTHORIZATION_CODE
from portico_oauth.response_types import ResponseType, find_response_type

from portico_authz import offered
from portico_authz.context import Context

TYPE_MISSING = Fact("AUTHZ-006", Kind.MALFORMED, "The parameter response_type is missing.", "Send response_type.")
TYPE_NOT_SERVED = Fact(
    "AUTHZ-007",
    Kind.RESPONSE_TYPE_UNKNOWN,
    "This response_type is not supported.",
    "Use one of response_types_supported of the discovery document.",
)
TYPE_NOT_ALLOWED = Fact(
    "AUTHZ-008",
    Kind.CLIENT_NOT_ALLOWED,
    "The application may not use this response_type.",
    "Enable the response type, and for code the authorization_code grant, at the application.",
)


def check_response_type(ctx: Context) -> None:
    """Finds the response type; its words are a set."""
    text = ctx.parameters.get("response_type")
    if text is None:
        raise TYPE_MISSING.refusal()
    response_type = find_response_type(text)
    if response_type not in offered.RESPONSE_TYPES:
        raise TYPE_NOT_SERVED.refusal(response_type=text[:100])
    needs_grant = response_type is ResponseType.CODE and AUTHORIZATION_CODE not in ctx.client.grant_types
    if response_type not in ctx.client.response_types or needs_grant:
        raise TYPE_NOT_ALLOWED.refusal(client_id=ctx.client.client_id)
    ctx.response_type = response_type
