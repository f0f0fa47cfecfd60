"""A session or a code is read together with the version of its cached user (decision 0039)."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator

import pytest
from portico_authz.domain.code import CodeRecord, IssueResult, PresentedCode
from portico_authz.domain.ports import Stores
from portico_authz.store import keys as authz_keys
from portico_authz.store import redis_stores
from portico_fakes.authz_samples import grant_of, opaque, session_of
from portico_harness.servers import RunningRedis
from portico_runtime.redis.client import RedisClient
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.memory import RedisVersionReader
from portico_runtime.versioned_cache.versions import RedisVersions, new_change

pytestmark = pytest.mark.servers


@pytest.fixture
async def client(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_server.section("authz"), "authz")
    yield client
    await client.close()


@pytest.fixture
async def versions(redis_server: RunningRedis) -> AsyncIterator[RedisVersions]:
    client = RedisClient(redis_server.section("users"), "users")
    yield RedisVersions(client, secrets.token_bytes)
    await client.close()


async def test_session_comes_with_its_users_version(client: RedisClient, versions: RedisVersions) -> None:
    """The version, marker or absence is returned as read and not stored with the session."""
    session = session_of(f"u-{secrets.token_hex(8)}")
    person, change = keys.user(session.user_id), new_change(secrets.token_bytes)
    sessions = redis_stores(client).sessions
    assert await sessions.save(session, 3_600)
    found = [await sessions.find(session.sid)]
    await versions.begin(change, [person])
    found.append(await sessions.find(session.sid))
    await versions.finish(change, {person: "version-1"})
    found.append(await sessions.find(session.sid))
    assert found[-1]
    assert await sessions.save(found[-1], 3_600)
    texts = [one.version for one in found if one]

    assert texts[0] == ""
    assert str(texts[1]).startswith(f"~{change}@")
    assert texts[2] == "version-1"
    assert "version-1" not in str(await client.read("HGETALL", authz_keys.session(session.sid)))


async def test_session_of_the_former_release_has_no_version(client: RedisClient, versions: RedisVersions) -> None:
    """The session does not name its user, so a second command reads the version."""
    session = session_of(f"u-{secrets.token_hex(8)}")
    sessions = redis_stores(client).sessions
    assert await sessions.save(session, 3_600)
    forget = client.script("return redis.call('HDEL', KEYS[1], 'u')")
    assert await client.run(forget, [authz_keys.session(session.sid)]) == 1

    async def read() -> str:
        return "v1"

    await versions.settle(keys.user(session.user_id), "", read)
    found = await sessions.find(session.sid)

    assert found == session
    assert found
    assert found.version is None
    assert await RedisVersionReader(client).read(session.user_id) == "v1"


async def issue_code_to(user_id: str, stores: Stores) -> str:
    session = session_of(user_id)
    assert await stores.sessions.save(session, 3_600)
    code = opaque(session.sid[:2])
    record = CodeRecord("https://app.example.test/cb", "", 0.0, session.idle_until, grant_of(session))
    assert await stores.codes.issue(code, record, session, session.auth_time) is IssueResult.ISSUED
    return code


@pytest.mark.parametrize("of_former_release", [False, True])
async def test_code_comes_with_its_users_version(
    client: RedisClient, versions: RedisVersions, of_former_release: bool
) -> None:
    """None for a code that does not name its user: token reads the version then."""
    user_id, stores = f"u-{secrets.token_hex(8)}", redis_stores(client)
    codes = [await issue_code_to(user_id, stores) for _ in range(2)]
    if of_former_release:
        forget = client.script("return redis.call('HDEL', KEYS[1], 'u')")
        assert [await client.run(forget, [authz_keys.code(code)]) for code in codes] == [1, 1]
    presented = PresentedCode("web", "https://app.example.test/cb", has_verifier=False, challenge="")
    found = [await stores.codes.claim(codes[0], presented, 1.0)]

    async def read() -> str:
        return "v1"

    await versions.settle(keys.user(user_id), "", read)
    found.append(await stores.codes.claim(codes[1], presented, 1.0))

    assert [one.version for one in found] == ([None, None] if of_former_release else ["", "v1"])
