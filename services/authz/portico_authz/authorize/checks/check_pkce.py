"""code_challenge with method S256; required from clients that do not authenticate (RFC 7636 §4.3, TK-06)."""

from __future__ import annotations

from portico_contracts.users import AuthMethod
from portico_oauth import pkce
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.response_types import ResponseType

from portico_authz.context import Context

CHALLENGE_MISSING = ErrorCode(
    "AUTHZ-016",
    Kind.INVALID_REQUEST,
    "This application must send a code_challenge.",
    "Use PKCE: send code_challenge and code_challenge_method=S256.",
)
METHOD_WRONG = ErrorCode(
    "AUTHZ-017",
    Kind.INVALID_REQUEST,
    "The code_challenge_method must be S256.",
    "Send code_challenge_method=S256; without it the method would be plain.",
)
CHALLENGE_MALFORMED = ErrorCode(
    "AUTHZ-018",
    Kind.INVALID_REQUEST,
    "The code_challenge must be 43 base64url characters.",
    "Send the base64url SHA-256 of the code_verifier without padding.",
)


def check_pkce(ctx: Context) -> None:
    """Sets the challenge, empty without one."""
    ctx.code_challenge = challenge = ctx.parameters.get("code_challenge", "")
    method = ctx.parameters.get("code_challenge_method")
    required = ctx.client.auth_method is AuthMethod.NONE and ctx.response_type is ResponseType.CODE
    if not challenge and (required or method is not None):
        raise CHALLENGE_MISSING.error()
    if challenge and method not in pkce.METHODS:
        raise METHOD_WRONG.error(method=(method or "")[:20])
    if challenge and not pkce.is_challenge(challenge):
        raise CHALLENGE_MALFORMED.error()
