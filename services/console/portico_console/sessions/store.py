"""Sessions, ``console:{bucket}:session:<fingerprint>``: sealed, so that reading Redis impersonates no user."""

from __future__ import annotations

import base64
from typing import Any, Final

import msgspec
from portico_oauth.master_keys import MasterKeys, SealedAtRest, UnsealingFailed
from portico_oauth.opaque import RandomBytes, bucket_in, bucket_of, fingerprint, new_opaque
from portico_runtime.process.clock import Clock
from portico_runtime.redis.bounded_records import BoundedRecords
from portico_runtime.redis.client import RedisClient

from portico_console.sessions.session import KeptForm, Session

SHOWN_SECONDS: Final = 300
"""Lifetime of a secret before it is shown."""

FORM_SECONDS: Final = 1_800
"""Lifetime of a form while its user signs in again, which may include a new second factor."""

MOST_SHOWN: Final = 20
"""Pending secrets per user; beyond that the oldest is dropped (decision 0127)."""

SHARE_SHOWN: Final = 0.05
"""Share of Redis's memory for pending secrets."""

WORK_SECONDS: Final = 3_600
"""Lifetime of unfinished work, from its last step."""

MOST_WORK: Final = 3
"""Unfinished works per user."""

_TOUCH: Final = 60
"""Seconds of idleness that are not worth a write."""

_READ = """
local value = redis.call('GET', KEYS[1])
if value and redis.call('PTTL', KEYS[1]) < tonumber(least) then redis.call('PEXPIRE', KEYS[1], idle) end
return value
"""
_CREATE = """
redis.call('SET', KEYS[1], value, 'PX', milliseconds)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], ends_at, name)
redis.call('EXPIRE', KEYS[2], math.max(1, math.ceil(ends_at - now)))
return 1
"""
_NAMES = "return redis.call('ZRANGE', KEYS[1], 0, -1)"
_WRITE = "redis.call('SET', KEYS[1], value, 'PX', milliseconds) return 1"
_TAKE = "local value = redis.call('GET', KEYS[1]) redis.call('DEL', KEYS[1]) return value"
_REMOVE = "for _, key in ipairs(KEYS) do redis.call('DEL', key) end return #KEYS"


class RedisSessions:
    def __init__(
        self, redis: RedisClient, keys: MasterKeys, clock: Clock, random: RandomBytes, *, idle_seconds: int
    ) -> None:
        self._redis = redis
        self._shown = BoundedRecords(redis, "console", most=MOST_SHOWN, share=SHARE_SHOWN)
        self._work = BoundedRecords(redis, "console:work", most=MOST_WORK, share=SHARE_SHOWN)
        self._keys = keys
        self._clock = clock
        self._random = random
        self._idle = idle_seconds
        self._read = redis.script(_READ, arguments=("least", "idle"))
        self._create = redis.script(_CREATE, arguments=("value", "milliseconds", "name", "ends_at", "now"))
        self._names = redis.script(_NAMES)
        self._write = redis.script(_WRITE, arguments=("value", "milliseconds"))
        self._take = redis.script(_TAKE)
        self._remove = redis.script(_REMOVE)

    async def create(self, session: Session, kind: str) -> str:
        handle = new_opaque(bucket_of(session.sub), self._random)
        key = _key(kind, handle)
        await self._redis.run(
            self._create,
            [key, _index(kind, session.sub, session.sid)],
            value=self._seal(key, msgspec.json.encode(session)),
            milliseconds=self._idle * 1000,
            name=key.rpartition(":")[2],
            ends_at=session.ends_at,
            now=self._clock.now(),
        )
        return handle

    async def find(self, handle: str, kind: str) -> Session | None:
        if bucket_in(handle) is None:
            return None
        key = _key(kind, handle)
        least, idle = (self._idle - _TOUCH) * 1000, self._idle * 1000
        stored = await self._redis.run(self._read, [key], least=least, idle=idle)
        opened = self._open(key, stored)
        session = msgspec.json.decode(opened, type=Session) if opened is not None else None
        return session if session and self._clock.now() < session.ends_at else None

    async def remove(self, handle: str, kind: str) -> None:
        if bucket_in(handle) is not None:
            await self._redis.run(self._remove, [_key(kind, handle)])

    async def remove_all(self, sub: str, sid: str, kind: str) -> None:
        index = _index(kind, sub, sid)
        beside = f"console:{{{bucket_of(sub)}}}:{kind}"
        names = await self._redis.run(self._names, [index])
        await self._redis.run(self._remove, [*(f"{beside}:{name}" for name in names), index])

    async def keep_to_show(self, session: Session, secret: dict[str, Any]) -> str:
        """Beyond `MOST_SHOWN` per user, or the total limit, the oldest secret is dropped."""
        return await self._keep("shown", session, msgspec.json.encode(secret), SHOWN_SECONDS)

    async def keep_form(self, session: Session, form: KeptForm) -> str:
        return await self._keep("form", session, msgspec.json.encode(form), FORM_SECONDS)

    async def _keep(self, kind: str, session: Session, plaintext: bytes, seconds: int) -> str:
        name = new_opaque(bucket_of(session.sub), self._random)
        key = _key(kind, name, session.sub)
        size = await self._put(key, plaintext, seconds)
        await self._shown.admit(key, size, seconds, session.sub)
        return name

    async def take_to_show(self, session: Session, name: str) -> dict[str, Any] | None:
        opened = await self._take_once("shown", session, name)
        found: dict[str, Any] | None = msgspec.json.decode(opened) if opened is not None else None
        return found

    async def take_form(self, session: Session, name: str) -> KeptForm | None:
        opened = await self._take_once("form", session, name)
        return msgspec.json.decode(opened, type=KeptForm) if opened is not None else None

    async def _take_once(self, kind: str, session: Session, name: str) -> bytes | None:
        if bucket_in(name) is None:
            return None
        key = _key(kind, name, session.sub)
        opened = self._open(key, await self._redis.run(self._take, [key]))
        await self._shown.forget(key, session.sub)
        return opened

    async def keep_work(self, session: Session, place: str, work: dict[str, Any]) -> None:
        """Beyond `MOST_WORK` per user, or the total limit, the oldest work is dropped."""
        key = _work_key(session, place)
        size = await self._put(key, msgspec.json.encode(work), WORK_SECONDS)
        await self._work.admit(key, size, WORK_SECONDS, session.sub)

    async def find_work(self, session: Session, place: str) -> dict[str, Any] | None:
        key = _work_key(session, place)
        opened = self._open(key, await self._redis.run(self._read, [key], least=0, idle=0))
        found: dict[str, Any] | None = msgspec.json.decode(opened) if opened is not None else None
        return found

    async def drop_work(self, session: Session, place: str) -> None:
        key = _work_key(session, place)
        await self._redis.run(self._remove, [key])
        await self._work.forget(key, session.sub)

    async def _put(self, key: str, plaintext: bytes, seconds: int) -> int:
        value = self._seal(key, plaintext)
        await self._redis.run(self._write, [key], value=value, milliseconds=seconds * 1000)
        return len(value)

    def _seal(self, key: str, plaintext: bytes) -> str:
        sealed = self._keys.seal(plaintext, key.encode(), self._random)
        return ".".join((sealed.master, *(base64.b64encode(part).decode() for part in (sealed.nonce, sealed.data))))

    def _open(self, key: str, stored: str | None) -> bytes | None:
        if not stored:
            return None
        master, nonce, data = stored.split(".")
        try:
            sealed = SealedAtRest(master, base64.b64decode(nonce), base64.b64decode(data))
            return self._keys.unseal(sealed, key.encode())
        except UnsealingFailed:  # its master key was taken away: the person signs in again
            return None


def _index(kind: str, sub: str, sid: str) -> str:
    return f"console:{{{bucket_of(sub)}}}:{kind}-began-with:{fingerprint(sid)}"


def _work_key(session: Session, place: str) -> str:
    return f"console:{{{bucket_of(session.sub)}}}:work:{fingerprint(session.sub + place)}"


def _key(kind: str, handle: str, more: str = "") -> str:
    return f"console:{{{handle[:2]}}}:{kind}:{fingerprint(handle + more)}"
