from __future__ import annotations

import json
from typing import Final

from cryptography.exceptions import InternalError, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from jwt.exceptions import PyJWTError
from jwt.utils import from_base64url_uint
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.jose import MIN_RSA_BITS, PrivateKey, SigningKey

from portico_users.applications.client_keys.assertion_keys import MAX_RSA_BITS, thumbprint
from portico_users.identity_providers.idp import AnyConfig, OidcConfig
from portico_users.identity_providers.presets.names import AuthMethod
from portico_users.identity_providers.presets.preset import PRESETS, Quirk
from portico_users.storage.entry import Document

UNUSABLE_KEY = ErrorCode(
    "USER-632",
    Kind.INVALID_REQUEST,
    "Unsupported private key.",
    "Use an unencrypted private key as PEM (PKCS #8) or JWK: P-256 for apple (the .p8 file); "
    "P-256, Ed25519 or RSA of 2048 to 8192 bits for private_key_jwt.",
)

_KINDS: Final[Document] = {"EC": ECAlgorithm, "OKP": OKPAlgorithm}
_MAX_P256: Final = 2_000
"""Characters of a P-256 key; a .p8 file has 257."""


def signs_secret(config: AnyConfig) -> bool:
    """Reports whether the client secret is signed for each request with a team's key (Apple)."""
    return isinstance(config, OidcConfig) and Quirk.SIGNED_SECRET in PRESETS[config.preset].quirks


def secret_kind(config: AnyConfig) -> str:
    """Returns the type of the stored secret: text or key; one cannot replace the other."""
    if isinstance(config, OidcConfig) and (signs_secret(config) or config.auth_method is AuthMethod.PRIVATE_KEY_JWT):
        return f"key {config.key_id}"
    return "text"


def refuse_unusable_secret(config: AnyConfig, secret: str) -> None:
    if signs_secret(config):
        read_signing_key(secret, "ES256", is_examined=True)
    elif isinstance(config, OidcConfig) and config.auth_method is AuthMethod.PRIVATE_KEY_JWT:
        read_signing_key(secret, is_examined=True)


def read_signing_key(text: str, alg: str = "", *, kid: str = "", is_examined: bool = False) -> SigningKey:
    """Parses a PEM or JWK private key. ``is_examined`` validates its numbers, as slow as many signatures."""
    # The numbers of a caller's key are examined only after its type and size were checked (RX-08).
    if is_examined and alg == "ES256" and len(text) > _MAX_P256:
        raise UNUSABLE_KEY.error()
    try:
        private, named = _from_jwk(text, is_examined) if text.lstrip().startswith("{") else (_from_pem(text), "")
        found = _alg_of(private)
        if not found or alg not in ("", found):
            raise UNUSABLE_KEY.error()
        if is_examined and isinstance(private, rsa.RSAPrivateKey):
            private.private_numbers().private_key()
    except (PyJWTError, ValueError, TypeError, KeyError, UnsupportedAlgorithm, InternalError, RecursionError):
        raise UNUSABLE_KEY.error() from None
    key = SigningKey(kid or named, found, private)
    return key if key.kid else SigningKey(thumbprint(_required(key.public_jwk())), found, private)


def _from_pem(text: str) -> PrivateKey:
    return load_pem_private_key(text.encode(), None, unsafe_skip_rsa_key_validation=True)  # type: ignore[return-value]


def _from_jwk(text: str, is_examined: bool) -> tuple[PrivateKey, str]:
    jwk = json.loads(text)
    kid = jwk.get("kid", "")
    if not isinstance(kid, str):
        raise TypeError("kid")
    return _rsa_from_jwk(jwk, is_examined) if jwk["kty"] == "RSA" else _KINDS[jwk["kty"]].from_jwk(jwk), kid


def _rsa_from_jwk(jwk: Document, is_examined: bool) -> PrivateKey:
    if not is_examined and "p" not in jwk:
        # Earlier versions stored such keys, after deriving their prime factors once.
        return RSAAlgorithm.from_jwk(jwk)  # type: ignore[return-value]
    # Without p and q (RFC 7518 section 6.3.2) the prime factors must be derived, which takes minutes for some numbers.
    n, e, d, p, q, dp, dq, qi = (from_base64url_uint(jwk[name]) for name in ("n", "e", "d", "p", "q", "dp", "dq", "qi"))
    numbers = rsa.RSAPrivateNumbers(p, q, d, dp, dq, qi, rsa.RSAPublicNumbers(e, n))
    return numbers.private_key(unsafe_skip_rsa_key_validation=True)


def _alg_of(private: object) -> str:
    match private:
        case rsa.RSAPrivateKey():
            return "RS256" if MIN_RSA_BITS <= private.key_size <= MAX_RSA_BITS else ""
        case ec.EllipticCurvePrivateKey():
            return "ES256" if private.curve.name == "secp256r1" else ""
        case ed25519.Ed25519PrivateKey():
            return "EdDSA"
        case _:
            return ""


def _required(jwk: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in jwk.items() if name in ("crv", "e", "kty", "n", "x", "y")}
