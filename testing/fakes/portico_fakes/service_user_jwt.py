from __future__ import annotations

from typing import Any, Final

import msgspec
from portico_oauth.jose import SigningKey
from portico_token.domain.origin import Origin
from portico_token.domain.token_text import new_stateless_id

from portico_fakes.token_service import ISSUER, TokenService

ROBOT: Final = "robot-1"
"""Register it with `TokenService.register_service_user`."""


def service_user_jwt(
    service: TokenService, origin: Origin = Origin.CLIENT_CREDENTIALS, *, key: SigningKey | None = None, **claims: Any
) -> str:
    """Issues a stateless token of the service user.

    Args:
        key: the signing key; defaults to the first published one.
        claims: replace the default claims.
    """
    now = service.clock.now()
    said = {
        "iss": ISSUER,
        "sub": ROBOT,
        "aud": ["api", "project-1"],
        "exp": int(now) + 3_600,
        "iat": int(now),
        "nbf": int(now),
        "client_id": ROBOT,
        "jti": new_stateless_id(ROBOT, origin, now, service.random),
        "scope": "openid",
        **claims,
    }
    return (key or service.keys.published[0]).sign(msgspec.json.encode(said), typ="at+jwt")
