"""Validates the ID token of a code flow (OIDC Core section 3.1.3.7)."""

from __future__ import annotations

from typing import Any, Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.jose import MalformedToken, VerificationKey

from portico_console.sessions.session import SignedIn

_LEEWAY: Final = 60
"""Tolerated clock skew in seconds: with more, one of the two services refuses to work."""

WRONG_ID_TOKEN = ErrorCode(
    "CONS-102",
    Kind.SERVER_ERROR,
    "The sign-in could not be completed.",
    "Configure the same issuer for console, token and authz. The log of console has the reason.",
)


def read_id_token(token: str, key: VerificationKey, *, issuer: str, client_id: str, nonce: str, now: float) -> SignedIn:
    """Raises CONS-102."""
    try:
        claims = key.verify(token)
    except MalformedToken:
        raise WRONG_ID_TOKEN.error(reason="signature") from None
    if reason := _fault(claims, issuer, client_id, nonce, now):
        raise WRONG_ID_TOKEN.error(reason=reason)
    text = {name: value if isinstance(value := claims.get(name), str) else "" for name in _TEXTS}
    auth_time = claims.get("auth_time")
    return SignedIn(
        sub=text["sub"],
        sid=text["sid"],
        acr=text["acr"],
        auth_time=auth_time if isinstance(auth_time, int) else 0,
        name=text["name"] or text["preferred_username"] or text["sub"],
        email=text["email"],
        locale=text["locale"],
    )


_TEXTS: Final = ("sub", "sid", "acr", "name", "preferred_username", "email", "locale")


def _fault(claims: dict[str, Any], issuer: str, client_id: str, nonce: str, now: float) -> str:
    audience = claims.get("aud")
    expires = claims.get("exp")
    if claims.get("iss") != issuer:
        return "iss"
    if client_id not in (audience if isinstance(audience, list) else [audience]):
        return "aud"
    if claims.get("azp", client_id) != client_id:
        return "azp"
    if claims.get("nonce") != nonce:
        return "nonce"
    if not isinstance(expires, int | float) or expires + _LEEWAY <= now:
        return "exp"
    return "" if isinstance(claims.get("sub"), str) and claims["sub"] else "sub"
