"""Used assertions in Redis: a mark each, as long as the assertion could be presented again."""

from __future__ import annotations

from portico_oauth.opaque import bucket_of
from portico_runtime.redis_client import RedisClient

from portico_token.domain.assertions import Assertion, Claimed
from portico_token.store import keys
from portico_token.store.lua import source


class RedisAssertions:
    """Implements `AssertionStore`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._claim = redis.script(source("claim_assertion"))

    async def claim(self, assertion: Assertion, seconds: int) -> Claimed:
        """See `AssertionStore.claim`."""
        names = [keys.epoch(bucket_of(assertion.issuer)), keys.assertion(assertion.issuer, assertion.name)]
        return Claimed(await self._redis.run(self._claim, names, [assertion.issued, seconds]))
