"""id_tokens (OIDC Core §2, §3.1.3.6)."""

from __future__ import annotations

from typing import Any

from portico_contracts.users import Client, UserClaims
from portico_oauth.jose import token_hash

from portico_token.domain.claims import person_claims
from portico_token.domain.grants import Grant
from portico_token.grants.protocol import Grantable
from portico_token.signing.signer import ID_TOKEN_TYPE, Signer


class IdTokens:
    """Makes id_tokens."""

    def __init__(self, issuer: str, signer: Signer, seconds: int) -> None:
        self._issuer = issuer
        self._signer = signer
        self._seconds = seconds

    def make(self, granted: Grantable, client: Client, person: UserClaims, access_token: str, now: int) -> str:
        """A signed id_token.

        Args:
            granted: whose sign-in it tells of.
            person: read only for the claims that are asked for.
            access_token: what comes with it; `at_hash` ties both together.

        Raises:
            Refusal: TOKEN-050 when it cannot be signed.
        """
        claims = _about_person(granted.grant, client, person)
        # Last, so that nothing stored about the person can take their place (JW-20).
        claims |= self._protocol_claims(granted, now)
        claims["at_hash"] = token_hash(access_token, client.id_token_alg)
        return self._signer.sign(claims, client.id_token_alg, ID_TOKEN_TYPE)

    def _protocol_claims(self, granted: Grantable, now: int) -> dict[str, Any]:
        grant = granted.grant
        claims = {
            "iss": self._issuer,
            "sub": grant.user_id,
            "aud": grant.audience,
            "azp": grant.client_id,
            "exp": now + self._seconds,
            "iat": now,
            "auth_time": grant.auth_time,
            "acr": grant.acr,
            "amr": grant.amr,
            "sid": grant.session_id,
        }
        return {**claims, "nonce": granted.nonce} if granted.nonce else claims


def needs_person(grant: Grant, client: Client) -> bool:
    """The id_token of this grant says something about the person."""
    return client.id_token_userinfo_assertion or bool(grant.id_token_claims)


def _about_person(grant: Grant, client: Client, person: UserClaims) -> dict[str, Any]:
    """With an access_token the scopes' claims are left to userinfo, unless the client has them asserted here."""
    scope = grant.scope if client.id_token_userinfo_assertion else ()
    return person_claims(person, scope, grant.id_token_claims)
