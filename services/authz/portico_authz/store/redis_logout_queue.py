"""The logout queue in Redis: fields of the session record, and one sorted set by due time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
from portico_runtime.redis.client import RedisClient

from portico_authz.domain.ended_session import RETENTION_SECONDS, EndedSession
from portico_authz.domain.session import Session
from portico_authz.store import keys, lua


class RedisLogoutQueue:
    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._enqueue = redis.script(lua.source("enqueue_logouts"))
        self._claim = redis.script(lua.source("claim_logouts"))
        self._set_revoked = redis.script(lua.source("set_revoked"))
        self._update = redis.script(lua.source("update_request"))
        self._set_notified = redis.script(lua.source("set_notified"))
        self._count_attempt = redis.script(lua.source("count_attempt"))
        self._remove = redis.script(lua.source("remove_from_queue"))
        self._delete = redis.script(lua.source("delete_ended_session"))

    async def enqueue(self, sids: Sequence[str], due: float) -> None:
        if sids:
            await self._redis.run(self._enqueue, [keys.logout_queue()], [due, RETENTION_SECONDS, *sids])

    async def claim(self, now: float, until: float, most: int) -> tuple[str, ...]:
        return tuple(await self._redis.run(self._claim, [keys.logout_queue()], [now, until, most]))

    async def find_next_time(self) -> float | None:
        found = await self._redis.read("ZRANGE", keys.logout_queue(), 0, 0, "WITHSCORES")
        return float(found[0][1]) if found else None

    async def find(self, sid: str) -> EndedSession | None:
        if not keys.is_identifier(sid):
            return None
        fields: dict[str, str] = await self._redis.read("HGETALL", keys.session(sid))
        if "ended" not in fields:
            return None
        session = msgspec.json.decode(fields["session"], type=Session)
        return EndedSession(
            session=replace(session, idle_until=float(fields["idle_until"]), ended=True),
            clients=tuple(sorted(name[len(keys.CLIENT) :] for name in fields if name.startswith(keys.CLIENT))),
            revoked="revoked" in fields,
            published="said" in fields,
            attempts=int(fields.get("attempts", 0)),
            ended_by=fields.get("ended_by", ""),
            actor=fields.get("actor", ""),
        )

    async def set_revoked(self, session: Session) -> None:
        """Session and index are in the user's bucket: one slot."""
        both = [keys.session(session.sid), keys.sessions_of(session.user_id)]
        await self._redis.run(self._set_revoked, both, [session.sid])

    async def set_published(self, sid: str) -> None:
        await self._redis.run(self._update, [keys.session(sid)], ["said", "1"])

    async def set_notified(self, sid: str, client_ids: Sequence[str]) -> None:
        if client_ids:
            fields = [keys.client_field(client_id) for client_id in client_ids]
            await self._redis.run(self._set_notified, [keys.session(sid)], fields)

    async def count_attempt(self, sid: str) -> int:
        return int(await self._redis.run(self._count_attempt, [keys.session(sid)], []))

    async def complete(self, sid: str) -> None:
        """The session is deleted first: a queue entry without a session is removed when it is claimed."""
        if keys.is_identifier(sid):
            await self._redis.run(self._delete, [keys.session(sid)], [])
        await self._redis.run(self._remove, [keys.logout_queue()], [sid])
