"""Sessions in Redis, their idle expiry stored separately; indexed by user in a sorted set by absolute expiry."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

import msgspec
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.script import Value
from portico_runtime.versioned_cache import keys as facts

from portico_authz.domain.session import Session
from portico_authz.store import keys, lua

_decode = msgspec.json.Decoder(dict[str, Any]).decode

SAVED: Final = ("session", "idle_until", "seconds", "sid", "ends_at", "now", "index_seconds", "person", "again")
"""The arguments of `save_session`."""


def saved_values(session: Session, seconds: int, *, again: bool) -> dict[str, Value]:
    # At most a second early. Not `auth_time`, which may be years ago at another provider.
    now = min(session.idle_until, session.ends_at) - seconds
    return {
        "session": msgspec.json.encode(replace(session, version=None)).decode(),
        "idle_until": session.idle_until,
        "seconds": seconds,
        "sid": session.sid,
        "ends_at": session.ends_at,
        "now": now,
        "index_seconds": max(seconds, math.ceil(session.ends_at - now)),
        "person": facts.user(session.user_id).field,
        "again": "1" if again else "",
    }


class RedisSessions:
    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._save = redis.script(lua.source("save_session"), arguments=SAVED)
        self._find = redis.script(lua.source("find_session"))
        self._use = redis.script(lua.source("use_session"))
        self._end = redis.script(lua.source("end_session"))

    async def save(self, session: Session, seconds: int, *, again: bool = False) -> bool:
        """Session and index are in the user's bucket: one slot."""
        where = [keys.session(session.sid), keys.sessions_of(session.user_id)]
        return bool(await self._redis.run(self._save, where, **saved_values(session, seconds, again=again)))

    async def find(self, sid: str) -> Session | None:
        if not keys.is_identifier(sid):
            return None
        version, text, idle_until, ended = await self._redis.ask(
            self._find, [keys.session(sid), facts.versions(sid[:2])], ("session", "idle_until", "ended")
        )
        if text is None:
            return None
        fields = _decode(text)
        # Converted once: `replace` makes a call for each of the fields.
        return msgspec.convert(
            fields | {"idle_until": float(idle_until), "ended": bool(ended), "version": version}, Session
        )

    async def use(self, session: Session, client_id: str, now: float) -> bool:
        values: list[str | int | float] = [session.idle_until, session.seconds_left(now), keys.client_field(client_id)]
        return bool(await self._redis.run(self._use, [keys.session(session.sid)], values))

    async def list_sids(self, user_id: str) -> tuple[str, ...]:
        return tuple(await self._redis.read("ZRANGE", keys.sessions_of(user_id), 0, -1))

    async def end(self, sid: str, seconds: int, client_id: str = "", actor: str = "") -> None:
        await self._redis.run(self._end, [keys.session(sid)], [seconds, client_id, actor])
