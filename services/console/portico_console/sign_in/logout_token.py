"""Validates logout tokens (OpenID Connect Back-Channel Logout 1.0 sections 2.4 and 2.6)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from portico_oauth.errors import INVALID_INPUT
from portico_oauth.jose import MalformedToken, VerificationKey, unverified_header

LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
_TYPE: Final = "logout+jwt"
_LEEWAY: Final = 60
"""Tolerated clock skew in seconds."""


class EndedSession(NamedTuple):
    sub: str
    sid: str


def read_logout_token(token: str, key: VerificationKey, *, issuer: str, client_id: str, now: float) -> EndedSession:
    """``jti`` is not stored (Back-Channel Logout section 2.6 step 7 is optional): replays change nothing."""
    try:
        claims = key.verify(token)
    except MalformedToken:
        raise INVALID_INPUT.error(reason="signature") from None
    if reason := _fault(unverified_header(token), claims, issuer, client_id, now):
        raise INVALID_INPUT.error(reason=reason)
    return EndedSession(claims["sub"], claims["sid"])


def _fault(header: dict[str, Any], claims: dict[str, Any], issuer: str, client_id: str, now: float) -> str:
    audience, events = claims.get("aud"), claims.get("events")
    issued, expires = claims.get("iat"), claims.get("exp")
    is_event = isinstance(events, dict) and isinstance(events.get(LOGOUT_EVENT), dict)
    rules = {
        "typ": header.get("typ") == _TYPE,
        "iss": claims.get("iss") == issuer,
        "aud": client_id in (audience if isinstance(audience, list) else [audience]),
        "iat": isinstance(issued, int | float) and issued - _LEEWAY <= now,
        "exp": isinstance(expires, int | float) and now < expires + _LEEWAY,
        "events": is_event,
        "nonce": "nonce" not in claims,  # an ID token is not one (§2.4)
        # Either may be omitted; Portico always sends both.
        "sub": isinstance(claims.get("sub"), str) and bool(claims["sub"]),
        "sid": isinstance(claims.get("sid"), str) and bool(claims["sid"]),
    }
    return next((name for name, holds in rules.items() if not holds), "")
