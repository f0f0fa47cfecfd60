"""Client assertions signed with the key of this service (RFC 7523 section 2.2, OIDC Core section 9)."""

from __future__ import annotations

from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from portico_contracts.console import client_key_id
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import RandomBytes, b64url

ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_SECONDS: Final = 60


def read_client_key(pem: str) -> ec.EllipticCurvePrivateKey:
    """Parses ``PORTICO_CONSOLE_CLIENT_KEY``; raises ValueError, whose message does not contain the value."""
    try:
        private = load_pem_private_key(pem.encode(), None)
    except (ValueError, TypeError) as error:
        raise ValueError("it is no private key in PEM") from error
    if not isinstance(private, ec.EllipticCurvePrivateKey) or not isinstance(private.curve, ec.SECP256R1):
        raise ValueError("it is no key of the curve P-256")
    return private


def client_assertion(
    private: ec.EllipticCurvePrivateKey, client_id: str, issuer: str, now: float, random: RandomBytes
) -> str:
    claims = {
        "iss": client_id,
        "sub": client_id,
        "aud": issuer,
        "iat": int(now),
        "exp": int(now) + _SECONDS,
        "jti": b64url(random(16)),
    }
    return SigningKey(client_key_id(client_id), "ES256", private).sign(msgspec.json.encode(claims))
