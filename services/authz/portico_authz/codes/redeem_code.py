"""Redeems a code (RFC 6749 section 4.1.3, RFC 7636 section 4.6, RFC 9449 section 10); a wrong client, verifier or key leaves it valid."""

from __future__ import annotations

from typing import Final

from portico_contracts.authz import CodeGrant, CodeRedeemed, RedeemCode
from portico_oauth import pkce
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.codes.missing_access import find_missing_access
from portico_authz.dependencies import Dependencies
from portico_authz.domain.code import ClaimOutcome, PresentedCode

CODE_INVALID = ErrorCode(
    "AUTHZ-040",
    Kind.INVALID_GRANT,
    "The code is unknown, expired, or belongs to another client or redirect_uri.",
    "Start a new authorization request.",
)
VERIFIER_MISSING = ErrorCode(
    "AUTHZ-041",
    Kind.INVALID_REQUEST,
    "The parameter code_verifier is missing.",
    "Send the code_verifier that belongs to the code_challenge.",
)
UNEXPECTED_VERIFIER = ErrorCode(
    "AUTHZ-042",
    Kind.INVALID_REQUEST,
    "The authorization request had no code_challenge, so the code_verifier cannot be checked.",
    "Send code_challenge in the authorization request, or omit code_verifier.",
)
VERIFIER_WRONG = ErrorCode(
    "AUTHZ-043",
    Kind.INVALID_GRANT,
    "The code_verifier does not match the code_challenge.",
    "Send the code_verifier generated for this authorization request.",
)
ACCESS_LOST = ErrorCode(
    "AUTHZ-044",
    Kind.INVALID_GRANT,
    "The user may no longer use this application.",
    "Grant the user a role in the project, or grant the project to the user's organization.",
)

OTHER_KEY = ErrorCode(
    "AUTHZ-045",
    Kind.INVALID_GRANT,
    "The code is for another key: the DPoP proof is missing, or signed with another key than dpop_jkt named.",
    "Send a DPoP proof signed with the key of the authorization request.",
)

_ERRORS: Final = {
    ClaimOutcome.UNKNOWN: CODE_INVALID,
    ClaimOutcome.OTHER_CLIENT: CODE_INVALID,
    ClaimOutcome.EXPIRED: CODE_INVALID,
    ClaimOutcome.VERIFIER_MISSING: VERIFIER_MISSING,
    ClaimOutcome.UNEXPECTED_VERIFIER: UNEXPECTED_VERIFIER,
    ClaimOutcome.VERIFIER_WRONG: VERIFIER_WRONG,
    ClaimOutcome.OTHER_KEY: OTHER_KEY,
}
_NO_CHALLENGE: Final = "malformed"
"""Replaces the challenge of a malformed verifier: no challenge has this length, so it does not match (TK-06)."""


async def redeem_code(deps: Dependencies, query: RedeemCode) -> CodeRedeemed:
    """Returns the grant, once, or the id of the grant of a redeemed code. Raises AUTHZ-040..045."""
    claim = await deps.stores.codes.claim(query.code, _presented(query), deps.clock.now())
    if claim.outcome in _ERRORS:
        raise _ERRORS[claim.outcome].error(outcome=claim.outcome.value, client_id=query.client_id)
    if claim.grant:
        await _require_access(deps, claim.grant, claim.version)
    return CodeRedeemed(grant=claim.grant, spent_grant_id=claim.grant_id, version=claim.version)


async def _require_access(deps: Dependencies, grant: CodeGrant, version: str | None) -> None:
    """Repeats the checks of the project; what the sign-in asked users is still cached unless something has changed."""
    client = await deps.users_client.find_client_of(grant)
    missing = await find_missing_access(deps, client, grant.user_id, version) if client else None
    if missing:
        raise ACCESS_LOST.error(cause=missing.id, user=grant.user_id, client_id=grant.client_id)


def _presented(query: RedeemCode) -> PresentedCode:
    verifier = query.code_verifier
    challenge = pkce.challenge_of(verifier) if pkce.is_verifier(verifier) else _NO_CHALLENGE
    return PresentedCode(query.client_id, query.redirect_uri, bool(verifier), challenge, query.jkt)
