"""Revocations in Redis: deleted fields of grants, records with an expiry, one epoch per bucket."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_oauth.opaque import bucket_of, equal_in_constant_time
from portico_runtime.process.clock import Clock
from portico_runtime.redis.client import RedisClient
from portico_runtime.versioned_cache import keys as facts

from portico_token.domain.grants import AccessToken, Grant, RefreshToken
from portico_token.domain.revocations import Issued, IssuedKind, StatelessToken
from portico_token.store import keys
from portico_token.store.lua import source

BATCH_SIZE: Final = 1_000
"""Grants revoked by one script. A service user may have very many, and Redis is blocked meanwhile."""

REVOKE_USER: Final = ("now", "mark_seconds", "batch_size")

_decode_grant = msgspec.json.Decoder(Grant).decode
_decode_token = msgspec.json.Decoder(AccessToken).decode
_decode_refresh = msgspec.json.Decoder(RefreshToken).decode


class RedisRevocations:
    def __init__(self, redis: RedisClient, clock: Clock, *, batch_size: int = BATCH_SIZE) -> None:
        self._redis = redis
        self._clock = clock
        self._batch_size = batch_size
        self._revoke_access_token = redis.script(source("revoke_access_token"))
        self._revoke_user = redis.script(source("revoke_user"), arguments=REVOKE_USER)
        self._deny = redis.script(source("deny"))
        self._version_if_active = redis.script(source("version_if_active"))

    async def find_issued(self, grant_id: str, fingerprint: str) -> Issued | None:
        fields = (keys.access_token(fingerprint), keys.spent_refresh_token(fingerprint), keys.REFRESH)
        record, access, spent, refresh = await self._redis.read("HMGET", keys.grant(grant_id), keys.RECORD, *fields)
        if record is None:
            return None
        grant = _decode_grant(record)
        if access is not None:
            return Issued(grant, IssuedKind.ACCESS_TOKEN, _decode_token(access).client_id or grant.client_id)
        if spent is not None or (
            refresh is not None and equal_in_constant_time(_decode_refresh(refresh).fingerprint, fingerprint)
        ):
            return Issued(grant, IssuedKind.REFRESH_TOKEN, grant.client_id)
        return None

    async def revoke_access_token(self, grant_id: str, fingerprint: str) -> None:
        await self._redis.run(self._revoke_access_token, [keys.grant(grant_id)], [keys.access_token(fingerprint)])

    async def revoke_user(self, user_id: str, seconds: int) -> int:
        names = [keys.user_grants(user_id), keys.user_revoked_since(user_id), keys.grants_of_bucket(bucket_of(user_id))]
        now = int(self._clock.now() * 1000)
        revoked, examined = 0, self._batch_size
        while examined == self._batch_size:
            live, examined = await self._redis.run(
                self._revoke_user, names, now=now, mark_seconds=seconds, batch_size=self._batch_size
            )
            revoked += live
        return revoked

    async def deny(self, token: StatelessToken) -> None:
        # More than its lifetime: expiry is decided by other clocks than that of Redis.
        seconds = max(token.expires - int(self._clock.now()), 0) + CLOCK_LEEWAY
        await self._redis.run(self._deny, [keys.denied(token.user_id, token.id)], [seconds])

    async def version_if_active(self, token: StatelessToken) -> str | None:
        person = facts.user(token.user_id)
        names = [
            keys.epoch(person.slot),
            keys.denied(token.user_id, token.id),
            keys.user_revoked_since(token.user_id),
            facts.versions(person.slot),
        ]
        args: tuple[int | str, ...] = (token.issued // 1000, token.issued, person.field)
        # It writes nothing but a missing epoch, which the next query would write as well.
        version: str | None = await self._redis.ask(self._version_if_active, names, args)
        return version
