"""Public keys in JWK sets of other issuers (RFC 7517 section 5): only what token verifies with (JW-01, JW-02, RX-08)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from portico_contracts.users import PublicKey
from portico_oauth.jose import VerificationKey

MAX_KEYS: Final = 100
MAX_MEMBER: Final = 1_400
"""Characters of a key parameter; 8192 bits take 1366. Larger ones make verification slow."""

_MAX_EXPONENT: Final = 11
"""Characters of an exponent of 64 bits."""

_ALGORITHMS: Final = {"RSA": "RS256", "EC": "ES256", "OKP": "EdDSA"}
"""Of a key that names none (RFC 7517 section 4.4)."""

_MEMBERS: Final = {"RSA": ("n", "e"), "EC": ("crv", "x", "y"), "OKP": ("crv", "x")}


def read_public_keys(document: Mapping[str, Any]) -> tuple[PublicKey, ...]:
    """The keys of a set that can verify tokens; others are ignored, as the standard requires."""
    members = document.get("keys")
    if not isinstance(members, list):
        return ()
    return tuple([key for one in members[:MAX_KEYS] if (key := _read(one))])


def has_private_key(document: Mapping[str, Any]) -> bool:
    members = document.get("keys")
    return isinstance(members, list) and any(
        isinstance(one, dict) and not {"d", "k"}.isdisjoint(one) for one in members
    )


def _read(jwk: object) -> PublicKey | None:
    if not isinstance(jwk, dict) or not {"d", "k"}.isdisjoint(jwk) or not _is_for_signatures(jwk):
        return None
    kind, kid = jwk.get("kty"), jwk.get("kid", "")
    if not isinstance(kind, str) or kind not in _MEMBERS or not isinstance(kid, str) or len(kid) > MAX_MEMBER:
        return None
    alg = jwk.get("alg", _ALGORITHMS[kind])
    values = {name: jwk.get(name) for name in _MEMBERS[kind]}
    if not isinstance(alg, str) or not all(isinstance(one, str) and len(one) <= MAX_MEMBER for one in values.values()):
        return None
    if kind == "RSA" and len(str(values["e"])) > _MAX_EXPONENT:
        return None
    public = {"kty": kind, "kid": kid, "alg": alg, **{name: str(value) for name, value in values.items()}}
    try:
        VerificationKey.from_jwk(public)
    except ValueError:
        return None
    return PublicKey(kid=kid, alg=alg, jwk=public)


def _is_for_signatures(jwk: Mapping[str, object]) -> bool:
    operations = jwk.get("key_ops", ["verify"])
    return jwk.get("use", "sig") == "sig" and isinstance(operations, list) and "verify" in operations
