"""id_tokens (OIDC Core sections 2 and 3.1.3.6)."""

from __future__ import annotations

from typing import Any

from portico_oauth.jose import token_hash
from portico_oauth.zitadel_names import with_asked_names

from portico_token.domain.claims import user_claims
from portico_token.domain.lifetimes import Lifetimes
from portico_token.grants.results import GrantResult
from portico_token.issuing.subject import Subject
from portico_token.issuing.token_size import refuse_oversized
from portico_token.signing.signer import ID_TOKEN_TYPE, SignsTokens


class IdTokens:
    def __init__(self, issuer: str, signer: SignsTokens, longest: Lifetimes, *, zitadel_names: bool = False) -> None:
        self._issuer = issuer
        self._signer = signer
        self._longest = longest
        self._zitadel_names = zitadel_names

    def make(self, granted: GrantResult, subject: Subject, access_token: str, now: int) -> str:
        """Without `access_token` the id_token has the scope's claims (OIDC Core section 5.4), and no `at_hash`."""
        client, granted_scope = granted.client, granted.id_token.scope
        # With an access_token the scopes' claims are left to userinfo, unless the client is registered to have them
        # here.
        served = access_token and not granted.access_token.for_resources
        scope = () if served and not client.id_token_userinfo_assertion else granted_scope
        claims = user_claims(subject.person, scope, granted.grant.id_token_claims) | subject.in_id_token
        if self._zitadel_names:
            claims = with_asked_names(claims, granted_scope)
        # Last, so that no stored claim about the user replaces them (JW-20).
        claims |= self._protocol_claims(
            granted, now, now + self._longest.of(client).id_token, client.clock_skew_seconds
        )
        if access_token:
            claims["at_hash"] = token_hash(access_token, client.id_token_alg)
        text = self._signer.sign(claims, client.id_token_alg, ID_TOKEN_TYPE)
        refuse_oversized(text, claims, client, granted.grant.hook)
        return text

    def _protocol_claims(self, granted: GrantResult, now: int, expires: int, skew: int) -> dict[str, Any]:
        """Clock skew: past times stay in the past for a slow clock, and the expiry in the future for a fast one."""
        grant = granted.grant
        claims = {
            "iss": self._issuer,
            "sub": grant.user_id,
            # Only the client, unlike in the access token: section 3.1.3.7 no. 3 lets a client reject every other
            # audience.
            "aud": (grant.client_id,),
            "azp": grant.client_id,
            "exp": expires + skew,
            "iat": now - skew,
            "auth_time": grant.auth_time - skew,
        }
        # A service user has no session, and no authentication described by acr and amr.
        how = {"acr": grant.acr, "amr": grant.amr, "sid": grant.session_id, "nonce": granted.id_token.nonce}
        return claims | {name: value for name, value in how.items() if value}
