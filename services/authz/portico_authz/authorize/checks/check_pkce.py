"""Checks code_challenge with method S256; required from public clients (RFC 7636 section 4.3, TK-06) and by FAPI 2.0."""

from __future__ import annotations

from portico_contracts.diagnostics import Hint
from portico_contracts.users import AuthMethod
from portico_oauth import pkce
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.response_types import ResponseType
from portico_runtime.diagnostics.shown import shown_length, shown_words

from portico_authz.checked_request import CheckedRequest

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


def check_pkce(ctx: CheckedRequest) -> None:
    ctx.code_challenge = challenge = ctx.parameters.get("code_challenge", "")
    method = ctx.parameters.get("code_challenge_method")
    needs_pkce = ctx.client.auth_method is AuthMethod.NONE or ctx.client.fapi2
    required = needs_pkce and ctx.response_type is ResponseType.CODE
    if not challenge and (required or method is not None):
        raise CHALLENGE_MISSING.error(compared=compare_pkce(ctx))
    if challenge and method not in pkce.METHODS:
        raise METHOD_WRONG.error(method=(method or "")[:20], compared=compare_pkce(ctx))
    if challenge and not pkce.is_challenge(challenge):
        raise CHALLENGE_MALFORMED.error(compared=compare_pkce(ctx))


def compare_pkce(ctx: CheckedRequest) -> Compared:
    """Diagnostics of the code_challenge and its method."""
    challenge, method = ctx.parameters.get("code_challenge", ""), ctx.parameters.get("code_challenge_method", "")
    shown = shown_words(method, {*pkce.METHODS, "plain"})
    if not challenge:
        return Compared("pkce", shown, ("code_challenge", "code_challenge_method=S256"), Hint.MISSING)
    hint = Hint.MALFORMED if method in pkce.METHODS else ""
    return Compared("pkce", f"{shown} {shown_length(challenge)}".strip(), ("S256 (43 characters)",), hint)
