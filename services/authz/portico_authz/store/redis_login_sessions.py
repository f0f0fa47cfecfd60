"""Login sessions in Redis: a hash with the session as JSON, its sequence, and the sids that began with it."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from portico_runtime.redis.bounded_records import BoundedRecords
from portico_runtime.redis.client import RedisClient

from portico_authz.domain.login_session import LoginProof, LoginSession
from portico_authz.store import keys, lua
from portico_authz.store.bounded_texts import BoundedTexts
from portico_authz.store.progress_form import StoredProof, proof_in, stored_proof

_decode = msgspec.json.Decoder(LoginSession).decode


class RedisLoginSessions:
    """Sessions without a proven factor are limited like other records that unauthenticated callers cause."""

    def __init__(self, redis: RedisClient, bounded: BoundedRecords) -> None:
        self._redis = redis
        self._bounded = bounded
        saved = ("earlier", "sequence", "session", "seconds", "proven")
        self._save = redis.script(lua.source("save_login_session"), arguments=saved)
        self._add_sid = redis.script(lua.source("add_sid"))
        self._delete = redis.script(lua.source("delete_login_session"))

    async def save(self, session: LoginSession, seconds: int) -> bool:
        key, text = keys.login_session(session.id), msgspec.json.encode(replace(session, sids=())).decode()
        saved = await self._redis.run(
            self._save,
            [key],
            earlier=session.sequence - 1,
            sequence=session.sequence,
            session=text,
            seconds=seconds,
            proven="1" if session.is_proven else "",
        )
        if not saved:
            return False
        if session.is_proven:
            await self._bounded.forget(key)
        else:
            await self._bounded.admit(key, len(text), seconds)
        return True

    async def find(self, id: str) -> LoginSession | None:
        if not keys.is_identifier(id):
            return None
        text, sids = await self._redis.read("HMGET", keys.login_session(id), "session", "sids")
        return replace(_decode(text), sids=tuple((sids or "").split())) if text else None

    async def add_sid(self, id: str, sid: str) -> bool:
        return bool(await self._redis.run(self._add_sid, [keys.login_session(id)], [sid]))

    async def delete(self, session: LoginSession) -> bool:
        return bool(await self._redis.run(self._delete, [keys.login_session(session.id)], [" ".join(session.sids)]))


class RedisLoginProofs:
    def __init__(self, redis: RedisClient, bounded: BoundedRecords) -> None:
        self._records = BoundedTexts(redis, bounded, StoredProof, keys.login_proof)

    async def save(self, id: str, record: LoginProof, seconds: int, client_address: str = "") -> None:
        await self._records.save(id, stored_proof(record), seconds, client_address)

    async def find(self, id: str) -> LoginProof | None:
        stored = await self._records.find(id)
        return proof_in(stored) if stored else None

    async def consume(self, id: str) -> bool:
        return await self._records.consume(id)
