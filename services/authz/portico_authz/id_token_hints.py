"""Verifies id_token_hint (OIDC Core section 3.1.2.1, RP-Initiated Logout 1.0 section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from portico_oauth.jose import ALGORITHMS, MalformedToken, VerificationKey, unverified_header

from portico_authz.users_client import UsersClient

_ID_TOKEN_TYPE: Final = "JWT"


@dataclass(frozen=True, slots=True)
class Hint:
    """A verified hint: the user, the session and the client. All are empty where the signing key is unknown."""

    subject: str = ""
    sid: str = ""
    client_id: str = ""


async def find_hint(users_client: UsersClient, issuer: str, hint: str) -> Hint | None:
    """Returns the content of a hint; None for anything that this issuer cannot have signed as an id_token.

    Expiry is ignored: a hint identifies a user and authenticates none. Expired keys are retained for hints as
    long as a session can live; a hint by an unknown or revoked key has empty fields.
    """
    try:
        header = unverified_header(hint)
        # Access and logout tokens have other types: each kind of token is accepted only where it belongs (P7).
        if header.get("typ") != _ID_TOKEN_TYPE:
            return None
        jwk = _find_key(await users_client.hint_keys(), header.get("kid"))
        if jwk is None:
            return Hint() if isinstance(header.get("kid"), str) and header.get("alg") in ALGORITHMS else None
        claims = VerificationKey.from_jwk(jwk).verify(hint)
    except MalformedToken:
        return None
    subject = _text(claims, "sub")
    if claims.get("iss") != issuer or not subject or "events" in claims:
        return None
    return Hint(subject, _text(claims, "sid"), _text(claims, "azp"))


def _find_key(keys: tuple[dict[str, Any], ...], kid: object) -> dict[str, Any] | None:
    return next((jwk for jwk in keys if jwk.get("kid") == kid and jwk.get("alg") in ALGORITHMS), None)


def _text(claims: dict[str, Any], name: str) -> str:
    value = claims.get(name)
    return value if isinstance(value, str) else ""
