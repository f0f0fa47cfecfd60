"""Access tokens: opaque text, or a JWT (RFC 9068); which one is the client's registration."""

from __future__ import annotations

from typing import NamedTuple

from portico_contracts.users import AccessTokenType, Client
from portico_oauth.opaque import RandomBytes, fingerprint

from portico_token.domain.grants import AccessToken, Grant
from portico_token.domain.token_text import new_token_id
from portico_token.signing.signer import ACCESS_TOKEN_TYPE, Signer


class IssuedAccessToken(NamedTuple):
    """The text for the client, and what the store keeps of it."""

    text: str
    fingerprint: str
    kept: AccessToken

    def __repr__(self) -> str:
        """Names the kind only."""
        return "IssuedAccessToken(...)"


class AccessTokens:
    """Makes access tokens."""

    def __init__(self, issuer: str, signer: Signer, random: RandomBytes, seconds: int) -> None:
        self._issuer = issuer
        self._signer = signer
        self._random = random
        self._seconds = seconds

    def make(self, grant: Grant, client: Client, now: int) -> IssuedAccessToken:
        """A new access token of a grant.

        Raises:
            Refusal: TOKEN-050 when it must be signed and cannot be.
        """
        kept = AccessToken(now, now + self._seconds, grant.scope)
        text = new_token_id(grant.id, self._random)
        if client.access_token_type is AccessTokenType.JWT:
            text = self._signer.sign(self._claims(grant, kept, text), client.id_token_alg, ACCESS_TOKEN_TYPE)
        return IssuedAccessToken(text, fingerprint(text), kept)

    def _claims(self, grant: Grant, token: AccessToken, token_id: str) -> dict[str, object]:
        """RFC 9068 §2.2. Never anything about the person but the id."""
        return {
            "iss": self._issuer,
            "sub": grant.user_id,
            "aud": grant.audience,
            "exp": token.expires,
            "iat": token.issued,
            "nbf": token.issued,
            "client_id": grant.client_id,
            "jti": token_id,
            "scope": " ".join(token.scope),
        }
