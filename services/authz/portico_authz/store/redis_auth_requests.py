"""Authorization requests in Redis: one hash, what was asked in one field and what changes in others."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from portico_runtime.redis_client import RedisClient

from portico_authz.domain.auth_request import Asked, AuthRequest, Progress
from portico_authz.domain.submission import Submission
from portico_authz.store import keys, lua


class RedisAuthRequests:
    """Implements `domain.ports.AuthRequests`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._create = redis.script(lua.source("create_request"))
        self._swap = redis.script(lua.source("swap_csrf"))
        self._send = redis.script(lua.source("send_form"))
        self._repeat = redis.script(lua.source("repeat_form"))
        self._change = redis.script(lua.source("change_request"))
        self._answer = redis.script(lua.source("answer_request"))
        self._consume = redis.script(lua.source("consume"))

    async def create(self, request: AuthRequest, seconds: int) -> None:
        """See `AuthRequests.create`."""
        text = msgspec.json.encode(replace(request, csrf="")).decode()
        await self._redis.run(self._create, [keys.request(request.id)], [text, seconds, request.csrf])

    async def find(self, id: str) -> AuthRequest | None:
        """See `AuthRequests.find`."""
        if not keys.is_ours(id):
            return None
        names = ("request", "progress", "signed_in", "denied", "csrf", "submission", "answer", "offered")
        text, progress, signed_in, denied, csrf, sent, answer, offered = await self._redis.read(
            "HMGET", keys.request(id), *names
        )
        if text is None:
            return None
        kept = msgspec.json.decode(text, type=AuthRequest)
        return replace(
            kept,
            progress=msgspec.json.decode(progress, type=Progress) if progress else kept.progress,
            signed_in=signed_in or "",
            denied=bool(denied),
            csrf=csrf or "",
            submission=msgspec.json.decode(sent, type=Submission) if sent else None,
            answer=answer or "",
            offered=msgspec.json.decode(offered, type=Asked) if offered else None,
        )

    async def swap(self, id: str, old: str, new: str) -> bool:
        """See `AuthRequests.swap`."""
        return bool(await self._redis.run(self._swap, [keys.request(id)], [old, new]))

    async def send(self, id: str, next_csrf: str, submission: Submission) -> bool:
        """See `AuthRequests.send`."""
        text = msgspec.json.encode(submission).decode()
        return bool(await self._redis.run(self._send, [keys.request(id)], [submission.csrf, next_csrf, text]))

    async def repeat(self, id: str, csrf: str, most: int) -> bool:
        """See `AuthRequests.repeat`."""
        return bool(await self._redis.run(self._repeat, [keys.request(id)], [csrf, most]))

    async def change(
        self, id: str, *, progress: Progress | None = None, signed_in: str | None = None, denied: bool = False
    ) -> bool:
        """See `AuthRequests.change`."""
        text = None if progress is None else msgspec.json.encode(progress).decode()
        fields = {"progress": text, "signed_in": signed_in, "denied": "1" if denied else None}
        pairs = [text for name, value in fields.items() if value is not None for text in (name, value)]
        return bool(await self._redis.run(self._change, [keys.request(id)], pairs))

    async def offer(self, id: str, offered: Asked) -> bool:
        """See `AuthRequests.offer`."""
        text = msgspec.json.encode(offered).decode()
        return bool(await self._redis.run(self._change, [keys.request(id)], ["offered", text]))

    async def answer(self, id: str, code: str, *, instead_of: str, seconds: int) -> bool:
        """See `AuthRequests.answer`."""
        return bool(await self._redis.run(self._answer, [keys.request(id)], [instead_of, code, seconds]))

    async def consume(self, id: str) -> bool:
        """See `AuthRequests.consume`."""
        return bool(await self._redis.run(self._consume, [keys.request(id)], []))
