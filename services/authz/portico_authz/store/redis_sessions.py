"""Sessions in Redis: what an authentication fixed, and beside it the idle end, which every use moves."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from portico_runtime.redis_client import RedisClient

from portico_authz.domain.session import Session
from portico_authz.store import keys, lua


class RedisSessions:
    """Implements `domain.ports.Sessions`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._save = redis.script(lua.source("save_session"))

    async def save(self, session: Session, seconds: int) -> None:
        """See `Sessions.save`."""
        text = msgspec.json.encode(session).decode()
        await self._redis.run(self._save, [keys.session(session.sid)], [text, session.idle_until, seconds])

    async def find(self, sid: str) -> Session | None:
        """See `Sessions.find`."""
        if not keys.is_ours(sid):
            return None
        text, idle_until = await self._redis.read("HMGET", keys.session(sid), "session", "idle_until")
        if text is None:
            return None
        return replace(msgspec.json.decode(text, type=Session), idle_until=float(idle_until))
