"""Valid and invalid assertions of clients and service users (RFC 7523)."""

from __future__ import annotations

import json
from itertools import count
from typing import Any, Final

from jwt import get_algorithm_by_name
from portico_contracts.users import PublicKey
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import b64url

ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

_numbers = count()


def registered(key: SigningKey, *, expires_at: float = 0) -> PublicKey:
    jwk = key.public_jwk()
    return PublicKey(kid=key.kid, alg=key.alg, jwk=jwk, expires_at=expires_at)


def claims_of(subject: str, audience: str | list[str], now: float, **changes: Any) -> dict[str, Any]:
    """Returns the claims of a valid assertion with a unique `jti`; an ellipsis removes one."""
    claims = {
        "iss": subject,
        "sub": subject,
        "aud": audience,
        "iat": int(now),
        "exp": int(now) + 60,
        "jti": f"j{next(_numbers)}",
        **changes,
    }
    return {name: value for name, value in claims.items() if value is not ...}


def sign(key: SigningKey, claims: dict[str, Any], **header: Any) -> str:
    """Signs with any header: an ellipsis removes a default member."""
    if not header:
        return key.sign(json.dumps(claims).encode())
    members = {"alg": key.alg, "kid": key.kid, "typ": "JWT", **header}
    kept = {name: value for name, value in members.items() if value is not ...}
    signed = f"{b64url(json.dumps(kept).encode())}.{b64url(json.dumps(claims).encode())}"
    return f"{signed}.{b64url(get_algorithm_by_name(key.alg).sign(signed.encode(), key.private))}"
