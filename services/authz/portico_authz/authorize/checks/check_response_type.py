"""Checks response_type: supported and permitted to the client (RFC 6749 section 3.1.1, AZ-13)."""

from __future__ import annotations

from portico_contracts.diagnostics import Hint
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.response_types import find_response_type
from portico_runtime.diagnostics.shown import shown_words

from portico_authz import provider_metadata
from portico_authz.checked_request import ResponseRequest

TYPE_MISSING = ErrorCode(
    "AUTHZ-006", Kind.INVALID_REQUEST, "The parameter response_type is missing.", "Send response_type."
)
TYPE_NOT_SERVED = ErrorCode(
    "AUTHZ-007",
    Kind.UNSUPPORTED_RESPONSE_TYPE,
    "This response_type is not supported.",
    "Use one of response_types_supported of the discovery document.",
)
TYPE_NOT_ALLOWED = ErrorCode(
    "AUTHZ-008",
    Kind.UNAUTHORIZED_CLIENT,
    "The application may not use this response_type.",
    "Enable the response type and its grant (authorization_code, implicit) at the application.",
)


def check_response_type(ctx: ResponseRequest) -> None:
    text = ctx.parameters.get("response_type")
    if text is None:
        raise TYPE_MISSING.error(compared=compare_response_type(ctx))
    response_type = find_response_type(text)
    if response_type is None or response_type not in provider_metadata.RESPONSE_TYPES:
        raise TYPE_NOT_SERVED.error(response_type=text[:100], compared=compare_response_type(ctx))
    has_grant = provider_metadata.GRANT_OF_RESPONSE_TYPE[response_type] in ctx.client.grant_types
    if response_type not in ctx.client.response_types or not has_grant:
        raise TYPE_NOT_ALLOWED.error(client_id=ctx.client.client_id, compared=compare_response_type(ctx))
    ctx.response_type = response_type


def compare_response_type(ctx: ResponseRequest) -> Compared:
    """Diagnostics of the response_type."""
    text = ctx.parameters.get("response_type", "")
    given = shown_words(text, {"code", "id_token", "token", "none"})
    wanted = tuple(one for one in ctx.client.response_types if one in provider_metadata.RESPONSE_TYPES)
    return Compared("response_type", given, wanted, "" if text else Hint.MISSING)
