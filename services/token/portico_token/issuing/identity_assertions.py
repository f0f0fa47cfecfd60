"""Signs identity assertions (draft-ietf-oauth-identity-assertion-authz-grant section 3)."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from portico_oauth.opaque import RandomBytes, b64url
from portico_oauth.token_types import ID_JAG, ID_JAG_TYPE
from portico_runtime.process.clock import Clock

from portico_token.grants.results import IdentityAssertion
from portico_token.signing.signer import SignsTokens

SECONDS: Final = 300


class AssertionResponse(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """RFC 8693 section 2.2.1; `token_type` is N_A, because the assertion is no access token."""

    access_token: str
    issued_token_type: str = ""
    token_type: str = ""
    expires_in: int = 0
    scope: str = ""

    def __repr__(self) -> str:
        """Names the kind only."""
        return "AssertionResponse(...)"


class AssertionSigner:
    def __init__(self, issuer: str, signer: SignsTokens, clock: Clock, random: RandomBytes) -> None:
        self._issuer = issuer
        self._signer = signer
        self._clock = clock
        self._random = random

    def make(self, granted: IdentityAssertion, jkt: str) -> AssertionResponse:
        """`jkt` is the thumbprint of the key that the client has proven, to which the assertion is bound."""
        text = self._signer.sign(self._claims(granted, jkt), granted.client.id_token_alg, ID_JAG_TYPE)
        return AssertionResponse(
            access_token=text,
            issued_token_type=ID_JAG,
            token_type="N_A",
            expires_in=SECONDS,
            scope=" ".join(granted.scope),
        )

    def _claims(self, granted: IdentityAssertion, jkt: str) -> dict[str, Any]:
        """Without the clock skew of the client, which does not check the assertion. There is no actor, so no `act`."""
        now = int(self._clock.now())
        resources = granted.resources
        claims = {
            "iss": self._issuer,
            "sub": granted.user_id,
            "aud": granted.audience,
            "client_id": granted.client_id,
            "jti": b64url(self._random(16)),
            "exp": now + SECONDS,
            "iat": now,
            "resource": resources[0] if len(resources) == 1 else resources,
        }
        others = {
            "scope": " ".join(granted.scope),
            "auth_time": granted.auth_time,
            "acr": granted.acr,
            "amr": granted.amr,
            "email": granted.email,
            "cnf": {"jkt": jkt} if jkt else None,
        }
        return claims | {name: value for name, value in others.items() if value}
