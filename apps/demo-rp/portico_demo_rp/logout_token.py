"""Validates logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import joserfc.jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, KeySetSerialization
from portico_runtime.process.clock import Clock

EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
ALGORITHMS: Final = ["RS256", "ES256", "EdDSA"]
LEEWAY: Final = 10
OLDEST: Final = 300
MAX_KEPT: Final = 1_000


class LogoutTokenRefused(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Logout:
    """`sid` is empty when all sessions of `sub` ended, `sub` when only `sid` is named."""

    sub: str
    sid: str


class LogoutTokens:
    def __init__(self, client_id: str, clock: Clock) -> None:
        self._client_id = client_id
        self._clock = clock
        self._seen: dict[str, None] = {}

    def read(self, token: str, issuer: str, keys: KeySetSerialization) -> Logout:
        claims = self._verified(token, issuer, keys)
        events = claims["events"]
        if not isinstance(events, dict) or events.get(EVENT) != {}:
            raise LogoutTokenRefused("it is no logout event")
        if "nonce" in claims:
            raise LogoutTokenRefused("it has a nonce, so it may be an id_token")
        logout = Logout(claims.get("sub", ""), claims.get("sid", ""))
        if not logout.sub and not logout.sid:
            raise LogoutTokenRefused("it names nobody")
        if claims["iat"] < self._clock.now() - OLDEST:
            raise LogoutTokenRefused("it is too old")
        self._remember(claims["jti"])
        return logout

    def _verified(self, token: str, issuer: str, keys: KeySetSerialization) -> dict[str, Any]:
        registry = joserfc.jwt.JWTClaimsRegistry(
            now=lambda: int(self._clock.now()),
            leeway=LEEWAY,
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": self._client_id},
            iat={"essential": True},
            exp={"essential": True},
            jti={"essential": True},
            events={"essential": True},
        )
        try:
            decoded = joserfc.jwt.decode(token, KeySet.import_key_set(keys), algorithms=ALGORITHMS)
            registry.validate(decoded.claims)
        except (JoseError, ValueError, KeyError) as error:
            raise LogoutTokenRefused(f"{type(error).__name__}: {error}") from error
        claims: dict[str, Any] = decoded.claims
        return claims

    def _remember(self, jti: str) -> None:
        if jti in self._seen:
            raise LogoutTokenRefused("it was here before")
        self._seen[jti] = None
        while len(self._seen) > MAX_KEPT:
            del self._seen[next(iter(self._seen))]
