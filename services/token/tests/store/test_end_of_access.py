"""Since when a client has no access to a user (decisions 0153 and 0154), in the real Redis."""

from __future__ import annotations

import math

import pytest
from portico_fakes.clock import FrozenClock
from portico_oauth.opaque import bucket_of
from portico_runtime.redis.client import RedisClient
from portico_token.store import keys
from portico_token.store.redis_grants import RedisGrants

pytestmark = pytest.mark.servers


async def test_end_of_access_is_known(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """It is the time of the last end, and it is for this client alone."""
    store, user_id = RedisGrants(redis_of_token, clock), "whose access ends"
    await redis_of_token.read("SET", keys.epoch(bucket_of(user_id)), int(clock.now()) - 100)
    before = await store.access_ended(user_id, "web")
    for _ in range(2):
        clock.tick(30)
        await store.revoke_client(user_id, "web")

    assert before < clock.now() - 100
    assert await store.access_ended(user_id, "web") == pytest.approx(clock.now(), abs=0.001)
    assert await store.access_ended(user_id, "another") == before


async def test_lost_ends_of_access_count(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """Where Redis may have lost an end, no access from before is accepted."""
    store, epoch = RedisGrants(redis_of_token, clock), keys.epoch(bucket_of("who was lost"))
    await redis_of_token.read("DEL", epoch)
    without = await store.access_ended("who was lost", "web")
    await redis_of_token.read("SET", epoch, 1_900_000_000)

    assert without == math.inf
    assert await store.access_ended("who was lost", "web") == 1_900_000_000 - 1
