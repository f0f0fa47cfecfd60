"""The algorithms that a client may request for its tokens."""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.jose import ALGORITHMS

ALG_UNKNOWN = ErrorCode(
    "USER-024", Kind.INVALID_REQUEST, "Unsupported signing algorithm.", "Use RS256, ES256 or EdDSA."
)


def is_offered(alg: str) -> bool:
    """Portico can sign with it."""
    return alg in ALGORITHMS
