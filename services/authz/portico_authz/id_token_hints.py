"""id_token_hint: an id_token of this issuer, expired or not (OIDC Core §3.1.2.1, RP-Initiated Logout 1.0 §2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from portico_oauth.jose import ALGORITHMS, MalformedToken, VerificationKey, unverified_header

from portico_authz.directory import Directory

_ID_TOKEN_TYPE: Final = "JWT"


@dataclass(frozen=True, slots=True)
class Hint:
    """What a hint names.

    Attributes:
        subject: the user; empty, like all else, where the key that signed is no longer known.
        sid: the session.
        client_id: the application it was issued to.
    """

    subject: str = ""
    sid: str = ""
    client_id: str = ""


async def find_hint(directory: Directory, issuer: str, hint: str) -> Hint | None:
    """What a hint names; None for anything that is not an id_token this issuer can have signed.

    Its lifetime does not matter: it identifies a user and authenticates none. Expired keys are retained for hints as long as a
    session can live; a hint by a key that is unknown, or was revoked, names nothing.
    """
    try:
        header = unverified_header(hint)
        # Access and logout tokens have other types: each kind of token is accepted only where it belongs (P7).
        if header.get("typ") != _ID_TOKEN_TYPE:
            return None
        jwk = _find_key(await directory.hint_keys(), header.get("kid"))
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
