"""Authorization requests in Redis: a hash with the immutable request in one field and its state in others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec
from portico_runtime.redis.bounded_records import COUNT, BoundedRecords
from portico_runtime.redis.client import RedisClient

from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.progress import FactorChallenge, Progress
from portico_authz.domain.submission import Submission
from portico_authz.store import keys, lua
from portico_authz.store.progress_form import decode_progress, encode_progress, encode_request, progress_of_record

REQUEST_FIELDS: Final = (
    "request",
    "progress",
    "signed_in",
    "denied",
    "csrf",
    "submission",
    "answer",
    "offered",
    "settled",
)


def decode_request(fields: Sequence[str | None]) -> AuthRequest | None:
    """The request whose `REQUEST_FIELDS` these are; None without one."""
    text, progress, signed_in, denied, csrf, sent, answer, offered, settled = fields
    if text is None:
        return None
    stored = msgspec.json.decode(text, type=AuthRequest)
    return replace(
        stored,
        progress=decode_progress(progress) if progress else progress_of_record(text),
        signed_in=signed_in or "",
        denied=bool(denied),
        csrf=csrf or "",
        submission=msgspec.json.decode(sent, type=Submission) if sent else None,
        answer=answer or "",
        offered=msgspec.json.decode(offered, type=FactorChallenge) if offered else None,
        settled=settled or "",
    )


class RedisAuthRequests:
    def __init__(self, redis: RedisClient, bounded: BoundedRecords) -> None:
        self._redis = redis
        self._bounded = bounded
        self._create = redis.script(lua.counting("store_request"), arguments=(*COUNT, "request", "csrf"))
        self._replace_csrf = redis.script(lua.source("replace_csrf"))
        self._accept_submission = redis.script(lua.source("accept_submission"))
        self._count_retry = redis.script(lua.source("count_retry"))
        self._update = redis.script(lua.source("update_request"))
        self._record_code = redis.script(
            lua.counting("record_code"), arguments=("record", "earlier", "code", "seconds")
        )
        self._consume = redis.script(lua.source("consume"))

    async def create(self, request: AuthRequest, seconds: int, anonymous: str = "") -> None:
        text = encode_request(replace(request, csrf=""))
        key, size = keys.request(request.id), len(text.encode())
        more = {"request": text, "csrf": request.csrf}
        beside = [keys.browser(anonymous)] if anonymous else []
        await self._bounded.store(self._create, key, size, seconds, request.client_address, beside, **more)

    async def find(self, id: str) -> AuthRequest | None:
        if not keys.is_identifier(id):
            return None
        return decode_request(await self._redis.read("HMGET", keys.request(id), *REQUEST_FIELDS))

    async def replace_csrf(self, id: str, old: str, new: str) -> bool:
        return bool(await self._redis.run(self._replace_csrf, [keys.request(id)], [old, new]))

    async def accept_submission(
        self, id: str, next_csrf: str, submission: Submission, progress: Progress | None = None
    ) -> bool:
        values = [submission.csrf, next_csrf, msgspec.json.encode(submission).decode()]
        if progress:
            values += ["progress", encode_progress(progress), "settled", submission.csrf]
        return bool(await self._redis.run(self._accept_submission, [keys.request(id)], values))

    async def settle(self, id: str, csrf: str) -> None:
        await self._redis.run(self._update, [keys.request(id)], ["settled", csrf])

    async def count_retry(self, id: str, csrf: str, most: int) -> bool:
        return bool(await self._redis.run(self._count_retry, [keys.request(id)], [csrf, most]))

    async def update(
        self, id: str, *, progress: Progress | None = None, signed_in: str | None = None, denied: bool = False
    ) -> bool:
        text = None if progress is None else encode_progress(progress)
        proven = "1" if signed_in or (progress and progress.is_proof) else None
        fields = {"progress": text, "signed_in": signed_in, "denied": "1" if denied else None, "proven": proven}
        pairs = [text for name, value in fields.items() if value is not None for text in (name, value)]
        return bool(await self._redis.run(self._update, [keys.request(id)], pairs))

    async def set_passkey_challenge(self, id: str, offered: FactorChallenge) -> bool:
        text = msgspec.json.encode(offered).decode()
        return bool(await self._redis.run(self._update, [keys.request(id)], ["offered", text]))

    async def record_code(self, request: AuthRequest, code: str, seconds: int) -> bool:
        key = keys.request(request.id)
        where = [key, *self._bounded.index_keys(key)]
        recorded, _ = await asyncio.gather(
            self._redis.run(self._record_code, where, record=key, earlier=request.answer, code=code, seconds=seconds),
            self._bounded.forget_of_owner(request.client_address, key),
        )
        return bool(recorded)

    async def forget(self, request: AuthRequest) -> None:
        await self._bounded.forget(keys.request(request.id), request.client_address)

    async def consume(self, id: str) -> bool:
        return bool(await self._redis.run(self._consume, [keys.request(id)], []))
