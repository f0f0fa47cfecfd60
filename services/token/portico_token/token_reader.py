"""Parses access tokens: finds the grant or stateless token of a text, or none.

Length and dots are checked before anything is parsed (JW-16, JW-17). `kid` selects among the published keys,
the key determines the algorithm (JW-02), and `typ` the kind of token: an id_token or an assertion is not an
access token, whichever key signed it (P7).
"""

from __future__ import annotations

import hashlib
from itertools import islice
from typing import Final, NamedTuple

import msgspec
from portico_oauth.jose import MAX_TOKEN, MalformedToken, VerificationKey, unverified_header
from portico_oauth.opaque import bucket_of, fingerprint

from portico_token.domain.revocations import StatelessToken
from portico_token.domain.token_text import StatelessId, grant_id_in, jwt_fingerprint, stateless_id_in
from portico_token.signing.key_ring import KeyRing
from portico_token.signing.signer import ACCESS_TOKEN_TYPE

LONGEST_OPAQUE: Final = 100
CACHED_TOKENS: Final = 16_384
"""Verified JWTs in the cache of a replica, half a KiB each."""

PORTION: Final = 1_024

CACHED_HEADERS: Final = 64


class GrantToken(NamedTuple):
    """`id` is the `jti`; `fingerprint` is of the whole text of an opaque token, of the `jti` of a JWT."""

    grant_id: str
    id: str
    fingerprint: str


class _Confirmation(msgspec.Struct, frozen=True):
    jkt: str = ""


class _Claims(msgspec.Struct, frozen=True):
    iss: str
    jti: str
    sub: str
    client_id: str
    aud: tuple[str, ...]
    scope: str
    iat: int
    exp: int
    cnf: _Confirmation = _Confirmation()


class TokenReader:
    def __init__(self, issuer: str, ring: KeyRing) -> None:
        self._issuer = issuer
        self._ring = ring
        # A verified signature stays verified, and verifying costs far more than all the rest. Whether the key is
        # still published and the token still active is checked every time (IR-06).
        self._known: dict[bytes, tuple[str, GrantToken | StatelessToken]] = {}
        # Headers that we wrote, by their text: one for each key. Only of tokens whose signature was verified.
        self._headers: dict[str, tuple[str, str]] = {}

    def read(self, text: str) -> GrantToken | StatelessToken | None:
        """Returns enough to query a store; the token is not yet known to be active."""
        if not text.isascii():
            return None
        if text.count(".") != 2 or len(text) > MAX_TOKEN:
            return _opaque(text)
        name = hashlib.sha256(text.encode()).digest()
        kid, token = self._known.get(name) or (None, None)
        if kid is None:
            return self._verify(name, text)
        return token if self._ring.find_verification_key(kid) else None

    def _verify(self, name: bytes, text: str) -> GrantToken | StatelessToken | None:
        try:
            key, claims = self._verified(text)
        except (MalformedToken, msgspec.MsgspecError):
            return None
        token = _jwt(claims) if claims.iss == self._issuer else None
        if token is not None:
            self._make_room()
            self._known[name] = (key.kid, token)
        return token

    def _make_room(self) -> None:
        if len(self._known) >= CACHED_TOKENS:
            for oldest in tuple(islice(self._known, PORTION)):
                del self._known[oldest]

    def _verified(self, text: str) -> tuple[VerificationKey, _Claims]:
        """Most tokens of different users are seen for the first time, but their headers are the same."""
        header = text.partition(".")[0]
        kid, alg = self._headers.get(header, ("", ""))
        known = self._ring.find_verification_key(kid) if kid else None
        if known is not None and known.alg == alg:
            return known, msgspec.json.decode(known.verify_payload(text), type=_Claims)
        key = self._key_of(text)
        claims = msgspec.convert(key.verify(text), _Claims)
        if len(self._headers) >= CACHED_HEADERS:
            self._headers.clear()
        self._headers[header] = (key.kid, key.alg)
        return key, claims

    def _key_of(self, text: str) -> VerificationKey:
        """Returns the key that a JWT access token names; it must still be published (IR-16)."""
        header = unverified_header(text)
        kid = header.get("kid")
        key = self._ring.find_verification_key(kid) if isinstance(kid, str) else None
        if key is None or header.get("typ") != ACCESS_TOKEN_TYPE:
            raise MalformedToken
        return key


def _opaque(text: str) -> GrantToken | None:
    grant_id = grant_id_in(text) if len(text) <= LONGEST_OPAQUE else None
    if grant_id is None:
        return None
    # The text itself is a secret; its fingerprint identifies it as well.
    known_as = fingerprint(text)
    return GrantToken(grant_id, known_as, known_as)


def _jwt(claims: _Claims) -> GrantToken | StatelessToken | None:
    grant_id = grant_id_in(claims.jti)
    if grant_id is not None:
        return GrantToken(grant_id, claims.jti, jwt_fingerprint(claims.jti))
    token_id = stateless_id_in(claims.jti)
    return _stateless(token_id, claims) if token_id else None


def _stateless(token_id: StatelessId, claims: _Claims) -> StatelessToken | None:
    if token_id.bucket != bucket_of(claims.sub):
        return None
    return StatelessToken(
        id=claims.jti,
        origin=token_id.origin,
        user_id=claims.sub,
        client_id=claims.client_id,
        audience=claims.aud,
        scope=tuple(claims.scope.split(" ")),
        issued=claims.iat * 1000 + token_id.milliseconds,
        expires=claims.exp,
        jkt=claims.cnf.jkt,
    )
