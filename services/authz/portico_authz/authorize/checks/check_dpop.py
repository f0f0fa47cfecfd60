"""Checks dpop_jkt, the key that the code is for, and that no unbound token is returned (RFC 9449 sections 5.2 and 10)."""

from __future__ import annotations

from portico_contracts.diagnostics import Hint
from portico_contracts.users import Dpop
from portico_oauth.dpop import is_thumbprint
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.response_types import ResponseType
from portico_runtime.diagnostics.shown import shown_length

from portico_authz.checked_request import CheckedRequest

UNBOUND_RESPONSE = ErrorCode(
    "AUTHZ-274",
    Kind.UNAUTHORIZED_CLIENT,
    "This application must use the response_type code, because its tokens must be bound to a key.",
    "Send response_type=code, or set dpop to allowed in the settings of the application.",
)
INVALID_THUMBPRINT = ErrorCode(
    "AUTHZ-275",
    Kind.INVALID_REQUEST,
    "The dpop_jkt must be 43 base64url characters.",
    "Send the RFC 7638 thumbprint of the key with SHA-256, or omit the parameter.",
)


def check_dpop(ctx: CheckedRequest) -> None:
    if ctx.client.dpop is Dpop.OFF:
        return
    if ctx.client.dpop is Dpop.REQUIRED and ctx.response_type is not ResponseType.CODE:
        raise UNBOUND_RESPONSE.error(client_id=ctx.client.client_id, compared=compare_dpop(ctx))
    ctx.dpop_jkt = ctx.parameters.get("dpop_jkt", "")
    if ctx.dpop_jkt and not is_thumbprint(ctx.dpop_jkt):
        raise INVALID_THUMBPRINT.error(compared=compare_dpop(ctx))


def compare_dpop(ctx: CheckedRequest) -> Compared:
    """Diagnostics of the response_type and the thumbprint."""
    if ctx.client.dpop is Dpop.REQUIRED and ctx.response_type is not ResponseType.CODE:
        return Compared("dpop", ctx.response_type.value, (ResponseType.CODE.value,))
    jkt = ctx.parameters.get("dpop_jkt", "")
    return Compared("dpop", shown_length(jkt) if jkt else "", ("43 characters, or none",), Hint.MALFORMED)
