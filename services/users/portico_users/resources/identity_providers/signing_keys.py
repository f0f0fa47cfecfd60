from __future__ import annotations

import json
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from jwt.exceptions import PyJWTError
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.jose import MIN_RSA_BITS, PrivateKey, SigningKey

from portico_users.kernel.entry import Document
from portico_users.resources.client_keys.assertion_keys import MAX_RSA_BITS, thumbprint
from portico_users.resources.identity_providers.idp import AnyConfig, OidcConfig
from portico_users.resources.identity_providers.presets.names import AuthMethod
from portico_users.resources.identity_providers.presets.preset import PRESETS, Quirk

UNUSABLE_KEY = ErrorCode(
    "USER-632",
    Kind.INVALID_REQUEST,
    "Unsupported private key.",
    "Use an unencrypted private key as PEM (PKCS #8) or JWK: P-256 for apple (the .p8 file); "
    "P-256, Ed25519 or RSA of 2048 to 8192 bits for private_key_jwt.",
)

_KINDS: Final[Document] = {"RSA": RSAAlgorithm, "EC": ECAlgorithm, "OKP": OKPAlgorithm}


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
    try:
        private, named = _from_jwk(text) if text.lstrip().startswith("{") else (_from_pem(text, is_examined), "")
    except (PyJWTError, ValueError, TypeError, KeyError, UnsupportedAlgorithm, RecursionError):
        raise UNUSABLE_KEY.error() from None
    found = _alg_of(private)
    if not found or alg not in ("", found):
        raise UNUSABLE_KEY.error()
    key = SigningKey(kid or named, found, private)
    return key if key.kid else SigningKey(thumbprint(_required(key.public_jwk())), found, private)


def _from_pem(text: str, is_examined: bool) -> PrivateKey:
    return load_pem_private_key(text.encode(), None, unsafe_skip_rsa_key_validation=not is_examined)  # type: ignore[return-value]


def _from_jwk(text: str) -> tuple[PrivateKey, str]:
    jwk = json.loads(text)
    kid = jwk.get("kid", "")
    if not isinstance(kid, str):
        raise TypeError("kid")
    return _KINDS[jwk["kty"]].from_jwk(jwk), kid


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
