"""What is owed after sessions ended, in Redis: fields of the session itself, and one queue by due time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
from portico_runtime.redis_client import RedisClient

from portico_authz.domain.ending import KEPT_SECONDS, Ending
from portico_authz.domain.session import Session
from portico_authz.store import keys, lua


class RedisEndings:
    """Implements `domain.ports.Endings`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._plan = redis.script(lua.source("plan_endings"))
        self._claim = redis.script(lua.source("claim_endings"))
        self._revoked = redis.script(lua.source("set_revoked"))
        self._change = redis.script(lua.source("change_request"))
        self._told = redis.script(lua.source("set_told"))
        self._count = redis.script(lua.source("count_attempt"))
        self._leave = redis.script(lua.source("leave_queue"))
        self._finish = redis.script(lua.source("finish_ending"))

    async def plan(self, sids: Sequence[str], due: float) -> None:
        """See `Endings.plan`."""
        if sids:
            await self._redis.run(self._plan, [keys.endings()], [due, KEPT_SECONDS, *sids])

    async def claim(self, now: float, until: float, most: int) -> tuple[str, ...]:
        """See `Endings.claim`."""
        return tuple(await self._redis.run(self._claim, [keys.endings()], [now, until, most]))

    async def find(self, sid: str) -> Ending | None:
        """See `Endings.find`."""
        if not keys.is_ours(sid):
            return None
        fields: dict[str, str] = await self._redis.read("HGETALL", keys.session(sid))
        if "ended" not in fields:
            return None
        session = msgspec.json.decode(fields["session"], type=Session)
        return Ending(
            session=replace(session, idle_until=float(fields["idle_until"]), ended=True),
            clients=tuple(sorted(name[len(keys.CLIENT) :] for name in fields if name.startswith(keys.CLIENT))),
            revoked="revoked" in fields,
            said="said" in fields,
            attempts=int(fields.get("attempts", 0)),
            ended_by=fields.get("ended_by", ""),
        )

    async def set_revoked(self, session: Session) -> None:
        """See `Endings.set_revoked`. Session and index begin with the user's bucket: one slot."""
        both = [keys.session(session.sid), keys.sessions_of(session.user_id)]
        await self._redis.run(self._revoked, both, [session.sid])

    async def set_said(self, sid: str) -> None:
        """See `Endings.set_said`."""
        await self._redis.run(self._change, [keys.session(sid)], ["said", "1"])

    async def set_told(self, sid: str, client_ids: Sequence[str]) -> None:
        """See `Endings.set_told`."""
        if client_ids:
            fields = [keys.client_field(client_id) for client_id in client_ids]
            await self._redis.run(self._told, [keys.session(sid)], fields)

    async def count_attempt(self, sid: str) -> int:
        """See `Endings.count_attempt`."""
        return int(await self._redis.run(self._count, [keys.session(sid)], []))

    async def finish(self, sid: str) -> None:
        """See `Endings.finish`. The session first: an entry of the queue without one is dropped by whoever meets it."""
        if keys.is_ours(sid):
            await self._redis.run(self._finish, [keys.session(sid)], [])
        await self._redis.run(self._leave, [keys.endings()], [sid])
