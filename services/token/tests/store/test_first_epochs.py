"""The epochs of a new installation, which has lost nothing (decision 0027)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from portico_runtime.redis.nodes.history import GENERATION, History
from portico_token.store import keys
from portico_token.store.redis_epochs import RedisEpochs

from .replica import Installation, Replica

pytestmark = pytest.mark.servers


@pytest.fixture(name="replica")
async def _replica(installation: Installation) -> AsyncIterator[Replica]:
    async with AsyncExitStack() as stack:
        replica = installation.replica()
        stack.push_async_callback(replica.redis.close)
        yield replica


async def test_epochs_of_a_new_installation_exclude_nothing(replica: Replica) -> None:
    """Neither Redis nor users knows of a write, so nothing can have been lost; a second replica changes nothing."""
    await replica.start()
    await replica.epochs.create_missing()

    assert {await replica.epoch(bucket) for bucket in keys.BUCKETS} == {0}


async def test_bucket_that_users_knows_is_not_new(installation: Installation, replica: Replica) -> None:
    """Redis is empty, and a process has written to the bucket before: what was used in it is lost."""
    installation.users.marks["token"] = {"ab": 1}
    await replica.start()

    assert await replica.epoch("ab") > await replica.redis.time() - 60
    assert await replica.epoch("ac") == 0


async def test_bucket_that_was_reset_is_not_new(installation: Installation, replica: Replica) -> None:
    """A bucket is reset because it lost writes, and its new names have no epoch."""
    installation.users.marks["token"] = {"ab": 3 * GENERATION}
    await replica.start()

    assert replica.history.reset_number("ab") >= 3
    assert await replica.epoch("ab") > await replica.redis.time() - 60


async def test_redis_emptied_later_has_lost_data(installation: Installation, replica: Replica) -> None:
    """The replica itself has written to every bucket."""
    await replica.start()
    await installation.lose_redis()
    await replica.epochs.check_bucket("ab")

    assert min([await replica.epoch(bucket) for bucket in keys.BUCKETS]) > await replica.redis.time() - 60


async def test_epoch_of_an_older_replica_stays(installation: Installation, replica: Replica) -> None:
    """Of a release that counts the start of an installation as a loss, or of one that saw a loss."""
    older = installation.replica()
    await older.remembered.recall()
    await RedisEpochs(older.redis, History("token")).create_missing()
    before = [await older.epoch(bucket) for bucket in keys.BUCKETS]
    await older.redis.close()
    await replica.start()

    assert min(before) > 0
    assert [await replica.epoch(bucket) for bucket in keys.BUCKETS] == before


async def test_nothing_is_new_before_the_watermarks_are_loaded() -> None:
    assert History("token").has_written("ab")
    assert not History("token", recalled=True).has_written("ab")
