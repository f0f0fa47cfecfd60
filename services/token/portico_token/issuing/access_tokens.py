"""Access tokens, opaque or JWT (RFC 9068), in two steps: the id's fingerprint is stored before the text is created."""

from __future__ import annotations

from typing import Any, NamedTuple

from portico_contracts.users import AccessTokenType
from portico_oauth.opaque import RandomBytes, fingerprint
from portico_oauth.zitadel_names import with_asked_names

from portico_token.domain.claims import reserved_claims
from portico_token.domain.grants import AccessToken
from portico_token.domain.lifetimes import Lifetimes
from portico_token.domain.token_text import jwt_fingerprint, new_stateless_id, new_token_id
from portico_token.grants.results import ExchangedToken, GrantResult
from portico_token.issuing.sign_in import sign_in_of
from portico_token.issuing.subject import Subject
from portico_token.issuing.token_size import refuse_oversized
from portico_token.signing.signer import ACCESS_TOKEN_TYPE, SignsTokens


class NewAccessToken(NamedTuple):
    """`id` is the text of an opaque token, the `jti` of a JWT; their fingerprints differ."""

    id: str
    fingerprint: str
    record: AccessToken

    def __repr__(self) -> str:
        """Omits the fields, which are secret."""
        return "NewAccessToken(...)"


class AccessTokens:
    def __init__(
        self, issuer: str, signer: SignsTokens, random: RandomBytes, longest: Lifetimes, *, zitadel_names: bool = False
    ) -> None:
        self._issuer = issuer
        self._signer = signer
        self._random = random
        self._longest = longest
        self._zitadel_names = zitadel_names

    def new(self, granted: GrantResult, now: float, jkt: str = "") -> NewAccessToken:
        """`jkt` as in `AccessToken`."""
        grant, client, spec = granted.grant, granted.client, granted.access_token
        if grant.id:
            token_id = new_token_id(grant.id, self._random)
        else:
            token_id = new_stateless_id(grant.user_id, grant.origin, now, self._random)
        another = spec.audience if spec.audience != grant.audience else ()
        longest = self._longest.of(client).access_token
        seconds = longest if spec.seconds is None else min(longest, spec.seconds)
        issued, expires = int(now) - client.clock_skew_seconds, int(now) + seconds
        issued_to = ""
        if isinstance(granted, ExchangedToken):
            expires, issued_to = min(expires, granted.subject_expires), client.client_id
        record = AccessToken(issued, expires, spec.scope, another, issued_to, jkt)
        jwt = client.access_token_type is AccessTokenType.JWT
        return NewAccessToken(token_id, jwt_fingerprint(token_id) if jwt else fingerprint(token_id), record)

    def text(self, token: NewAccessToken, granted: GrantResult, subject: Subject) -> str:
        client = granted.client
        if client.access_token_type is AccessTokenType.OPAQUE:
            return token.id
        # Claims about the user first, so that they cannot replace a protocol claim (JW-20).
        claims = reserved_claims(subject.person, token.record.scope) | subject.in_access_token
        if self._zitadel_names:
            claims = with_asked_names(claims, token.record.scope)
        claims |= self._protocol_claims(token, granted)
        text = self._signer.sign(claims, client.id_token_alg, ACCESS_TOKEN_TYPE)
        refuse_oversized(text, claims, client, granted.grant.hook)
        return text

    def _protocol_claims(self, token: NewAccessToken, granted: GrantResult) -> dict[str, Any]:
        """RFC 9068 section 2.2, RFC 8693 section 4.1, RFC 9449 section 6.1. Of the standard claims about the user only the id."""
        actor = granted.grant.actor
        client = granted.client
        bound = {"cnf": {"jkt": token.record.jkt}} if token.record.jkt else {}
        how = sign_in_of(granted.grant, client.clock_skew_seconds) if client.access_token_acr else {}
        return (
            bound
            | ({"act": {"sub": actor}} if actor else {})
            | how
            | {
                "iss": self._issuer,
                "sub": granted.grant.user_id,
                "aud": granted.access_token.audience,
                "exp": token.record.expires,
                "iat": token.record.issued,
                "nbf": token.record.issued,
                "client_id": granted.client.client_id,
                "jti": token.id,
                "scope": " ".join(token.record.scope),
            }
        )
