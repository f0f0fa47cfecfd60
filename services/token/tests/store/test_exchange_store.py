"""Tokens of token exchanges in the grant of the token that was exchanged (decision 0096)."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.memory_revocations import MemoryRevocations
from portico_fakes.randomness import seeded_bytes
from portico_oauth.opaque import bucket_of, new_opaque
from portico_runtime.redis.client import RedisClient
from portico_token.domain.grants import AccessToken, AddResult, Exchange, Grant, GrantStore
from portico_token.domain.revocations import RevocationStore
from portico_token.store import keys
from portico_token.store.redis_grants import RedisGrants
from portico_token.store.redis_revocations import RedisRevocations

NOW = 1_790_000_000
MOST = 3
SUBJECT = Exchange("subject", NOW)
_numbers = count()
_random = seeded_bytes(31)
Stores = tuple[GrantStore, RevocationStore]


def token(seconds: int = 3_600, client_id: str = "orders", at: int = 0) -> AccessToken:
    return AccessToken(NOW + at, NOW + at + seconds, ("openid",), ("stock",), client_id)


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.servers)])
def stores(request: pytest.FixtureRequest, clock: FrozenClock) -> Stores:
    if request.param == "memory":
        grants = MemoryGrants(clock=clock)
        return grants, MemoryRevocations(grants, clock)
    redis = request.getfixturevalue("redis_of_token")
    return RedisGrants(redis, clock), RedisRevocations(redis, clock)


async def saved(store: GrantStore, seconds: int = 3_600) -> Grant:
    """A grant with an access token for the application."""
    user_id = f"exchanging-{next(_numbers)}"
    grant = Grant(
        id=new_opaque(bucket_of(user_id), _random, 128),
        user_id=user_id,
        client_id="app",
        audience=("app", "orders"),
        scope=("openid",),
        session_id="session",
        auth_time=NOW,
        amr=(),
        acr="",
        created=NOW,
    )
    await store.save(grant, "subject", token(seconds, client_id=""))
    return grant


async def test_added_token_is_found_and_ends_with_its_grant(stores: Stores) -> None:
    store, revocations = stores
    grant = await saved(store)

    assert await store.add(grant.id, SUBJECT, "added", token(), MOST) is AddResult.ADDED
    found = await store.find(grant.id, "added")
    issued = await revocations.find_issued(grant.id, "added")
    await store.revoke(grant.id)

    assert found is not None
    assert found.token == token()
    assert issued is not None
    assert issued.client_id == "orders"
    assert await store.find(grant.id, "added") is None


async def test_nothing_is_added_for_what_has_ended(stores: Stores) -> None:
    """An unknown grant, a subject token that was revoked meanwhile, a grant that was."""
    store, revocations = stores
    grant, without_subject = await saved(store), await saved(store)
    await revocations.revoke_access_token(without_subject.id, "subject")
    await store.revoke(grant.id)
    unknown = new_opaque(grant.id[:2], _random, 128)

    results = [await store.add(id, SUBJECT, "added", token(), MOST) for id in (grant.id, without_subject.id, unknown)]

    assert results == [AddResult.ENDED] * 3
    assert [await store.find(id, "added") for id in (grant.id, without_subject.id, unknown)] == [None] * 3


async def test_only_live_tokens_count(stores: Stores, clock: FrozenClock) -> None:
    """Expired ones are dropped, so that a long session may exchange for as long as it lasts."""
    store, _ = stores
    grant = await saved(store)
    first = [await store.add(grant.id, SUBJECT, f"a{number}", token(60), MOST) for number in range(MOST + 1)]
    clock.tick(60)
    second = [await store.add(grant.id, SUBJECT, f"b{number}", token(60, at=60), MOST) for number in range(MOST + 1)]

    assert first == second == [*[AddResult.ADDED] * MOST, AddResult.TOO_MANY]
    assert await store.find(grant.id, "b0") is not None


async def test_expired_tokens_after_one_that_lives_longer_do_not_count(stores: Stores, clock: FrozenClock) -> None:
    """Where an API with long tokens and one with short ones exchange, never more than two of these are live."""
    store, _ = stores
    grant = await saved(store, 86_400)
    assert await store.add(grant.id, SUBJECT, "long", token(43_200, "archive"), MOST) is AddResult.ADDED
    results = []
    for number in range(3 * MOST):
        results.append(await store.add(grant.id, SUBJECT, f"s{number}", token(60, at=60 * number), MOST))
        clock.tick(60)

    assert results == [AddResult.ADDED] * (3 * MOST)
    assert await store.find(grant.id, "long") is not None


async def test_revoked_tokens_do_not_count(stores: Stores) -> None:
    """A token that was revoked makes room for another one, and the live ones stay counted."""
    store, revocations = stores
    grant = await saved(store)
    for number in range(MOST):
        await store.add(grant.id, SUBJECT, f"a{number}", token(), MOST)
    await revocations.revoke_access_token(grant.id, "a1")

    results = [await store.add(grant.id, SUBJECT, f"b{number}", token(), MOST) for number in range(2)]

    assert results == [AddResult.ADDED, AddResult.TOO_MANY]


@pytest.mark.servers
async def test_numbers_of_added_tokens_have_no_gap(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """An earlier release that runs beside this one counts from the first number to the last one."""
    store = RedisGrants(redis_of_token, clock)
    grant = await saved(store, 86_400)
    for number, seconds in enumerate((43_200, 60, 43_200, 60)):
        await store.add(grant.id, SUBJECT, f"t{number}", token(seconds), 4)
    clock.tick(60)
    await store.add(grant.id, SUBJECT, "t4", token(43_200), 4)

    numbers = [await redis_of_token.read("HGET", keys.grant(grant.id), f"xi:{number}") for number in range(1, 6)]
    bounds = await redis_of_token.read("HMGET", keys.grant(grant.id), "xo", "xn")

    ends = NOW + 43_200
    assert numbers == [f"at:t0 {ends}", f"at:t2 {ends}", f"at:t4 {ends}", None, None]
    assert bounds == ["1", "3"]


@pytest.mark.servers
async def test_grant_does_not_grow(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """However often a session exchanges, its record has few fields besides those of live tokens."""
    store = RedisGrants(redis_of_token, clock)
    grant = await saved(store, 86_400)
    for number in range(50):
        assert await store.add(grant.id, SUBJECT, f"t{number}", token(60, at=60 * number), 5) is AddResult.ADDED
        clock.tick(60)

    assert await redis_of_token.read("HLEN", keys.grant(grant.id)) <= 10


async def test_no_exchange_survives_a_concurrent_revocation(stores: Stores) -> None:
    """Of 200 exchanges during the revocation of their grant, none leaves an active token (P3)."""
    store, _ = stores
    grant = await saved(store)
    adding = [store.add(grant.id, SUBJECT, f"r{number}", token(), 1_000) for number in range(100)]
    late = [store.add(grant.id, SUBJECT, f"r{number}", token(), 1_000) for number in range(100, 200)]
    await asyncio.gather(*adding, store.revoke(grant.id), *late)

    assert [await store.find(grant.id, f"r{number}") for number in range(200)] == [None] * 200


async def test_ended_access_ends_exchanged_tokens_and_those_begun_before(stores: Stores, clock: FrozenClock) -> None:
    """What one client got by exchanges of another's token ends with its own access, and an exchange that checked what
    the user allows before the end adds nothing after it (decision 0154).
    """
    store = stores[0]
    grant = await saved(store)
    before = Exchange("subject", clock.now())
    await store.add(grant.id, before, "kept", token(client_id="stock"), MOST)
    await store.add(grant.id, before, "ended", token(), MOST)
    clock.tick(1)
    await store.revoke_client(grant.user_id, "orders")
    late = await store.add(grant.id, before, "late", token(), MOST)
    clock.tick(1)
    after = await store.add(grant.id, Exchange("subject", clock.now()), "after", token(), MOST)

    assert (late, after) == (AddResult.ENDED, AddResult.ADDED)
    assert [await store.find(grant.id, one) is not None for one in ("kept", "ended", "late")] == [True, False, False]
