from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.memory_revocations import MemoryRevocations
from portico_fakes.randomness import seeded_bytes
from portico_harness.servers import RunningRedis
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import bucket_of, new_opaque
from portico_runtime.redis.client import RedisClient
from portico_token.domain.grants import AccessToken, Grant, GrantStore, RefreshToken, Rotation, SaveResult
from portico_token.domain.origin import Origin
from portico_token.domain.revocations import IssuedKind, RevocationStore, StatelessToken
from portico_token.domain.token_text import new_stateless_id
from portico_token.store import keys
from portico_token.store.redis_grants import RedisGrants
from portico_token.store.redis_revocations import RedisRevocations

NOW = 2_000_000_000
"""Later than any epoch that a server sets at present."""

TOKEN = AccessToken(NOW, NOW + 3_600, ("openid",))
REFRESH = RefreshToken(fingerprint="refresh", issued=NOW, idle_until=NOW + 7_200, ends=NOW + 9_000)
_numbers = count()
_random = seeded_bytes(29)


@dataclass(frozen=True)
class Subject:
    """A new user for each test."""

    user_id: str

    def grant(self, session_id: str | None = None, created: float = NOW) -> Grant:
        """Returns a new grant, by default of a session that no other test ends."""
        return Grant(
            id=new_opaque(bucket_of(self.user_id), _random, 128),
            user_id=self.user_id,
            client_id="web",
            audience=("web",),
            scope=("openid",),
            session_id=f"session of {self.user_id}" if session_id is None else session_id,
            auth_time=NOW,
            amr=("pwd",),
            acr="",
            created=created,
        )

    def token(self, issued: float = NOW) -> StatelessToken:
        return StatelessToken(
            id=new_stateless_id(self.user_id, Origin.CLIENT_CREDENTIALS, issued, _random),
            origin=Origin.CLIENT_CREDENTIALS,
            user_id=self.user_id,
            client_id=self.user_id,
            audience=("web",),
            scope=("openid",),
            issued=int(issued * 1000),
            expires=int(issued) + 3_600,
        )


async def is_active(store: RevocationStore, token: StatelessToken) -> bool:
    """Reports whether the store considers the token active."""
    return await store.version_if_active(token) is not None


class Pair(NamedTuple):
    """Stores over the same data."""

    grants: GrantStore
    revocations: RevocationStore


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOW)


@pytest.fixture
def subject() -> Subject:
    return Subject(f"somebody: {{{next(_numbers)}}}\n")


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.servers)])
def pair(request: pytest.FixtureRequest, clock: FrozenClock) -> Pair:
    if request.param == "memory":
        grants = MemoryGrants()
        return Pair(grants, MemoryRevocations(grants, clock))
    client = request.getfixturevalue("redis_of_token")
    return Pair(RedisGrants(client, clock), RedisRevocations(client, clock))


@pytest.fixture
async def stores(pair: Pair, subject: Subject) -> Pair:
    await is_active(pair.revocations, subject.token())
    return pair


async def test_unknown_token_is_not_found(stores: Pair, subject: Subject) -> None:
    grant = subject.grant()
    await stores.grants.save(grant, "access", TOKEN, REFRESH)

    assert await stores.revocations.find_issued(subject.grant().id, "access") is None
    assert await stores.revocations.find_issued(grant.id, "other") is None


async def test_token_kinds_are_distinguished(stores: Pair, subject: Subject) -> None:
    grant = subject.grant()
    await stores.grants.save(grant, "access", TOKEN, REFRESH)

    assert await stores.revocations.find_issued(grant.id, "access") == (grant, IssuedKind.ACCESS_TOKEN, "web")
    assert await stores.revocations.find_issued(grant.id, "refresh") == (grant, IssuedKind.REFRESH_TOKEN, "web")


async def test_spent_refresh_token_is_still_known(stores: Pair, subject: Subject) -> None:
    """A client that lost a response can revoke its grant with the token it has."""
    grant = subject.grant()
    await stores.grants.save(grant, "access", TOKEN, REFRESH)
    following = RefreshToken(fingerprint="second", issued=NOW, idle_until=NOW + 7_200, ends=NOW + 9_000)
    await stores.grants.rotate(grant, Rotation("refresh", 0, following, "access 2", TOKEN))

    found = [await stores.revocations.find_issued(grant.id, text) for text in ("refresh", "second", "access 2")]

    assert [issued and issued.kind.value for issued in found] == ["refresh_token", "refresh_token", "access_token"]


async def test_access_token_is_revoked_alone(stores: Pair, subject: Subject) -> None:
    """The grant, its refresh token and its other access tokens stay (IR-08)."""
    grant = subject.grant()
    await stores.grants.save(grant, "access", TOKEN, REFRESH)
    await stores.revocations.revoke_access_token(grant.id, "access")

    assert await stores.grants.find(grant.id, "access") is None
    assert await stores.grants.find_refresh(grant.id, "refresh") is not None


async def test_revoking_an_unknown_token_stores_nothing(stores: Pair, subject: Subject) -> None:
    grant = subject.grant()
    await stores.revocations.revoke_access_token(grant.id, "access")

    assert await stores.grants.save(grant, "access", TOKEN) is SaveResult.SAVED


async def test_user_revocation_covers_their_grants_only(stores: Pair, subject: Subject) -> None:
    ended = [subject.grant(), subject.grant("another session"), subject.grant("")]
    stays = Subject(subject.user_id + "'s neighbour").grant()
    for grant in (*ended, stays):
        await stores.grants.save(grant, "access", TOKEN, REFRESH)

    assert await stores.revocations.revoke_user(subject.user_id, 3_600) == 3
    assert [await stores.grants.find(grant.id, "access") for grant in ended] == [None, None, None]
    assert await stores.grants.find(stays.id, "access") == (stays, TOKEN, "")


async def test_revoking_a_user_twice_counts_once(stores: Pair, subject: Subject) -> None:
    await stores.grants.save(subject.grant(), "access", TOKEN)

    assert [await stores.revocations.revoke_user(subject.user_id, 3_600) for _ in range(2)] == [1, 0]


@pytest.mark.servers
async def test_user_with_very_many_grants_is_revoked_completely(
    redis_of_token: RedisClient, subject: Subject, clock: FrozenClock
) -> None:
    store, grants = RedisRevocations(redis_of_token, clock, batch_size=3), RedisGrants(redis_of_token, clock)
    granted = [subject.grant() for _ in range(10)]
    for grant in granted:
        await grants.save(grant, "access", TOKEN)

    assert await store.revoke_user(subject.user_id, 3_600) == 10
    assert [await grants.find(grant.id, "access") for grant in granted] == [None] * 10


async def test_grant_older_than_a_user_revocation_is_not_saved(
    stores: Pair, subject: Subject, clock: FrozenClock
) -> None:
    """A code redeemed after the revocation yields tokens."""
    clock.tick(5.5)
    await stores.revocations.revoke_user(subject.user_id, 3_600)

    saved = [await stores.grants.save(subject.grant(created=NOW + at), "access", TOKEN) for at in (5.4, 5.5, 5.501)]

    assert saved == [SaveResult.USER_REVOKED, SaveResult.USER_REVOKED, SaveResult.SAVED]


async def test_stateless_token_is_active_until_revoked(stores: Pair, subject: Subject) -> None:
    denied, other = subject.token(), subject.token()
    before = await is_active(stores.revocations, denied)
    await stores.revocations.deny(denied)

    assert before
    assert not await is_active(stores.revocations, denied)
    assert await is_active(stores.revocations, other)


async def test_user_revocation_covers_stateless_tokens(stores: Pair, subject: Subject, clock: FrozenClock) -> None:
    """Tokens issued up to that millisecond are revoked, and those of other users are not."""
    service_client = Subject(subject.user_id + "'s neighbour")
    await is_active(stores.revocations, service_client.token())
    clock.tick(0.25)
    await stores.revocations.revoke_user(subject.user_id, 3_600)

    seen = [await is_active(stores.revocations, subject.token(NOW + at)) for at in (-60, 0, 0.25, 0.251)]

    assert seen == [False, False, False, True]
    assert await is_active(stores.revocations, service_client.token())


async def test_user_revocation_time_never_goes_back(stores: Pair, subject: Subject, clock: FrozenClock) -> None:
    """A replica whose clock is behind does not lower the stored time."""
    await stores.revocations.revoke_user(subject.user_id, 3_600)
    clock.tick(-10)
    await stores.revocations.revoke_user(subject.user_id, 3_600)

    assert not await is_active(stores.revocations, subject.token(NOW))


@pytest.mark.servers
async def test_missing_epoch_makes_stateless_tokens_inactive(
    redis_of_token: RedisClient, subject: Subject, clock: FrozenClock
) -> None:
    """Data was lost, so tokens issued until then are refused, and later ones are active."""
    store = RedisRevocations(redis_of_token, clock)
    epoch = keys.epoch(bucket_of(subject.user_id))
    await redis_of_token.read("DEL", epoch)

    first = await is_active(store, subject.token())
    at = int(await redis_of_token.read("GET", epoch))
    seen = [await is_active(store, subject.token(moment)) for moment in (at - 1, at - 0.001, at)]

    assert (first, seen) == (False, [False, False, True])
    assert await redis_of_token.read("TTL", epoch) == -1


@pytest.mark.servers
async def test_every_marker_expires(redis_of_token: RedisClient, subject: Subject, clock: FrozenClock) -> None:
    store = RedisRevocations(redis_of_token, clock)
    token = subject.token()
    await store.deny(token)
    await store.revoke_user(subject.user_id, 7_200)
    names = [keys.denied(token.user_id, token.id), keys.user_revoked_since(subject.user_id)]

    left = [await redis_of_token.read("TTL", name) for name in names]

    assert [3_600 < left[0] <= 3_610, 7_190 < left[1] <= 7_200] == [True, True], left


@pytest.mark.servers
async def test_unreachable_store_is_unavailable(
    redis_server: RunningRedis, clock: FrozenClock, subject: Subject
) -> None:
    """Whether the token was revoked is unknown, so the response is 503 (IR-05)."""
    section = redis_server.section("token").model_copy(update={"redis_url": "redis://127.0.0.1:1"})
    store = RedisRevocations(RedisClient(section, "token"), clock)
    refused = []
    for asked in (
        store.find_issued(subject.grant().id, "access"),
        store.revoke_access_token(subject.grant().id, "access"),
        store.revoke_user(subject.user_id, 60),
        store.deny(subject.token()),
        store.version_if_active(subject.token()),
    ):
        with pytest.raises(ServiceError) as raised:
            await asked
        refused.append(raised.value.kind)

    assert refused == [Kind.UNAVAILABLE] * 5
