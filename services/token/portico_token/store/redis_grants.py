"""Grants in Redis: one hash per grant, indexed by session and user; every write is one script."""

from __future__ import annotations

import math
from typing import Any, Final

import msgspec
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_oauth.opaque import bucket_of
from portico_runtime.process.clock import Clock
from portico_runtime.redis.client import RedisClient
from portico_runtime.versioned_cache import keys as facts

from portico_token.domain.grants import (
    AccessToken,
    AddResult,
    Exchange,
    FoundAccessToken,
    FoundRefreshToken,
    Grant,
    RefreshToken,
    Rotation,
    RotationResult,
    SaveResult,
    UserGrant,
)
from portico_token.store import keys
from portico_token.store.lua import source

MARK_SECONDS: Final = 3_600
"""Retention of the record of a revoked grant or session: far longer than a code may be in flight."""

MAX_SPENT_TOKENS: Final = 1_000
"""Used refresh tokens per grant that are distinguished from unknown ones."""

SAVE: Final = (
    "id", "record", "token_field", "token", "seconds", "expires", "now", "created_ms", "refresh", "token_entry", "person",
)  # fmt: skip
ROTATE: Final = (
    "id", "presented", "refresh", "token_field", "token", "seconds", "expires",
    "now", "token_entry", "grace_seconds", "max_spent", "mark_seconds", "leeway_seconds", "record", "jkt",
)  # fmt: skip

ADD: Final = ("subject_field", "token_field", "token", "token_entry", "now", "most", "client_id", "began_ms")

MOST_LISTED: Final = 500
"""Maximum listed grants of a user: Redis is blocked meanwhile."""

BATCH_SIZE: Final = 500
"""Approximate number of grants examined by one script; the list examines as many more as it may return."""

REVOKE_CLIENT: Final = ("client_id", "cursor", "batch_size", "mark_seconds", "now")

_END: Final = "0"

_encode = msgspec.json.Encoder().encode
_decode_grant = msgspec.json.Decoder(Grant).decode
_decode_token = msgspec.json.Decoder(AccessToken).decode
_decode_refresh = msgspec.json.Decoder(RefreshToken).decode


class RedisGrants:
    def __init__(self, redis: RedisClient, clock: Clock) -> None:
        self._redis = redis
        self._clock = clock
        self._save = redis.script(source("save_grant"), arguments=SAVE)
        self._rotate = redis.script(source("rotate_refresh_token"), arguments=ROTATE)
        self._add = redis.script(source("add_access_token"), arguments=ADD)
        self._find = redis.script(source("find_with_version"))
        self._revoke = redis.script(source("revoke_grant"))
        self._list = redis.script(source("list_grants"))
        self._revoke_client = redis.script(source("revoke_client"), arguments=REVOKE_CLIENT)
        self._revoke_session = redis.script(source("revoke_session"))

    async def save(
        self, grant: Grant, fingerprint: str, token: AccessToken, refresh: RefreshToken | None = None
    ) -> SaveResult:
        if grant.id[:2] != bucket_of(grant.user_id):
            # The revocation of its session or user would not find it.
            raise ValueError("the grant is not in its user's bucket")
        now = int(self._clock.now())
        expires = max(token.expires, refresh.idle_until if refresh else 0)
        field = keys.access_token(fingerprint)
        names = [
            keys.grant(grant.id),
            keys.user_grants(grant.user_id),
            keys.user_revoked_since(grant.user_id),
            keys.client_ended(grant.user_id, grant.client_id),
        ]
        if grant.session_id:
            names += [
                keys.session_grants(grant.user_id, grant.session_id),
                keys.session_ended(grant.user_id, grant.session_id),
            ]
        result = await self._redis.run(
            self._save,
            names,
            id=grant.id,
            record=_text(grant),
            token_field=field,
            token=_text(token),
            seconds=max(expires - now, 1),
            expires=expires,
            now=now,
            created_ms=int(grant.created * 1000),
            refresh=_text(refresh) if refresh else "",
            token_entry=f"{field} {token.expires}",
            person=facts.user(grant.user_id).field,
        )
        return SaveResult(result)

    async def find(self, grant_id: str, fingerprint: str) -> FoundAccessToken | None:
        version, record, token = await self._read(grant_id, keys.RECORD, keys.access_token(fingerprint))
        if record is None or token is None:
            return None
        return FoundAccessToken(_decode_grant(record), _decode_token(token), version)

    async def find_refresh(self, grant_id: str, fingerprint: str) -> FoundRefreshToken | None:
        version, record, refresh, spent = await self._read(
            grant_id, keys.RECORD, keys.REFRESH, keys.spent_refresh_token(fingerprint)
        )
        if record is None or refresh is None:
            return None
        return FoundRefreshToken(_decode_grant(record), _decode_refresh(refresh), spent is not None, version)

    async def _read(self, grant_id: str, *fields: str) -> Any:
        return await self._redis.ask(self._find, [keys.grant(grant_id), facts.versions(grant_id[:2])], fields)

    async def rotate(self, grant: Grant, rotation: Rotation) -> RotationResult:
        refresh, token = rotation.refresh, rotation.access
        expires = max(token.expires, refresh.idle_until)
        field = keys.access_token(rotation.access_fingerprint)
        names = [keys.grant(grant.id), keys.user_grants(grant.user_id)]
        if grant.session_id:
            names.append(keys.session_grants(grant.user_id, grant.session_id))
        result = await self._redis.run(
            self._rotate,
            names,
            id=grant.id,
            presented=rotation.presented,
            refresh=_text(refresh),
            token_field=field,
            token=_text(token),
            seconds=max(expires - refresh.issued, 1),
            expires=expires,
            now=refresh.issued,
            token_entry=f"{field} {token.expires}",
            grace_seconds=rotation.grace,
            max_spent=MAX_SPENT_TOKENS,
            mark_seconds=MARK_SECONDS,
            leeway_seconds=CLOCK_LEEWAY,
            record=_text(grant) if rotation.with_grant else "",
            jkt=token.jkt,
        )
        return RotationResult(result)

    async def add(
        self, grant_id: str, exchange: Exchange, fingerprint: str, token: AccessToken, most: int
    ) -> AddResult:
        field = keys.access_token(fingerprint)
        result = await self._redis.run(
            self._add,
            [keys.grant(grant_id)],
            subject_field=keys.access_token(exchange.subject),
            token_field=field,
            token=_text(token),
            token_entry=f"{field} {token.expires}",
            now=int(self._clock.now()),
            most=most,
            client_id=token.client_id,
            began_ms=int(exchange.began * 1000),
        )
        return AddResult(result)

    async def access_ended(self, user_id: str, client_id: str) -> float:
        ended, epoch = await self._redis.read_each(
            ("GET", keys.client_ended(user_id, client_id)), ("GET", keys.epoch(bucket_of(user_id)))
        )
        # Without an epoch, or from before it, marks may be lost.
        return max(float(ended or 0) / 1000, math.inf if epoch is None else float(epoch) - 1)

    async def revoke(self, grant_id: str) -> bool:
        return bool(await self._redis.run(self._revoke, [keys.grant(grant_id)], [MARK_SECONDS]))

    async def list_of_user(self, user_id: str) -> list[UserGrant]:
        names = [keys.user_grants(user_id), keys.grants_of_bucket(bucket_of(user_id))]
        found: list[Any] = []
        examined = batch = MOST_LISTED + BATCH_SIZE
        # A full batch without enough live grants had more than BATCH_SIZE ended ones, which are deleted now.
        while len(found) < MOST_LISTED and examined == batch:
            # It writes nothing but deletions of ended ids, which the next list would repeat if they were lost.
            found, examined = await self._redis.ask(self._list, names, [MOST_LISTED, batch])
        return [
            UserGrant(_decode_grant(record), _decode_refresh(refresh) if refresh else None) for record, refresh in found
        ]

    async def revoke_client(self, user_id: str, client_id: str) -> int:
        revoked, cursor = 0, ""
        names = [
            keys.user_grants(user_id),
            keys.grants_of_bucket(bucket_of(user_id)),
            keys.client_ended(user_id, client_id),
        ]
        now = int(self._clock.now() * 1000)
        while cursor != _END:
            live, cursor = await self._redis.run(
                self._revoke_client,
                names,
                client_id=client_id,
                cursor=cursor or _END,
                batch_size=BATCH_SIZE,
                mark_seconds=MARK_SECONDS,
                now=now,
            )
            revoked += live
        return revoked

    async def revoke_session(self, user_id: str, session_id: str) -> int:
        ended = await self._redis.run(
            self._revoke_session,
            [
                keys.session_grants(user_id, session_id),
                keys.session_ended(user_id, session_id),
                keys.user_grants(user_id),
                keys.grants_of_bucket(bucket_of(user_id)),
            ],
            [MARK_SECONDS],
        )
        return int(ended)


def _text(struct: msgspec.Struct) -> str:
    return _encode(struct).decode()
