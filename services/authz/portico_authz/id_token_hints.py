"""id_token_hint: an id_token of this issuer, expired or not (OIDC Core §3.1.2.1, RP-Initiated Logout 1.0 §2)."""

from __future__ import annotations

from typing import Any, Final

from portico_oauth.jose import ALGORITHMS, MalformedToken, VerificationKey, unverified_header

from portico_authz.domain.ports import Directory

_ID_TOKEN_TYPE: Final = "JWT"


async def find_hint(directory: Directory, issuer: str, hint: str) -> dict[str, Any] | None:
    """The claims of a hint, with a subject; None for anything that is not an id_token this issuer signed.

    Its lifetime does not matter: it identifies a user and authenticates none.
    """
    try:
        header = unverified_header(hint)
        # Access and logout tokens have other types: each kind of token is accepted only where it belongs (P7).
        if header.get("typ") != _ID_TOKEN_TYPE:
            return None
        jwk = _find_key(await directory.public_keys(), header.get("kid"))
        claims = VerificationKey.from_jwk(jwk).verify(hint) if jwk else {}
    except MalformedToken:
        return None
    is_ours = claims.get("iss") == issuer and isinstance(claims.get("sub"), str) and "events" not in claims
    return claims if is_ours else None


def _find_key(keys: tuple[dict[str, Any], ...], kid: object) -> dict[str, Any] | None:
    return next((jwk for jwk in keys if jwk.get("kid") == kid and jwk.get("alg") in ALGORITHMS), None)
