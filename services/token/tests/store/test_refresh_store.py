from __future__ import annotations

import asyncio
import dataclasses
from collections import Counter
from dataclasses import dataclass
from itertools import count

import msgspec
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.randomness import seeded_bytes
from portico_oauth.opaque import bucket_of, new_opaque
from portico_runtime.redis.client import RedisClient
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
    """Returns a refresh token issued some seconds later."""
    idle_until = min(NOW + at + IDLE, NOW + ENDS)
    return RefreshToken(fingerprint=name, issued=NOW + at, idle_until=idle_until, ends=NOW + ENDS)


def access_token(at: int = 0) -> AccessToken:
    """Returns an access token issued some seconds later."""
    return AccessToken(NOW + at, NOW + at + 3_600, ("openid",))


def use(presented: str, following: str, *, at: int = 0, grace: int = 0) -> Rotation:
    """Returns one rotation, some seconds later; its access token is named like the successor."""
    return Rotation(presented, grace, refresh_token(following, at), f"at-{following}", access_token(at))


@dataclass(frozen=True)
class Kit:
    """A store, and a grant of a new user for each test."""

    store: GrantStore
    grant: Grant

    async def save(self, name: str = "r1") -> SaveResult:
        """Saves the grant with its first refresh token."""
        return await self.store.save(self.grant, f"at-{name}", access_token(), refresh_token(name))

    async def rotate(self, presented: str, following: str, *, at: int = 0, grace: int = 0) -> RotationResult:
        return await self.store.rotate(self.grant, use(presented, following, at=at, grace=grace))

    async def lives(self, name: str) -> bool:
        """Reports whether the access token issued with a refresh token is known."""
        return await self.store.find(self.grant.id, f"at-{name}") is not None


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.servers)])
def kit(request: pytest.FixtureRequest, clock: FrozenClock) -> Kit:
    if request.param == "memory":
        return Kit(MemoryGrants(), new_grant())
    return Kit(RedisGrants(request.getfixturevalue("redis_of_token"), clock), new_grant())


def new_grant(session_id: str | None = None) -> Grant:
    """Returns a grant of a new user, by default of a session that no other test ends."""
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


async def test_grant_without_a_refresh_token_cannot_be_refreshed(kit: Kit) -> None:
    await kit.store.save(kit.grant, "at", access_token())

    assert await kit.store.find_refresh(kit.grant.id, "r1") is None
    assert await kit.rotate("r1", "r2") is RotationResult.REFUSED


async def test_refresh_token_is_found_with_its_grant(kit: Kit) -> None:
    assert await kit.save() is SaveResult.SAVED
    assert await kit.store.find_refresh(kit.grant.id, "r1") == (kit.grant, refresh_token("r1"), False, "")
    assert await kit.store.find_refresh(kit.grant.id, "nobody's") == (kit.grant, refresh_token("r1"), False, "")
    assert await kit.store.find_refresh(new_grant().id, "r1") is None


async def test_use_rotates_the_refresh_token(kit: Kit) -> None:
    """The previous token is spent and stored for the grace period, and both access tokens are active."""
    await kit.save()

    assert await kit.rotate("r1", "r2", at=7) is RotationResult.ROTATED
    found = await kit.store.find_refresh(kit.grant.id, "r1")
    assert found is not None
    assert (found.refresh.fingerprint, found.refresh.issued, found.spent) == ("r2", NOW + 7, True)
    assert (found.refresh.previous, found.refresh.rotated_at) == ("r1", NOW + 7)
    assert (found.refresh.idle_until, found.refresh.ends) == (NOW + 7 + IDLE, NOW + ENDS)
    assert [await kit.lives(name) for name in ("r1", "r2")] == [True, True]


async def test_unknown_refresh_token_changes_nothing(kit: Kit) -> None:
    await kit.save()

    assert await kit.rotate("unknown", "r2") is RotationResult.REFUSED
    assert await kit.rotate("r1", "r2") is RotationResult.ROTATED


async def test_spent_refresh_token_revokes_the_grant(kit: Kit) -> None:
    """Only the first reuse revokes something, and nothing can be issued from the grant again (TK-09)."""
    await kit.save()
    await kit.rotate("r1", "r2")

    assert await kit.rotate("r1", "r3") is RotationResult.REUSED
    assert [await kit.rotate(name, "r4") for name in ("r1", "r2", "r3")] == [RotationResult.REFUSED] * 3
    assert [await kit.lives(name) for name in ("r1", "r2", "r3")] == [False] * 3
    assert await kit.save("r5") is SaveResult.ALREADY_REVOKED


@pytest.mark.parametrize(("at", "rotated"), [(IDLE - 1, RotationResult.ROTATED), (IDLE, RotationResult.REFUSED)])
async def test_refresh_token_expires(kit: Kit, at: int, rotated: RotationResult) -> None:
    await kit.save()

    assert await kit.rotate("r1", "r2", at=at) is rotated


async def test_grace_period_allows_the_previous_token(kit: Kit) -> None:
    """The new token replaces the first successor, and the grace period counts from the first use."""
    await kit.save()
    steps = [
        (0, RotationResult.ROTATED),
        (5, RotationResult.ROTATED),
        (9, RotationResult.ROTATED),
        (10, RotationResult.REUSED),
    ]

    results = [await kit.rotate("r1", f"r-{at}", at=100 + at, grace=10) for at, _rotated in steps]

    assert results == [rotated for _at, rotated in steps]


async def test_grace_period_excludes_replaced_successors(kit: Kit) -> None:
    await kit.save()
    await kit.rotate("r1", "r2", grace=10)
    await kit.rotate("r1", "r3", grace=10)

    assert await kit.rotate("r2", "r4", grace=10) is RotationResult.REUSED


@pytest.mark.parametrize("with_grant", [False, True])
async def test_grace_period_keeps_a_key_that_was_bound_meanwhile(kit: Kit, with_grant: bool) -> None:
    """A use that read the grant before the first proof bound it neither gets a token nor removes the key."""
    bound = msgspec.structs.replace(kit.grant, jkt="key")

    def using(following: str, jkt: str) -> Rotation:
        rotation = dataclasses.replace(use("r1", following, grace=60), with_grant=with_grant)
        return dataclasses.replace(rotation, access=msgspec.structs.replace(rotation.access, jkt=jkt))

    await kit.save()
    await kit.store.rotate(bound, dataclasses.replace(using("r2", "key"), with_grant=True))
    late = [await kit.store.rotate(kit.grant, using("r3", jkt)) for jkt in ("", "other")]
    found = await kit.store.find_refresh(kit.grant.id, "r2")

    assert late == [RotationResult.REFUSED] * 2
    assert found is not None
    assert (found.grant.jkt, found.refresh.fingerprint) == ("key", "r2")
    assert await kit.store.rotate(bound, using("r4", "key")) is RotationResult.ROTATED


async def test_without_grace_period_no_retry_is_allowed(kit: Kit) -> None:
    await kit.save()
    await kit.rotate("r1", "r2")

    assert await kit.rotate("r1", "r3") is RotationResult.REUSED


async def test_one_of_many_concurrent_uses_wins(kit: Kit) -> None:
    """One use rotates, one revokes the grant, and the others find nothing (TK-09)."""
    await kit.save()

    results = await asyncio.gather(*(kit.rotate("r1", f"next-{number}") for number in range(50)))

    assert Counter(results) == {RotationResult.ROTATED: 1, RotationResult.REUSED: 1, RotationResult.REFUSED: 48}


async def test_end_of_the_session_revokes_refresh_tokens(kit: Kit) -> None:
    await kit.save()
    await kit.rotate("r1", "r2", at=1_000)

    assert await kit.store.revoke_session(kit.grant.user_id, kit.grant.session_id) == 1
    assert await kit.rotate("r2", "r3", at=2_000) is RotationResult.REFUSED


async def test_last_thousand_spent_tokens_are_stored(kit: Kit) -> None:
    """An older spent token counts as unknown."""
    await kit.save("r0")
    for number in range(MAX_SPENT_TOKENS + 1):
        await kit.rotate(f"r{number}", f"r{number + 1}", at=number)
    asked = [await kit.store.find_refresh(kit.grant.id, name) for name in ("r0", "r1", f"r{MAX_SPENT_TOKENS}")]

    assert [found.spent for found in asked if found] == [False, True, True]
    assert await kit.rotate("r0", "x") is RotationResult.REFUSED
    assert await kit.rotate("r1", "x") is RotationResult.REUSED


@pytest.mark.servers
async def test_record_does_not_grow(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """Expired access tokens are deleted at the next uses."""
    kit = Kit(RedisGrants(redis_of_token, clock), new_grant())
    await kit.save("r0")
    for number in range(60):
        await kit.rotate(f"r{number}", f"r{number + 1}", at=number * 1_200)
    names = await redis_of_token.read("HKEYS", keys.grant(kit.grant.id))
    kinds = Counter(name.partition(":")[0] for name in names)

    assert (kinds["at"], kinds["ai"]) == (3, 3)
    assert (kinds["rs"], kinds["si"], kinds["rt"], kinds["g"]) == (60, 60, 1, 1)


@pytest.mark.servers
async def test_grant_expires_with_its_refresh_tokens(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """With its indexes it is stored for thirty days from each use, but not beyond the end of the family."""
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
async def test_use_extends_the_indexes(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """Logout must still find a grant older than its session's first tokens."""
    kit = Kit(RedisGrants(redis_of_token, clock), new_grant())
    await kit.save()
    await kit.rotate("r1", "r2", at=86_400)
    names = [keys.user_grants(kit.grant.user_id), keys.session_grants(kit.grant.user_id, kit.grant.session_id)]

    assert {float(await redis_of_token.read("ZSCORE", name, kit.grant.id)) for name in names} == {NOW + 86_400 + IDLE}


@pytest.mark.servers
async def test_reuse_deletes_the_grant_from_the_indexes(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    """A revoked grant takes no place in the list of its user's grants."""
    kit = Kit(RedisGrants(redis_of_token, clock), new_grant())
    await kit.save()
    await kit.rotate("r1", "r2")
    names = [keys.user_grants(kit.grant.user_id), keys.session_grants(kit.grant.user_id, kit.grant.session_id)]

    assert await kit.rotate("r1", "r3", at=10) is RotationResult.REUSED
    assert [await redis_of_token.read("ZCARD", name) for name in names] == [0, 0]


@pytest.mark.servers
async def test_grant_without_a_session_has_no_session_index(redis_of_token: RedisClient, clock: FrozenClock) -> None:
    store = RedisGrants(redis_of_token, clock)
    grant = new_grant(session_id="")
    saved = await store.save(grant, "at", access_token())

    assert saved is SaveResult.SAVED
    assert await redis_of_token.read("EXISTS", keys.session_grants(grant.user_id, "")) == 0
    assert await redis_of_token.read("ZSCORE", keys.user_grants(grant.user_id), grant.id) is not None


@pytest.mark.parametrize(
    ("at", "rotated"), [(990, RotationResult.ROTATED), (989, RotationResult.REFUSED), (-2_600, RotationResult.REFUSED)]
)
async def test_clock_before_the_issue_refuses(kit: Kit, at: int, rotated: RotationResult) -> None:
    """Beyond ten seconds of leeway a use is refused, and the grant stays for a clock that is right again (FD-14)."""
    await kit.save()
    await kit.rotate("r1", "r2", at=1_000)

    assert await kit.rotate("r2", "r3", at=at) is rotated
    assert (
        await kit.rotate("r3" if rotated is RotationResult.ROTATED else "r2", "r4", at=1_001) is RotationResult.ROTATED
    )


async def test_clock_set_back_does_not_extend_the_grace_period(kit: Kit) -> None:
    """The previous token is not valid again while the clock is before its first use (FD-14)."""
    await kit.save()
    await kit.rotate("r1", "r2", at=1_000, grace=60)

    assert await kit.rotate("r1", "r3", at=-2_600, grace=60) is RotationResult.REFUSED
