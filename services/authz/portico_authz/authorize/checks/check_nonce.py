"""Checks nonce: required when the authorization endpoint returns an id_token (OIDC Core section 3.2.2.1, AZ-12)."""

from __future__ import annotations

from portico_contracts.diagnostics import Hint
from portico_oauth.errors import Compared, ErrorCode, Kind

from portico_authz.checked_request import CheckedRequest

NONCE_MISSING = ErrorCode(
    "AUTHZ-015", Kind.INVALID_REQUEST, "This response_type needs the parameter nonce.", "Send a random nonce."
)


def check_nonce(ctx: CheckedRequest) -> None:
    ctx.nonce = ctx.parameters.get("nonce", "")
    if ctx.response_type.has_id_token and not ctx.nonce:
        raise NONCE_MISSING.error(compared=compare_nonce(ctx))


def compare_nonce(_ctx: CheckedRequest) -> Compared:
    """Diagnostics of the nonce."""
    return Compared("nonce", hint=Hint.MISSING)
