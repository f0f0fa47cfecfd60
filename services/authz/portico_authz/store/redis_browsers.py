"""Browser records in Redis, keyed by the hash of the handle, so that rotating a handle moves the record."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from portico_runtime.redis.bounded_records import BoundedRecords
from portico_runtime.redis.client import RedisClient

from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser, HandleRotation, RotationResult
from portico_authz.domain.submission import Submission
from portico_authz.store import keys, lua
from portico_authz.store.bounded_texts import BoundedTexts
from portico_authz.store.progress_form import encode_progress
from portico_authz.store.redis_auth_requests import REQUEST_FIELDS, decode_request

_ANSWER: Final = ("request", "answer", "answer_seconds")


class RedisBrowsers:
    def __init__(self, redis: RedisClient, bounded: BoundedRecords) -> None:
        self._redis = redis
        self._bounded = bounded
        self._records = BoundedTexts(redis, bounded, Browser, keys.browser)
        self._extend = redis.script(lua.counting("extend"), arguments=("record", "seconds"))
        self._replace = redis.script(lua.source("replace"))
        self._rotate_handle = redis.script(
            lua.counting("rotate_handle"), arguments=("record", "browser", "seconds", *_ANSWER)
        )

    async def create(self, handle: str, browser: Browser, seconds: int) -> None:
        await self._records.save(handle, browser, seconds)
        if not browser.is_anonymous:
            await self._bounded.forget(keys.browser(handle))

    async def find(self, handle: str) -> Browser | None:
        return await self._records.find(handle)

    async def find_with_request(self, handle: str, request_id: str) -> tuple[Browser | None, AuthRequest | None]:
        if not keys.is_identifier(request_id):
            return None, None
        wanted: list[tuple[str, ...]] = [("HMGET", keys.request(request_id), *REQUEST_FIELDS)]
        if keys.is_identifier(handle):
            wanted.append(("GET", keys.browser(handle)))
        fields, *texts = await self._redis.read_each(*wanted)
        request = decode_request(fields)
        return self._records.decode(texts[0]) if request and texts else None, request

    async def extend(self, handle: str, seconds: int) -> None:
        key = keys.browser(handle)
        await self._redis.run(self._extend, [key, *self._bounded.index_keys(key)], record=key, seconds=seconds)

    async def rotate_handle(self, rotation: HandleRotation, seconds: int) -> RotationResult:
        """Handles and request are in the browser's bucket: one slot."""
        old, request = keys.browser(rotation.old), keys.request(rotation.request_id)
        where = [old, keys.browser(rotation.new), request, *self._bounded.index_keys(old)]
        fields = {
            "progress": encode_progress(rotation.progress),
            "submission": _encode(rotation.submission),
            "sent": rotation.submission.csrf,
            "signed_in": rotation.signed_in,
            "proven": "1",
        }
        pairs = [text for pair in fields.items() for text in pair]
        rotated = self._redis.run(
            self._rotate_handle,
            where,
            pairs,
            record=old,
            browser=_encode(rotation.browser),
            seconds=seconds,
            request=request,
            answer=rotation.answer,
            answer_seconds=rotation.answer_seconds,
        )
        uncounted = [old, request] if rotation.answer else [old]
        forgotten = self._bounded.forget_of_owner(rotation.client_address, *uncounted)
        result, _ = await asyncio.gather(rotated, forgotten)
        return RotationResult(result)

    async def replace(self, handle: str, browser: Browser) -> None:
        await self._redis.run(self._replace, [keys.browser(handle)], [_encode(browser)])

    async def delete(self, handle: str) -> None:
        await self._records.consume(handle)


def _encode(value: Browser | Submission) -> str:
    return msgspec.json.encode(value).decode()
