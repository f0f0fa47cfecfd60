"""Keys that applications and service users of the scenarios sign assertions with, and the assertions (RFC 7523).

Made with joserfc and signed with PyJWT: never with the product's own code.
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
    """One key: its public half is registered, its private half signs."""

    kid: str
    alg: str
    private: PrivateKey = field(repr=False)

    @property
    def private_pem(self) -> str:
        """For clients that want text."""
        return self.private.as_pem(private=True).decode()

    def registered(self, expiration_date: str = "") -> Key:
        """The entry of the document.

        Args:
            expiration_date: RFC 3339; without one it does not expire.
        """
        pem = self.private.as_pem(private=False).decode()
        return Key(id=self.kid, public_key=pem, expiration_date=expiration_date)

    def assertion(self, subject: str, audience: str, **changes: Any) -> str:
        """A good assertion but for the changes: claims to set, an ellipsis leaves one out.

        Args:
            subject: client id or user id, issuer and subject.
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
    """The key with this id, the same one throughout a run."""
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
