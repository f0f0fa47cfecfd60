"""Public keys for client assertions and self-signed certificates: supported keys and their stored format (RFC 7517, RFC 7523; JW-02)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from cryptography.x509 import load_pem_x509_certificate
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from portico_contracts.users import PublicKey
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.jose import MIN_RSA_BITS
from portico_oauth.opaque import b64url

from portico_users.values.problems import Problem, Problems

MAX_RSA_BITS: Final = 8192
_MAX_EXPONENT_BITS: Final = 64
"""Larger moduli or exponents make verification slow, which a key holder could abuse (RX-08)."""

_MAX_PEM: Final = 2_000
"""Characters of a PEM block, checked before it is parsed; an RSA key of 8192 bits takes 1,500 (RX-08)."""

_MAX_CERTIFICATE: Final = 8_000
"""The same of a certificate, which has names and extensions too."""

MAX_KEYS: Final = 100
"""Limit per application or service user, because keys are read with it."""

PRIVATE_KEY = ErrorCode(
    "USER-050",
    Kind.INVALID_REQUEST,
    "This is a private key.",
    "Register the public key only, and create a new pair, because this private key has been disclosed.",
)
INVALID_KEY = ErrorCode(
    "USER-051",
    Kind.INVALID_REQUEST,
    "Unsupported public key.",
    "Enter one PEM block with an RSA key of 2048 to 8192 bits, a P-256 key or an Ed25519 key, or a certificate with one.",
)
TOO_MANY_KEYS = ErrorCode("USER-054", Kind.INVALID_REQUEST, "Too many keys.", "Keep at most 100 keys per client.")


class AssertionKey(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A registered public key, for one algorithm; ``created`` is 0 if unknown, ``expires_at`` 0 for never."""

    kid: str
    alg: str
    jwk: dict[str, str]
    created: float = 0.0
    expires_at: float = 0.0


def jwk_of(pem: str) -> dict[str, str]:
    """Converts a PEM public key, or that of a certificate, to a JWK with its only suitable algorithm, without a kid."""
    if "PRIVATE KEY" in pem:
        raise PRIVATE_KEY.error()
    if pem.count("-----BEGIN ") != 1:
        raise INVALID_KEY.error(cause="not one PEM block")
    is_certificate = "-----BEGIN CERTIFICATE-----" in pem
    longest = _MAX_CERTIFICATE if is_certificate else _MAX_PEM
    if len(pem.partition("-----BEGIN ")[2].partition("-----END ")[0]) > longest:
        raise INVALID_KEY.error(cause="too long")
    try:
        written = pem.strip().encode()
        key = load_pem_x509_certificate(written).public_key() if is_certificate else load_pem_public_key(written)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise INVALID_KEY.error(cause=type(error).__name__) from None
    match key:
        case rsa.RSAPublicKey() if _is_usable(key):
            return {**_members(RSAAlgorithm.to_jwk(key)), "alg": "RS256"}
        case ec.EllipticCurvePublicKey() if isinstance(key.curve, ec.SECP256R1):
            return {**_members(ECAlgorithm.to_jwk(key)), "alg": "ES256"}
        case ed25519.Ed25519PublicKey():
            return {**_members(OKPAlgorithm.to_jwk(key)), "alg": "EdDSA"}
        case _:
            raise INVALID_KEY.error(cause=type(key).__name__)


def key_of(kid: str, pem: str, *, created: float, expires_at: float) -> AssertionKey:
    jwk = jwk_of(pem)
    return AssertionKey(kid=kid, alg=jwk["alg"], jwk={**jwk, "kid": kid}, created=created, expires_at=expires_at)


def pem_of(key: AssertionKey) -> str:
    text = json.dumps(key.jwk)
    match key.jwk["kty"]:
        case "RSA":
            public: Any = RSAAlgorithm.from_jwk(text)
        case "EC":
            public = ECAlgorithm.from_jwk(text)
        case _:
            public = OKPAlgorithm.from_jwk(text)
    pem: bytes = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return pem.decode()


def thumbprint(jwk: dict[str, str]) -> str:
    """Returns the RFC 7638 thumbprint, the default kid, which the key's owner can compute too."""
    required = {name: value for name, value in sorted(jwk.items()) if name not in ("alg", "kid", "use")}
    return b64url(hashlib.sha256(json.dumps(required, separators=(",", ":")).encode()).digest())


def with_keys(stored: Sequence[AssertionKey], wanted: Iterable[AssertionKey]) -> tuple[AssertionKey, ...]:
    """Sets the wanted keys by kid; others stay."""
    return tuple(({key.kid: key for key in stored} | {key.kid: key for key in wanted}).values())


def new_kids(before: Iterable[AssertionKey], after: Iterable[AssertionKey]) -> tuple[str, ...]:
    known = {key.kid for key in before}
    return tuple(key.kid for key in after if key.kid not in known)


def public_keys(keys: Iterable[AssertionKey], now: float) -> tuple[PublicKey, ...]:
    return tuple(
        PublicKey(kid=key.kid, alg=key.alg, jwk=key.jwk, expires_at=key.expires_at)
        for key in keys
        if key.expires_at == 0 or now < key.expires_at
    )


def problems_of(keys: Sequence[AssertionKey]) -> Problems:
    if len(keys) > MAX_KEYS:
        yield Problem("keys", TOO_MANY_KEYS)


def _is_usable(key: rsa.RSAPublicKey) -> bool:
    exponent = key.public_numbers().e
    return MIN_RSA_BITS <= key.key_size <= MAX_RSA_BITS and exponent.bit_length() <= _MAX_EXPONENT_BITS


def _members(jwk: str) -> dict[str, str]:
    return {name: value for name, value in json.loads(jwk).items() if name != "key_ops"}
