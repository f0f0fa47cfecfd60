"""Keys of applications and service users for signed assertions (RFC 7523).

Created with joserfc and signed with PyJWT, independently of the product's code.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import jwt
from joserfc.jwk import ECKey, OKPKey, RSAKey
from portico_contracts.apply import Key

PrivateKey = RSAKey | ECKey | OKPKey


@dataclass(frozen=True)
class KeyPair:
    kid: str
    alg: str
    private: PrivateKey = field(repr=False)

    @property
    def private_pem(self) -> str:
        return self.private.as_pem(private=True).decode()

    def registered(self, expiration_date: str = "") -> Key:
        """Returns the entry of the document.

        Args:
            expiration_date: RFC 3339; empty for a key that does not expire.
        """
        pem = self.private.as_pem(private=False).decode()
        return Key(id=self.kid, public_key=pem, expiration_date=expiration_date)

    def assertion(self, subject: str, audience: str, **changes: Any) -> str:
        """Returns a valid assertion with the given claims changed; an ellipsis removes a claim.

        Args:
            subject: client id or user id, as issuer and subject.
        """
        now = int(time.time())
        claims = {
            "iss": subject,
            "sub": subject,
            "aud": audience,
            "iat": now,
            "exp": now + 300,
            "jti": secrets.token_hex(16),
            **changes,
        }
        kept = {name: value for name, value in claims.items() if value is not ...}
        key: Any = self.private.private_key
        return jwt.encode(kept, key, self.alg, headers={"kid": self.kid})


@cache
def key_pair(kid: str, alg: str = "ES256") -> KeyPair:
    """Returns the key with this id, the same one throughout a run."""
    parameters: Any = {"kid": kid}
    made: PrivateKey
    match alg:
        case "RS256":
            made = RSAKey.generate_key(2048, parameters)
        case "ES256":
            made = ECKey.generate_key("P-256", parameters)
        case _:
            made = OKPKey.generate_key("Ed25519", parameters)
    return KeyPair(kid, alg, made)
