"""Keys of identity providers: asymmetric, each with the algorithms of its type.

The key determines the algorithm, not the token (RFC 8725 section 3.1, JW-02). `portico_oauth.jose` supports
only algorithms that Portico itself uses; providers use more.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import Algorithm, ECAlgorithm, OKPAlgorithm, RSAAlgorithm, RSAPSSAlgorithm
from jwt.exceptions import PyJWTError
from portico_oauth.jose import MIN_RSA_BITS, MalformedToken, unverified_claims, unverified_header

from portico_users.identity_providers.federation.errors import (
    MALFORMED_JWT,
    NO_KEY,
    UNREADABLE_ANSWER,
    WRONG_SIGNATURE,
)
from portico_users.identity_providers.federation.provider_metadata import FetchedDocuments

MAX_KEYS: Final = 100
MAX_RSA_BITS: Final = 8192
_MAX_EXPONENT_BITS: Final = 64
_MAX_MEMBER: Final = 1_400
"""Characters of a key parameter; 8192 bits take 1366."""

_RSA: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
_CURVES: Final = {"secp256r1": "ES256", "secp384r1": "ES384", "secp521r1": "ES512"}
_ALGORITHMS: Final[dict[str, Algorithm]] = {
    **{f"RS{bits}": RSAAlgorithm(hash) for bits, hash in ((256, RSAAlgorithm.SHA256), (384, RSAAlgorithm.SHA384))},
    "RS512": RSAAlgorithm(RSAAlgorithm.SHA512),
    "PS256": RSAPSSAlgorithm(RSAPSSAlgorithm.SHA256),
    "PS384": RSAPSSAlgorithm(RSAPSSAlgorithm.SHA384),
    "PS512": RSAPSSAlgorithm(RSAPSSAlgorithm.SHA512),
    "ES256": ECAlgorithm(ECAlgorithm.SHA256),
    "ES384": ECAlgorithm(ECAlgorithm.SHA384),
    "ES512": ECAlgorithm(ECAlgorithm.SHA512),
    "EdDSA": OKPAlgorithm(),
}
_KINDS: Final[dict[str, type[RSAAlgorithm | ECAlgorithm | OKPAlgorithm]]] = {
    "RSA": RSAAlgorithm,
    "EC": ECAlgorithm,
    "OKP": OKPAlgorithm,
}


@dataclass(frozen=True, slots=True)
class ProviderKey:
    """A public key; ``issuer`` is the only one it signs for, in key sets of several (Entra), empty for all."""

    kid: str
    algorithms: tuple[str, ...]
    public: object
    issuer: str = ""


def read_key_set(document: dict[str, object]) -> tuple[ProviderKey, ...]:
    """Returns the signature keys of a JWK set (RFC 7517 section 5); others are ignored, as the standard requires."""
    members = document.get("keys")
    if not isinstance(members, list) or len(members) > MAX_KEYS:
        raise UNREADABLE_ANSWER.error(cause="no list of keys")
    return tuple(key for member in members if (key := _read_key(member)))


def verified_claims(token: str, keys: Sequence[ProviderKey]) -> dict[str, object]:
    """Returns the claims of a JWT signed by one of the keys. Callers check time, issuer and audience."""
    header, claims = read_token(token)
    candidates = candidates_of(header, keys)
    if not candidates:
        raise NO_KEY.error(kid=str(header.get("kid"))[:200], alg=str(header.get("alg"))[:20])
    signed, _, tail = token.rpartition(".")
    signature = base64.urlsafe_b64decode(tail + "=" * (-len(tail) % 4))
    algorithm = _ALGORITHMS[str(header["alg"])]
    if not any(algorithm.verify(signed.encode(), key.public, signature) for key in candidates):
        raise WRONG_SIGNATURE.error()
    return claims


def read_token(token: str) -> tuple[dict[str, object], dict[str, object]]:
    """Returns header and claims of a compact JWS without verification. Raises USER-963."""
    try:
        header, claims = unverified_header(token), unverified_claims(token)
    except MalformedToken:
        raise MALFORMED_JWT.error() from None
    if "crit" in header or "b64" in header:
        raise MALFORMED_JWT.error(cause="crit")
    return header, claims


def candidates_of(header: dict[str, object], keys: Sequence[ProviderKey]) -> list[ProviderKey]:
    """Returns keys by kid; without one, the only key that fits (OpenID Connect Core section 10.1)."""
    alg, kid = header.get("alg"), header.get("kid")
    fitting = [key for key in keys if alg in key.algorithms]
    if kid is None:
        return fitting if len(fitting) == 1 else []
    return [key for key in fitting if key.kid == kid][:2]


def _read_key(jwk: object) -> ProviderKey | None:
    # Private keys are skipped: deriving the prime factors from the private exponent can take seconds (RX-08).
    if not isinstance(jwk, dict) or "d" in jwk or not _is_for_signatures(jwk):
        return None
    numbers = [value for name, value in jwk.items() if name in ("n", "e", "x", "y")]
    if not all(isinstance(value, str) and len(value) <= _MAX_MEMBER for value in numbers):
        return None
    kind, kid = jwk.get("kty"), jwk.get("kid", "")
    if not isinstance(kind, str) or kind not in _KINDS or not isinstance(kid, str):
        return None
    try:
        public = _KINDS[kind].from_jwk(jwk)
    except (PyJWTError, ValueError, TypeError, KeyError, UnsupportedAlgorithm):
        return None
    possible = _algorithms_of(public)
    named = jwk.get("alg")
    algorithms = possible if named is None else tuple(one for one in possible if one == named)
    issuer = jwk.get("issuer", "")
    return ProviderKey(kid, algorithms, public, issuer if isinstance(issuer, str) else "") if algorithms else None


def _is_for_signatures(jwk: dict[str, object]) -> bool:
    operations = jwk.get("key_ops", ["verify"])
    return jwk.get("use", "sig") == "sig" and isinstance(operations, list) and "verify" in operations


def _algorithms_of(public: object) -> tuple[str, ...]:
    """Returns the algorithms of a key; none for private or weak keys, or those that are slow to verify with (RX-08)."""
    match public:
        case rsa.RSAPublicKey():
            exponent = public.public_numbers().e.bit_length()
            return _RSA if MIN_RSA_BITS <= public.key_size <= MAX_RSA_BITS and exponent <= _MAX_EXPONENT_BITS else ()
        case ec.EllipticCurvePublicKey():
            return tuple(alg for curve, alg in _CURVES.items() if curve == public.curve.name)
        case ed25519.Ed25519PublicKey():
            return ("EdDSA",)
        case _:
            return ()


MAX_KEY_SET: Final = 256 * 1024
"""In bytes; keys may include certificate chains."""


@dataclass(frozen=True, slots=True)
class KeySets:
    documents: FetchedDocuments

    async def find(self, idp_id: str, url: str, header: dict[str, object]) -> tuple[ProviderKey, ...]:
        return await self.documents.find(
            idp_id, url, read_key_set, lambda keys: bool(candidates_of(header, keys)), limit=MAX_KEY_SET
        )
