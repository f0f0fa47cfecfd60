from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import msgspec
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.randomness import seeded_bytes
from portico_harness.servers import RunningRedis
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import bucket_of, new_opaque
from portico_runtime.redis.client import RedisClient
from portico_token.domain.grants import AccessToken, Grant, GrantStore, RefreshToken, SaveResult
from portico_token.store import keys
from portico_token.store.redis_grants import RedisGrants

TOKEN = AccessToken(1_790_000_000, 1_790_003_600, ("openid", "email"))
_numbers = count()
_random = seeded_bytes(23)


@dataclass(frozen=True)
class Subject:
    """A new user and session for each test."""

    user_id: str
    session_id: str

    def grant(self, session_id: str | None = None) -> Grant:
        return Grant(
            id=new_opaque(bucket_of(self.user_id), _random, 128),
            user_id=self.user_id,
            client_id="web",
            audience=("web", "project-1"),
            scope=("openid", "email"),
            session_id=session_id or self.session_id,
            auth_time=1_789_999_990,
            amr=("pwd",),
            acr="urn:portico:acr:pwd",
            created=1_790_000_000,
            userinfo_claims=("name",),
        )


@pytest.fixture
def subject() -> Subject:
    number = next(_numbers)
    return Subject(f"a user: {{{number}}}\n", f"session-{number}")


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.servers)])
def store(request: pytest.FixtureRequest, clock: FrozenClock) -> GrantStore:
    if request.param == "memory":
        return MemoryGrants(clock=clock)
    return RedisGrants(request.getfixturevalue("redis_of_token"), clock)


async def test_unknown_grant_is_not_found(store: GrantStore, subject: Subject) -> None:
    assert await store.find(subject.grant().id, "f") is None


async def test_unknown_fingerprint_is_not_found(store: GrantStore, subject: Subject) -> None:
    """A live grant does not accept other texts as its tokens (JW-14)."""
    grant = subject.grant()
    await store.save(grant, "f1", TOKEN)

    assert await store.find(grant.id, "f2") is None


async def test_saved_grant_is_found_with_its_token(store: GrantStore, subject: Subject) -> None:
    grant = subject.grant()

    assert await store.save(grant, "f", TOKEN) is SaveResult.SAVED
    assert await store.find(grant.id, "f") == (grant, TOKEN, "")


async def test_grant_is_saved_once(store: GrantStore, subject: Subject) -> None:
    grant = subject.grant()
    await store.save(grant, "f1", TOKEN)

    assert await store.save(grant, "f2", TOKEN) is SaveResult.ALREADY_REVOKED
    assert await store.find(grant.id, "f2") is None


async def test_revoked_grant_is_not_found(store: GrantStore, subject: Subject) -> None:
    """Only the first revocation is counted."""
    grant = subject.grant()
    await store.save(grant, "f", TOKEN)

    assert [await store.revoke(grant.id), await store.revoke(grant.id)] == [True, False]
    assert await store.find(grant.id, "f") is None


async def test_revocation_also_covers_a_grant_saved_later(store: GrantStore, subject: Subject) -> None:
    """The loser of a race for a code may be faster than the winner (TK-03)."""
    grant = subject.grant()
    await store.revoke(grant.id)

    assert await store.save(grant, "f", TOKEN) is SaveResult.ALREADY_REVOKED
    assert await store.find(grant.id, "f") is None


async def test_session_revocation_covers_its_grants_only(store: GrantStore, subject: Subject) -> None:
    ended = [subject.grant(), subject.grant()]
    stays = subject.grant("another session")
    for grant in (*ended, stays):
        await store.save(grant, "f", TOKEN)

    assert await store.revoke_session(subject.user_id, subject.session_id) == 2
    assert [await store.find(grant.id, "f") for grant in ended] == [None, None]
    assert await store.find(stays.id, "f") == (stays, TOKEN, "")


async def test_ended_session_gets_no_new_grants(store: GrantStore, subject: Subject) -> None:
    await store.revoke_session(subject.user_id, subject.session_id)
    grant = subject.grant()

    assert await store.save(grant, "f", TOKEN) is SaveResult.SESSION_ENDED
    assert await store.find(grant.id, "f") is None


async def test_revoking_a_session_twice_counts_once(store: GrantStore, subject: Subject) -> None:
    revoked, live = subject.grant(), subject.grant()
    for grant in (revoked, live):
        await store.save(grant, "f", TOKEN)
    await store.revoke(revoked.id)

    assert await store.revoke_session(subject.user_id, subject.session_id) == 1
    assert await store.revoke_session(subject.user_id, subject.session_id) == 0


async def test_revocation_marker_survives_the_end_of_its_session(store: GrantStore, subject: Subject) -> None:
    grant = subject.grant()
    await store.save(grant, "f", TOKEN)
    await store.revoke(grant.id)
    await store.revoke_session(subject.user_id, subject.session_id)

    assert await store.revoke(grant.id) is False


async def test_one_of_many_revocations_is_the_first(store: GrantStore, subject: Subject) -> None:
    grant = subject.grant()
    await store.save(grant, "f", TOKEN)

    results = await asyncio.gather(*(store.revoke(grant.id) for _ in range(50)))

    assert results.count(True) == 1


@pytest.mark.servers
async def test_every_key_expires(redis_of_token: RedisClient, clock: FrozenClock, subject: Subject) -> None:
    """Grants and indexes expire with their longest token, and markers after an hour."""
    store = RedisGrants(redis_of_token, clock)
    saved, revoked = subject.grant(), subject.grant("session that ends")
    for grant in (saved, revoked):
        await store.save(grant, "f", TOKEN)
    await store.revoke(revoked.id)
    await store.revoke_session(subject.user_id, "session that ends")
    names = [
        keys.grant(saved.id),
        keys.grant(revoked.id),
        keys.user_grants(subject.user_id),
        keys.session_grants(subject.user_id, subject.session_id),
        keys.session_ended(subject.user_id, "session that ends"),
    ]

    left = [await redis_of_token.read("TTL", name) for name in names]

    assert all(3_590 < seconds <= 3_600 for seconds in left), dict(zip(names, left, strict=True))


@pytest.mark.servers
async def test_index_drops_expired_grants(redis_of_token: RedisClient, clock: FrozenClock, subject: Subject) -> None:
    store = RedisGrants(redis_of_token, clock)
    old, new = subject.grant(), subject.grant()
    await store.save(old, "f", TOKEN)
    clock.tick(3_601)
    await store.save(new, "f", AccessToken(TOKEN.issued + 3_601, TOKEN.expires + 3_601, ("openid",)))

    assert await redis_of_token.read("ZRANGE", keys.user_grants(subject.user_id), 0, -1) == [new.id]


@pytest.mark.servers
async def test_grant_outside_its_users_bucket_is_a_fault(
    redis_of_token: RedisClient, clock: FrozenClock, subject: Subject
) -> None:
    """The revocation of a session could not find such a grant."""
    stray = new_opaque(f"{int(bucket_of(subject.user_id), 16) ^ 1:02x}", _random, 128)
    grant = Grant(**{**{name: getattr(subject.grant(), name) for name in Grant.__struct_fields__}, "id": stray})

    with pytest.raises(ValueError, match="bucket"):
        await RedisGrants(redis_of_token, clock).save(grant, "f", TOKEN)


@pytest.mark.servers
async def test_unreachable_store_is_unavailable(
    redis_server: RunningRedis, clock: FrozenClock, subject: Subject
) -> None:
    """Whether there is a grant is unknown, so the response is 503 (P2)."""
    section = redis_server.section("token").model_copy(update={"redis_url": "redis://127.0.0.1:1"})
    store = RedisGrants(RedisClient(section, "token"), clock)

    with pytest.raises(ServiceError) as refused:
        await store.find(subject.grant().id, "f")

    assert refused.value.kind is Kind.UNAVAILABLE


async def test_live_grants_of_a_user_are_listed(store: GrantStore, subject: Subject) -> None:
    """The list states whether each grant has a refresh token."""
    plain, offline, revoked = subject.grant(), subject.grant(), subject.grant()
    refresh = RefreshToken(fingerprint="r", issued=1_790_000_000, idle_until=1_790_009_000, ends=1_790_009_000)
    await store.save(plain, "a", TOKEN)
    await store.save(offline, "b", TOKEN, refresh)
    await store.save(revoked, "c", TOKEN)
    await store.revoke(revoked.id)
    other = replace(subject, user_id=subject.user_id + " other")
    await store.save(other.grant(), "d", TOKEN)

    found = await store.list_of_user(subject.user_id)

    assert {(one.grant, one.refresh is not None) for one in found} == {(plain, False), (offline, True)}


async def test_ended_grants_take_no_places_of_the_list(
    store: GrantStore, subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Live grants are listed, those that live longest first, however many revoked ones would live longer."""
    monkeypatch.setattr("portico_token.store.redis_grants.MOST_LISTED", 3)
    monkeypatch.setattr("portico_token.store.redis_grants.BATCH_SIZE", 2)
    live = [subject.grant() for _ in range(4)]
    for number, grant in enumerate(live):
        await store.save(grant, "f", AccessToken(TOKEN.issued, TOKEN.expires - number, TOKEN.scope))
    for number in range(12):
        ended = subject.grant()
        await store.save(ended, "f", AccessToken(TOKEN.issued, TOKEN.expires + number, TOKEN.scope))
        await store.revoke(ended.id)

    assert [one.grant for one in await store.list_of_user(subject.user_id)] == live[:3]
    await store.revoke(live[0].id)
    assert [one.grant for one in await store.list_of_user(subject.user_id)] == live[1:]


@pytest.mark.servers
async def test_revoked_grants_leave_the_index_of_their_user(
    redis_of_token: RedisClient, clock: FrozenClock, subject: Subject
) -> None:
    """The end of a session, of an application's access, and the list delete ids; live ones stay."""
    store = RedisGrants(redis_of_token, clock)
    index = keys.user_grants(subject.user_id)
    stays = subject.grant("another session")
    of_client = msgspec.structs.replace(subject.grant(), client_id="another")
    of_session, revoked = subject.grant(), subject.grant("another session")
    for grant in (stays, of_client, of_session, revoked):
        await store.save(grant, "f", TOKEN)
    await store.revoke(revoked.id)

    await store.revoke_client(subject.user_id, "another")
    assert set(await redis_of_token.read("ZRANGE", index, 0, -1)) == {stays.id, of_session.id, revoked.id}
    await store.revoke_session(subject.user_id, subject.session_id)
    assert set(await redis_of_token.read("ZRANGE", index, 0, -1)) == {stays.id, revoked.id}
    await store.list_of_user(subject.user_id)
    assert await redis_of_token.read("ZRANGE", index, 0, -1) == [stays.id]


async def test_grants_of_one_client_are_revoked(store: GrantStore, subject: Subject) -> None:
    """Only that client's grants of the user are revoked, and a revoked grant cannot be saved again."""
    mine = [subject.grant() for _ in range(3)]
    others = msgspec.structs.replace(subject.grant(), client_id="another")
    for grant in (*mine, others):
        await store.save(grant, "f", TOKEN)

    assert await store.revoke_client(subject.user_id, "web") == 3
    assert await store.revoke_client(subject.user_id, "web") == 0
    assert [one.grant for one in await store.list_of_user(subject.user_id)] == [others]
    assert [await store.find(grant.id, "f") for grant in mine] == [None, None, None]
    assert await store.save(mine[0], "f", TOKEN) is SaveResult.ALREADY_REVOKED


async def test_grant_begun_before_the_end_of_access_is_not_saved(
    store: GrantStore, subject: Subject, clock: FrozenClock
) -> None:
    """A code may be redeemed while the user ends the access of its client (decision 0154); another client's is saved."""
    begun = msgspec.structs.replace(subject.grant(), created=clock.now())
    others = msgspec.structs.replace(subject.grant(), created=clock.now(), client_id="another")
    await store.revoke_client(subject.user_id, "web")
    clock.tick(1)
    later = msgspec.structs.replace(subject.grant(), created=clock.now())

    assert await store.save(begun, "f", TOKEN) is SaveResult.CLIENT_ENDED
    assert await store.find(begun.id, "f") is None
    assert await store.save(others, "f", TOKEN) is SaveResult.SAVED
    assert await store.save(later, "f", TOKEN) is SaveResult.SAVED


@pytest.mark.servers
async def test_many_grants_are_revoked_in_batches(
    redis_of_token: RedisClient, clock: FrozenClock, subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portico_token.store.redis_grants.BATCH_SIZE", 10)
    store = RedisGrants(redis_of_token, clock)
    # More than a small set, which Redis returns in one scan regardless of COUNT.
    for number in range(300):
        grant = msgspec.structs.replace(subject.grant(), client_id="web" if number % 2 else "another")
        await store.save(grant, "f", TOKEN)

    assert await store.revoke_client(subject.user_id, "web") == 150
    assert {one.grant.client_id for one in await store.list_of_user(subject.user_id)} == {"another"}


@pytest.mark.servers
async def test_no_grant_is_skipped_while_others_expire(
    redis_of_token: RedisClient, clock: FrozenClock, subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Grants that move up in the index between two batches are revoked too."""
    monkeypatch.setattr("portico_token.store.redis_grants.BATCH_SIZE", 10)
    store = RedisGrants(redis_of_token, clock)
    index = keys.user_grants(subject.user_id)
    for _ in range(150):
        other = msgspec.structs.replace(subject.grant(), client_id="another")
        await store.save(other, "f", AccessToken(TOKEN.issued, TOKEN.expires - 60, TOKEN.scope))
    mine = [subject.grant() for _ in range(150)]
    for grant in mine:
        await store.save(grant, "f", TOKEN)
    run, calls = redis_of_token.run, count()

    async def run_beside_an_end(*args: Any, **named: Any) -> Any:
        answer = await run(*args, **named)
        if next(calls) == 0:
            await redis_of_token.read("ZREMRANGEBYRANK", index, 0, 149)
        return answer

    monkeypatch.setattr(redis_of_token, "run", run_beside_an_end)

    assert await store.revoke_client(subject.user_id, "web") == 150
    assert [await store.find(grant.id, "f") for grant in mine] == [None] * 150
