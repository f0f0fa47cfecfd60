"""Redeems an authorization code for an authenticated client (RFC 6749 §4.1.3, RFC 7636 §4.6).

A wrong client, redirect_uri or verifier does not use the code up; the right ones do, once.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.authz import CodeRedeemed, RedeemCode
from portico_oauth import pkce
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.desk import Desk
from portico_authz.domain.code import Outcome, Presented

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
VERIFIER_UNASKED = ErrorCode(
    "AUTHZ-042",
    Kind.INVALID_REQUEST,
    "There was no code_challenge, so there can be no code_verifier.",
    "Send code_challenge in the authorization request, or leave code_verifier out.",
)
VERIFIER_WRONG = ErrorCode(
    "AUTHZ-043",
    Kind.INVALID_GRANT,
    "The code_verifier does not belong to the code_challenge.",
    "Send the code_verifier that was made for this authorization request.",
)

_REFUSALS: Final = {
    Outcome.UNKNOWN: CODE_INVALID,
    Outcome.FOREIGN: CODE_INVALID,
    Outcome.EXPIRED: CODE_INVALID,
    Outcome.VERIFIER_MISSING: VERIFIER_MISSING,
    Outcome.VERIFIER_UNASKED: VERIFIER_UNASKED,
    Outcome.VERIFIER_WRONG: VERIFIER_WRONG,
}
_NO_CHALLENGE: Final = "malformed"
"""What a malformed verifier gives: no challenge has this length, so it is a wrong verifier (TK-06)."""


async def redeem_code(desk: Desk, asked: RedeemCode) -> CodeRedeemed:
    """The grant for the one winner, or the id of the grant a spent code gave.

    Raises:
        ServiceError: AUTHZ-040..043.
    """
    claim = await desk.stores.codes.claim(asked.code, _presented(asked), desk.clock.now())
    if claim.outcome in _REFUSALS:
        raise _REFUSALS[claim.outcome].error(outcome=claim.outcome.value, client_id=asked.client_id)
    return CodeRedeemed(grant=claim.grant, spent_grant_id=claim.grant_id)


def _presented(asked: RedeemCode) -> Presented:
    verifier = asked.code_verifier
    challenge = pkce.challenge_of(verifier) if pkce.is_verifier(verifier) else _NO_CHALLENGE
    return Presented(asked.client_id, asked.redirect_uri, bool(verifier), challenge)
