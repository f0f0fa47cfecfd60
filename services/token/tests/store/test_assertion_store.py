from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_assertions import MemoryAssertions
from portico_harness.servers import RunningRedis, running_redis
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import bucket_of, fingerprint
from portico_runtime.process.health import NotReady
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.history import History
from portico_token.domain.assertions import Assertion, AssertionStore, ClaimResult
from portico_token.store import keys
from portico_token.store.redis_assertions import RedisAssertions
from portico_token.store.redis_epochs import RedisEpochs

LATER = 4_000_000_000
"""After any epoch that a server's own clock can set in this test run."""

_numbers = count()


def assertion(issuer: str = "robot", issued: int = LATER) -> Assertion:
    return Assertion(issuer, fingerprint(f"assertion {next(_numbers)}"), issued, issued, issued + 60)


@pytest.fixture
async def redis_of_token(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    """The real Redis as the user token, with every epoch set."""
    client = RedisClient(redis_server.section("token"), "token")
    await RedisEpochs(client, History("token")).create_missing()
    yield client
    await client.close()


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RunningRedis]:
    with running_redis(tmp_path / "redis") as server:
        yield server


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.servers)])
def store(request: pytest.FixtureRequest, clock: FrozenClock) -> AssertionStore:
    if request.param == "memory":
        return MemoryAssertions(clock)
    return RedisAssertions(request.getfixturevalue("redis_of_token"))


async def test_first_claim_wins(store: AssertionStore) -> None:
    one, other = assertion(), assertion()

    assert [await store.claim(one, 70, LATER), await store.claim(one, 7_000, LATER)] == [
        ClaimResult.FIRST,
        ClaimResult.USED,
    ]
    assert await store.claim(other, 70, LATER) is ClaimResult.FIRST


async def test_issuers_do_not_share_names(store: AssertionStore) -> None:
    one = assertion("one")

    assert await store.claim(one, 70, LATER) is ClaimResult.FIRST
    assert await store.claim(one._replace(issuer="other"), 70, LATER) is ClaimResult.FIRST


def repeatable(issued: int = LATER) -> Assertion:
    """Returns an assertion without `jti` for client authentication."""
    return assertion(issued=issued)._replace(repeats=True)


@pytest.mark.parametrize(
    ("first_use", "later", "expected"),
    [
        (0, 0, ClaimResult.REPEATED),
        (0, 5, ClaimResult.REPEATED),
        (0, 5.001, ClaimResult.USED),
        (-8, -3, ClaimResult.REPEATED),
        (-8, -2.999, ClaimResult.USED),
        (3, 5, ClaimResult.REPEATED),
        (3, 5.001, ClaimResult.USED),
        (5, 5, ClaimResult.REPEATED),
        (6, 6, ClaimResult.USED),
        (4, -6, ClaimResult.REPEATED),
        (4, -6.001, ClaimResult.USED),
    ],
)
async def test_repeat_window_of_an_assertion(
    store: AssertionStore, first_use: float, later: float, expected: ClaimResult
) -> None:
    """The window is five seconds from its issue or first use, whichever is earlier, and a backward clock does
    not extend it (JW-10).
    """
    one = repeatable()

    assert await store.claim(one, 70, LATER + first_use) is ClaimResult.FIRST
    assert await store.claim(one, 70, LATER + later) is expected


async def test_repeats_do_not_extend_the_window(store: AssertionStore) -> None:
    """The first use sets the marker, and after its time every repeat is refused (JW-10)."""
    one = repeatable()
    moments = (0, 4, 5, 6, 4, 600)

    claimed = [await store.claim(one, 700, LATER + seconds) for seconds in moments]

    assert [one.name for one in claimed] == ["FIRST", "REPEATED", "REPEATED", "USED", "REPEATED", "USED"]


async def test_assertion_with_a_jti_is_never_repeated(store: AssertionStore) -> None:
    """Only an assertion without jti may be repeated (JW-10)."""
    one = assertion()

    assert [await store.claim(one, 70, LATER) for _ in range(2)] == [ClaimResult.FIRST, ClaimResult.USED]


@pytest.mark.servers
@pytest.mark.parametrize(("late", "others"), [(5, ClaimResult.REPEATED), (6, ClaimResult.USED)])
async def test_concurrent_claims_of_two_replicas(
    redis_server: RunningRedis, redis_of_token: RedisClient, late: int, others: ClaimResult
) -> None:
    """Of a hundred claims over two connections one sets the marker, and the others are repeats or refused (JW-10)."""
    other = RedisClient(redis_server.section("token"), "token")
    replicas = [RedisAssertions(redis_of_token), RedisAssertions(other)]
    one = repeatable()

    results = await asyncio.gather(*(replicas[n % 2].claim(one, 70, LATER + late) for n in range(100)))
    await other.close()

    assert Counter(results) == {ClaimResult.FIRST: 1, others: 99}


@pytest.mark.servers
async def test_marker_of_an_earlier_release_allows_no_repeat(redis_of_token: RedisClient) -> None:
    """Such a marker has no time of first use, so the assertion counts as used (JW-10)."""
    one = repeatable()
    mark = redis_of_token.script("return redis.call('SET', KEYS[1], '1', 'EX', 70)")
    await redis_of_token.run(mark, [keys.assertion(one.issuer, one.name)], [])

    assert await RedisAssertions(redis_of_token).claim(one, 70, LATER) is ClaimResult.USED


async def test_one_of_many_claims_is_the_first(store: AssertionStore) -> None:
    """Of fifty concurrent claims exactly one is the first (JW-10)."""
    one = assertion()

    results = await asyncio.gather(*(store.claim(one, 70, LATER) for _ in range(50)))

    assert Counter(results) == {ClaimResult.FIRST: 1, ClaimResult.USED: 49}


@pytest.mark.servers
async def test_marker_expires_and_epoch_does_not(redis_of_token: RedisClient) -> None:
    """A marker expires with its assertion, while the epoch must outlive all markers."""
    one = assertion()
    await RedisAssertions(redis_of_token).claim(one, 70, LATER)

    assert 60 < await redis_of_token.read("TTL", keys.assertion(one.issuer, one.name)) <= 70
    assert await redis_of_token.read("TTL", keys.epoch(bucket_of(one.issuer))) == -1


@pytest.mark.servers
async def test_assertion_older_than_the_epoch_is_refused(redis_of_token: RedisClient) -> None:
    """Before the epoch the store cannot decide about reuse, and at the epoch itself an assertion is accepted."""
    store = RedisAssertions(redis_of_token)
    epoch = int(await redis_of_token.read("GET", keys.epoch(bucket_of("robot"))))

    assert await store.claim(assertion(issued=epoch - 1), 70, LATER) is ClaimResult.LOST
    assert await store.claim(assertion(issued=epoch), 70, LATER) is ClaimResult.FIRST


@pytest.mark.servers
async def test_every_bucket_has_an_epoch_from_the_start(own_redis: RunningRedis) -> None:
    """A second start does not change the epochs."""
    client = RedisClient(own_redis.section("token"), "token")
    epochs = RedisEpochs(client, History("token"))
    with pytest.raises(NotReady):
        await epochs.check()
    await epochs.create_missing()
    await epochs.check()
    first = [await client.read("GET", keys.epoch(bucket)) for bucket in keys.BUCKETS]
    await RedisEpochs(client, History("token")).create_missing()
    second = [await client.read("GET", keys.epoch(bucket)) for bucket in keys.BUCKETS]
    await client.close()

    assert None not in first
    assert first == second


@pytest.mark.servers
async def test_epochs_are_set_again_after_a_loss(own_redis: RunningRedis) -> None:
    """A check of one bucket of an emptied store sets all epochs, and existing ones are unchanged."""
    client = RedisClient(own_redis.section("token"), "token")
    epochs = RedisEpochs(client, History("token"))
    await epochs.check_bucket("7f")  # on an empty server
    first = [await client.read("GET", keys.epoch(bucket)) for bucket in keys.BUCKETS]
    await client.run(client.script("return redis.call('DEL', KEYS[1])"), [keys.epoch("00")], [])
    await epochs.check_bucket("7f")
    second = [await client.read("GET", keys.epoch(bucket)) for bucket in keys.BUCKETS]
    await client.close()

    assert None not in first
    assert second == [None, *first[1:]]


@pytest.mark.servers
async def test_lost_epoch_is_detected(own_redis: RunningRedis) -> None:
    """The first claim after a loss sets the epoch and is refused, like every assertion signed before (JW-10)."""
    client = RedisClient(own_redis.section("token"), "token")
    store = RedisAssertions(client)  # on an empty server
    used_before = assertion(issued=1_700_000_000)

    first = await store.claim(assertion(), 70, LATER)
    begun_at = int(await client.read("GET", keys.epoch(bucket_of("robot"))))
    again = [await store.claim(used_before, 70, LATER), await store.claim(assertion(issued=begun_at - 1), 70, LATER)]
    after = await store.claim(assertion(issued=begun_at), 70, LATER)
    await client.close()

    assert first is ClaimResult.LOST
    assert again == [ClaimResult.LOST, ClaimResult.LOST]
    assert after is ClaimResult.FIRST


@pytest.mark.servers
async def test_marker_survives_a_restart(own_redis: RunningRedis) -> None:
    """An acknowledged marker is on disk (JW-10)."""
    client = RedisClient(own_redis.section("token"), "token")
    await RedisEpochs(client, History("token")).create_missing()
    store, one = RedisAssertions(client), assertion()
    first = await store.claim(one, 7_000, LATER)
    await asyncio.to_thread(own_redis.stop)
    await asyncio.to_thread(own_redis.start)
    second = await store.claim(one, 7_000, LATER)
    await client.close()

    assert (first, second) == (ClaimResult.FIRST, ClaimResult.USED)


@pytest.mark.servers
async def test_unreachable_store_is_unavailable(redis_server: RunningRedis) -> None:
    """Whether the assertion was used is unknown, so the response is 503 (P2)."""
    section = redis_server.section("token").model_copy(update={"redis_url": "redis://127.0.0.1:1"})

    with pytest.raises(ServiceError) as refused:
        await RedisAssertions(RedisClient(section, "token")).claim(assertion(), 70, LATER)

    assert refused.value.kind is Kind.UNAVAILABLE
