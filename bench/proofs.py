"""DPoP proofs (RFC 9449) for wrk, which cannot sign: made before a run, one for each request."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from portico_runtime.process.clock import SystemClock

_ALGORITHM: Final = "ES256"
_KEY_MEMBERS: Final = ("kty", "crv", "x", "y")


@dataclass(frozen=True, slots=True)
class ProofKey:
    """The key of one client."""

    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def proof(self, url: str) -> str:
        """A proof for a POST, for 60 seconds. All have the same length for the same URL."""
        jwk: dict[str, Any] = json.loads(ECAlgorithm.to_jwk(self.private.public_key()))
        headers = {"typ": "dpop+jwt", "jwk": {name: jwk[name] for name in _KEY_MEMBERS}}
        claims = {"jti": secrets.token_hex(16), "htm": "POST", "htu": url, "iat": int(SystemClock().now())}
        return jwt.encode(claims, self.private, _ALGORITHM, headers=headers)
