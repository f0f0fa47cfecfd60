"""One conformance suite for refresh tokens in grant stores: in memory and on a real Redis."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import count

import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.randomness import seeded_bytes
from portico_harness.servers import RunningRedis
from portico_oauth.opaque import bucket_of, new_opaque
from portico_runtime.redis_client import RedisClient
from portico_token.domain.grants import (
    AccessToken,
    Grant,
    GrantStore,
    RefreshToken,
    Rotation,
    RotationResult,
    SaveResult,
)
from portico_token.store import keys
from portico_token.store.redis_grants import MAX_SPENT_TOKENS, RedisGrants

NOW = 1_790_000_000
IDLE, ENDS = 2_592_000, 7_776_000
_users = count()
_random = seeded_bytes(31)


def refresh_token(name: str, at: int = 0) -> RefreshToken:
    """A refresh token issued some seconds later."""
    idle_until = min(NOW + at + IDLE, NOW + ENDS)
    return RefreshToken(fingerprint=name, issued=NOW + at, idle_until=idle_until, ends=NOW + ENDS)


def access_token(at: int = 0) -> AccessToken:
    """An access token issued some seconds later."""
    return AccessToken(NOW + at, NOW + at + 3_600, ("openid",))


def use(presented: str, following: str, *, at: int = 0, grace: int = 0) -> Rotation:
    """One use of a refresh token, some seconds later; its access token is named like the successor."""
    return Rotation(presented, grace, refresh_token(following, at), f"at-{following}", access_token(at))


@dataclass(frozen=True)
class Kit:
    """A store, and a grant of a user of its own for each test."""

    store: GrantStore
    grant: Grant

    async def save(self, name: str = "r1") -> SaveResult:
        """Stores the grant with its first refresh token."""
        return await self.store.save(self.grant, f"at-{name}", access_token(), refresh_token(name))

    async def rotate(self, presented: str, following: str, *, at: int = 0, grace: int = 0) -> RotationResult:
        """Uses a refresh token."""
        return await self.store.rotate(self.grant, use(presented, following, at=at, grace=grace))

    async def lives(self, name: str) -> bool:
        """The access token that came with a refresh token is known."""
        return await self.store.find(self.grant.id, f"at-{name}") is not None


@pytest.fixture
async def redis_of_token(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    """The real Redis as the user token."""
    client = RedisClient(redis_server.section("token"), "token")
    yield client
    await client.close()


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.servers)])
def kit(request: pytest.FixtureRequest, clock: FrozenClock) -> Kit:
    """Each of the stores."""
    if request.param == "memory":
        return Kit(MemoryGrants(), new_grant())
    return Kit(RedisGrants(request.getfixturevalue("redis_of_token"), clock), new_grant())


def new_grant(session_id: str | None = None) -> Grant:
    """A grant of a new user, by default of a session that no other test ends."""
    user_id = f"refreshing user {next(_users)}"
    return Grant(
        id=new_opaque(bucket_of(user_id), _random, 128),
        user_id=user_id,
        client_id="web",
        audience=("web",),
        scope=("openid", "offline_access"),
        session_id=f"session of {user_id}" if session_id is None else session_id,
        auth_time=NOW - 5,
        amr=("pwd",),
        acr="urn:portico:acr:pwd",
        created=NOW + 0.25,
    )


async def test_a_grant_without_a_refresh_token_cannot_be_refreshed(kit: Kit) -> None:
    """It is neither found nor rotated by any fingerprint."""
    await kit.store.save(kit.grant, "at", access_token())

    assert await kit.store.find_refresh(kit.grant.id, "r1") is None
    assert await kit.rotate("r1", "r2") is RotationResult.REFUSED


async def test_it_is_found_with_its_grant(kit: Kit) -> None:
    """It is read back as it was saved, whatever fingerprint is presented."""
    assert await kit.save() is SaveResult.SAVED
    assert await kit.store.find_refresh(kit.grant.id, "r1") == (kit.grant, refresh_token("r1"), False, "")
    assert await kit.store.find_refresh(kit.grant.id, "nobody's") == (kit.grant, refresh_token("r1"), False, "")
    assert await kit.store.find_refresh(new_grant().id, "r1") is None


async def test_a_use_replaces_it(kit: Kit) -> None:
    """The next one is current, the one before is spent and stored for the grace period; both access tokens are active."""
    await kit.save()

    assert await kit.rotate("r1", "r2", at=7) is RotationResult.ROTATED
    found = await kit.store.find_refresh(kit.grant.id, "r1")
    assert found is not None
    assert (found.refresh.fingerprint, found.refresh.issued, found.spent) == ("r2", NOW + 7, True)
    assert (found.refresh.previous, found.refresh.rotated_at) == ("r1", NOW + 7)
    assert (found.refresh.idle_until, found.refresh.ends) == (NOW + 7 + IDLE, NOW + ENDS)
    assert [await kit.lives(name) for name in ("r1", "r2")] == [True, True]


async def test_an_unknown_one_changes_nothing(kit: Kit) -> None:
    """Refused, and the current one is as good as before."""
    await kit.save()

    assert await kit.rotate("unknown", "r2") is RotationResult.REFUSED
    assert await kit.rotate("r1", "r2") is RotationResult.ROTATED


async def test_a_spent_one_ends_the_grant(kit: Kit) -> None:
    """Once; afterwards there is nothing to end, and nothing can be made of it again (TK-09)."""
    await kit.save()
    await kit.rotate("r1", "r2")

    assert await kit.rotate("r1", "r3") is RotationResult.REUSED
    assert [await kit.rotate(name, "r4") for name in ("r1", "r2", "r3")] == [RotationResult.REFUSED] * 3
    assert [await kit.lives(name) for name in ("r1", "r2", "r3")] == [False] * 3
    assert await kit.save("r5") is SaveResult.ALREADY_REVOKED


@pytest.mark.parametrize(("at", "rotated"), [(IDLE - 1, RotationResult.ROTATED), (IDLE, RotationResult.REFUSED)])
async def test_it_expires(kit: Kit, at: int, rotated: RotationResult) -> None:
    """At the second of its expiry, whatever the store still holds."""
    await kit.save()

    assert await kit.rotate("r1", "r2", at=at) is rotated


async def test_within_the_grace_the_one_before_may_be_used_again(kit: Kit) -> None:
    """It takes the place of its first successor; the grace counts from the first use, however often it is claimed."""
    await kit.save()
    steps = [
        (0, RotationResult.ROTATED),
        (5, RotationResult.ROTATED),
        (9, RotationResult.ROTATED),
        (10, RotationResult.REUSED),
    ]

    results = [await kit.rotate("r1", f"r-{at}", at=100 + at, grace=10) for at, _rotated in steps]

    assert results == [rotated for _at, rotated in steps]


async def test_the_grace_is_not_for_what_was_replaced(kit: Kit) -> None:
    """A successor that another took the place of is spent."""
    await kit.save()
    await kit.rotate("r1", "r2", grace=10)
    await kit.rotate("r1", "r3", grace=10)

    assert await kit.rotate("r2", "r4", grace=10) is RotationResult.REUSED


async def test_without_a_grace_there_is_none(kit: Kit) -> None:
    """Not even within the same second."""
    await kit.save()
    await kit.rotate("r1", "r2")

    assert await kit.rotate("r1", "r3") is RotationResult.REUSED


async def test_of_many_at_once_one_wins(kit: Kit) -> None:
    """One rotates, one ends the grant, and the rest finds nothing (TK-09)."""
    await kit.save()

    results = await asyncio.gather(*(kit.rotate("r1", f"next-{number}") for number in range(50)))

    assert Counter(results) == {RotationResult.ROTATED: 1, RotationResult.REUSED: 1, RotationResult.REFUSED: 48}


async def test_the_end_of_the_session_ends_it(kit: Kit) -> None:
    """After many uses as after none."""
    await kit.save()
    await kit.rotate("r1", "r2", at=1_000)

    assert await kit.store.revoke_session(kit.grant.user_id, kit.grant.session_id) == 1
    assert await kit.rotate("r2", "r3", at=2_000) is RotationResult.REFUSED


async def test_spent_ones_are_stored_for_long(kit: Kit) -> None:
    """The newest thousand are stored; an older one is like an unknown one (bounded record)."""
    await kit.save("r0")
    for number in range(MAX_SPENT_TOKENS + 1):
        await kit.rotate(f"r{number}", f"r{number + 1}", at=number)
    asked = [await kit.store.find_refresh(kit.grant.id, name) for name in ("r0", "r1", f"r{MAX_SPENT_TOKENS}")]

    assert [found.spent for found in asked if found] == [False, True, True]
    assert await kit.rotate("r0", "x") is RotationResult.REFUSED
    assert await kit.rotate("r1", "x") is RotationResult.REUSED


@pytest.mark.servers
async def test_the_record_does_not_grow(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """Access tokens that have expired go with the next uses: what is used hourly for years stays small."""
    kit = Kit(RedisGrants(redis_of_token, clock), new_grant())
    await kit.save("r0")
    for number in range(60):
        await kit.rotate(f"r{number}", f"r{number + 1}", at=number * 1_200)
    names = await redis_of_token.read("HKEYS", keys.grant(kit.grant.id))
    kinds = Counter(name.partition(":")[0] for name in names)

    assert (kinds["at"], kinds["ai"]) == (3, 3)
    assert (kinds["rs"], kinds["si"], kinds["rt"], kinds["g"]) == (60, 60, 1, 1)


@pytest.mark.servers
async def test_the_grant_lives_as_long_as_it_may_be_refreshed(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """With its indexes: thirty days, extended by every use, and not a day beyond the end of the family."""
    kit = Kit(RedisGrants(redis_of_token, clock), new_grant())
    grant = kit.grant
    names = [
        keys.grant(grant.id),
        keys.user_grants(grant.user_id),
        keys.session_grants(grant.user_id, grant.session_id),
    ]
    await kit.save()
    saved = [await redis_of_token.read("TTL", name) for name in names]
    scores = [await redis_of_token.read("ZSCORE", name, grant.id) for name in names[1:]]
    await kit.rotate("r1", "r2", at=ENDS - 100)

    assert all(IDLE - 10 < seconds <= IDLE for seconds in saved), saved
    assert {float(score) for score in scores} == {NOW + IDLE}
    found = await kit.store.find_refresh(grant.id, "r2")
    assert found is not None
    assert found.refresh.fingerprint == "r1"  # it had died of idleness


@pytest.mark.servers
async def test_a_use_moves_the_indexes_on(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """So that logout still finds a grant that is older than its session's first tokens."""
    kit = Kit(RedisGrants(redis_of_token, clock), new_grant())
    await kit.save()
    await kit.rotate("r1", "r2", at=86_400)
    names = [keys.user_grants(kit.grant.user_id), keys.session_grants(kit.grant.user_id, kit.grant.session_id)]

    assert {float(await redis_of_token.read("ZSCORE", name, kit.grant.id)) for name in names} == {NOW + 86_400 + IDLE}


@pytest.mark.servers
async def test_a_grant_without_a_session_has_no_index_of_one(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """A service user's: only the user's index knows it."""
    store = RedisGrants(redis_of_token, clock)
    grant = new_grant(session_id="")
    saved = await store.save(grant, "at", access_token())

    assert saved is SaveResult.SAVED
    assert await redis_of_token.read("EXISTS", keys.session_grants(grant.user_id, "")) == 0
    assert await redis_of_token.read("ZSCORE", keys.user_grants(grant.user_id), grant.id) is not None


@pytest.mark.parametrize(
    ("at", "rotated"), [(990, RotationResult.ROTATED), (989, RotationResult.REFUSED), (-2_600, RotationResult.REFUSED)]
)
async def test_a_clock_before_the_issue_refuses(kit: Kit, at: int, rotated: RotationResult) -> None:
    """Ten seconds are the leeway; the grant lives on, for a clock that is right again (FD-14)."""
    await kit.save()
    await kit.rotate("r1", "r2", at=1_000)

    assert await kit.rotate("r2", "r3", at=at) is rotated
    assert (
        await kit.rotate("r3" if rotated is RotationResult.ROTATED else "r2", "r4", at=1_001) is RotationResult.ROTATED
    )


async def test_a_clock_that_went_back_makes_no_longer_grace(kit: Kit) -> None:
    """The one before the current one is not valid again while the clock is before its first use (FD-14)."""
    await kit.save()
    await kit.rotate("r1", "r2", at=1_000, grace=60)

    assert await kit.rotate("r1", "r3", at=-2_600, grace=60) is RotationResult.REFUSED
