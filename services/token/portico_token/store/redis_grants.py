"""Grants in Redis: one hash per grant, indexed by session and user; every write is one script."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import msgspec
from portico_oauth.opaque import bucket_of
from portico_runtime.clock import Clock
from portico_runtime.redis_client import RedisClient

from portico_token.domain.grants import AccessToken, Grant, Kept
from portico_token.store import keys

MARK_SECONDS: Final = 3_600
"""How long the mark of an ended grant or session stays: far longer than a code that may still be in flight."""

_encode = msgspec.json.Encoder().encode
_decode_grant = msgspec.json.Decoder(Grant).decode
_decode_token = msgspec.json.Decoder(AccessToken).decode


class RedisGrants:
    """Implements `GrantStore`."""

    def __init__(self, redis: RedisClient, clock: Clock) -> None:
        self._redis = redis
        self._clock = clock
        self._keep = redis.script(_source("keep_grant"))
        self._revoke = redis.script(_source("revoke_grant"))
        self._end_session = redis.script(_source("end_session"))

    async def keep(self, grant: Grant, fingerprint: str, token: AccessToken) -> Kept:
        """See `GrantStore.keep`."""
        if grant.id[:2] != bucket_of(grant.user_id):
            # Ending a session would not find it.
            raise ValueError("the grant is not in its user's bucket")
        now = int(self._clock.now())
        seconds = max(token.expires - now, 1)
        result = await self._redis.run(
            self._keep,
            [
                keys.grant(grant.id),
                keys.session_over(grant.user_id, grant.session_id),
                keys.session_grants(grant.user_id, grant.session_id),
                keys.user_grants(grant.user_id),
            ],
            [grant.id, _text(grant), keys.access_token(fingerprint), _text(token), seconds, token.expires, now],
        )
        return Kept(result)

    async def find(self, grant_id: str, fingerprint: str) -> tuple[Grant, AccessToken] | None:
        """See `GrantStore.find`."""
        record, token = await self._redis.read(
            "HMGET", keys.grant(grant_id), keys.RECORD, keys.access_token(fingerprint)
        )
        if record is None or token is None:
            return None
        return _decode_grant(record), _decode_token(token)

    async def revoke(self, grant_id: str) -> bool:
        """See `GrantStore.revoke`."""
        return bool(await self._redis.run(self._revoke, [keys.grant(grant_id)], [MARK_SECONDS]))

    async def end_session(self, user_id: str, session_id: str) -> int:
        """See `GrantStore.end_session`."""
        ended = await self._redis.run(
            self._end_session,
            [keys.session_grants(user_id, session_id), keys.session_over(user_id, session_id)],
            [keys.grants_of_bucket(bucket_of(user_id)), MARK_SECONDS],
        )
        return int(ended)


def _text(struct: msgspec.Struct) -> str:
    return _encode(struct).decode()


def _source(name: str) -> str:
    return files("portico_token.store").joinpath("lua", f"{name}.lua").read_text()
