"""A grant is read together with the version of its cached user (decision 0039)."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator

import pytest
from portico_fakes.clock import FrozenClock
from portico_harness.servers import RunningRedis
from portico_oauth.opaque import bucket_of, new_opaque
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.history import History
from portico_runtime.versioned_cache import keys as facts
from portico_runtime.versioned_cache.memory import RedisVersionReader
from portico_runtime.versioned_cache.versions import RedisVersions, new_change
from portico_token.domain.grants import AccessToken, Grant, RefreshToken, SaveResult
from portico_token.domain.origin import Origin
from portico_token.domain.revocations import StatelessToken
from portico_token.domain.token_text import new_stateless_id
from portico_token.store import keys
from portico_token.store.redis_epochs import RedisEpochs
from portico_token.store.redis_grants import RedisGrants
from portico_token.store.redis_revocations import RedisRevocations

pytestmark = pytest.mark.servers

NOW = 2_000_000_000
"""Later than any epoch that a server sets at present."""

TOKEN = AccessToken(NOW, NOW + 3_600, ("openid",))
REFRESH = RefreshToken(fingerprint="r", issued=NOW, idle_until=NOW + 7_200, ends=NOW + 9_000)


@pytest.fixture
async def redis(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_server.section("token"), "token")
    yield client
    await client.close()


@pytest.fixture
async def versions(redis_server: RunningRedis) -> AsyncIterator[RedisVersions]:
    client = RedisClient(redis_server.section("users"), "users")
    yield RedisVersions(client, secrets.token_bytes)
    await client.close()


def new_grant(user_id: str) -> Grant:
    return Grant(
        id=new_opaque(bucket_of(user_id), secrets.token_bytes, 128),
        user_id=user_id,
        client_id="web",
        audience=("web",),
        scope=("openid",),
        session_id=f"session of {user_id}",
        auth_time=NOW,
        amr=("pwd",),
        acr="",
        created=NOW,
    )


async def read_all(redis: RedisClient, clock: FrozenClock, grant: Grant) -> list[str | None]:
    """Returns the version read with an access token, a refresh token and a stateless token."""
    grants = RedisGrants(redis, clock)
    access, refresh = await grants.find(grant.id, "a"), await grants.find_refresh(grant.id, "r")
    assert access
    assert refresh
    token = StatelessToken(
        id=new_stateless_id(grant.user_id, Origin.CLIENT_CREDENTIALS, NOW, secrets.token_bytes),
        origin=Origin.CLIENT_CREDENTIALS,
        user_id=grant.user_id,
        client_id=grant.user_id,
        audience=(),
        scope=(),
        issued=NOW * 1000,
        expires=NOW + 60,
    )
    return [access.version, refresh.version, await RedisRevocations(redis, clock).version_if_active(token)]


async def saved(redis: RedisClient, clock: FrozenClock) -> Grant:
    await RedisEpochs(redis, History("token")).create_missing()
    grant = new_grant(f"user {secrets.token_hex(8)}")
    assert await RedisGrants(redis, clock).save(grant, "a", TOKEN, REFRESH) is SaveResult.SAVED
    return grant


async def test_every_kind_of_token_comes_with_the_version(
    redis: RedisClient, versions: RedisVersions, clock: FrozenClock
) -> None:
    """The version, marker or absence is returned as read, in the round trip that reads the token."""
    grant, change = await saved(redis, clock), new_change(secrets.token_bytes)
    person = facts.user(grant.user_id)
    nothing = await read_all(redis, clock, grant)
    await versions.begin(change, [person])
    marked = await read_all(redis, clock, grant)
    await versions.finish(change, {person: "v1"})
    known = await read_all(redis, clock, grant)

    assert nothing == ["", "", ""]
    assert [str(text)[: len(change) + 2] for text in marked] == [f"~{change}@"] * 3
    assert known == ["v1", "v1", "v1"]


async def test_grant_of_the_former_release_has_no_version(
    redis: RedisClient, versions: RedisVersions, clock: FrozenClock
) -> None:
    """Such a grant does not name its user, so a second command reads the version, and its tokens stay active."""
    grant, change = await saved(redis, clock), new_change(secrets.token_bytes)
    person = facts.user(grant.user_id)
    await versions.begin(change, [person])
    await versions.finish(change, {person: "v1"})
    forget = redis.script("return redis.call('HDEL', KEYS[1], 'u')")
    assert await redis.run(forget, [keys.grant(grant.id)]) == 1

    assert await read_all(redis, clock, grant) == [None, None, "v1"]
    assert await RedisVersionReader(redis).read(grant.user_id) == "v1"
