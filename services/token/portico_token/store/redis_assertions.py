"""Used assertions in Redis: one record each, stored as long as the assertion could be presented again."""

from __future__ import annotations

from typing import Final

from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_oauth.opaque import bucket_of
from portico_runtime.redis.client import RedisClient

from portico_token.domain.assertions import REPEAT_SECONDS, Assertion, ClaimResult
from portico_token.store import keys
from portico_token.store.lua import source

CLAIM: Final = ("issued", "earliest", "mark_seconds", "now", "repeat_ms", "leeway_ms")


class RedisAssertions:
    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._claim = redis.script(source("claim_assertion"), arguments=CLAIM)

    async def claim(self, assertion: Assertion, seconds: int, now: float) -> ClaimResult:
        names = [keys.epoch(bucket_of(assertion.issuer)), keys.assertion(assertion.issuer, assertion.name)]
        result = await self._redis.run(
            self._claim,
            names,
            issued=assertion.issued,
            earliest=assertion.earliest,
            mark_seconds=seconds,
            now=int(now * 1000),
            repeat_ms=REPEAT_SECONDS * 1000 if assertion.repeats else "",
            leeway_ms=CLOCK_LEEWAY * 1000,
        )
        return ClaimResult(result)
