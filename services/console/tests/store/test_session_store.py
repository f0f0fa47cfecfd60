from __future__ import annotations

import base64
import secrets
from collections.abc import AsyncIterator

import msgspec
import pytest
from portico_console.sessions.session import KeptForm, Session, Sessions
from portico_console.sessions.store import MOST_SHOWN, RedisSessions
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_console_sessions import MemoryConsoleSessions
from portico_harness.servers import RunningRedis
from portico_oauth.master_keys import MasterKeys
from portico_oauth.opaque import bucket_of, fingerprint
from portico_runtime.redis.client import RedisClient

NOW = FrozenClock().now()
SESSION = Session(
    sub="u1", sid="s1", acr="urn:portico:acr:mfa", auth_time=int(NOW), name="canary-name", email="canary@example.org", locale="en",
    access_token="canary-access-token", id_token="canary-id-token", issued_at=NOW, expires_at=NOW + 3_600,
    ends_at=NOW + 28_800, csrf="canary-csrf",
)  # fmt: skip
FORM = KeptForm({"name": "Shop"}, "/ui/console/orgs/o1/projects/do/new", b"x=1", is_whole=True)
OTHER = msgspec.structs.replace(SESSION, sub="u2")
MASTER = base64.b64encode(bytes(range(32))).decode()


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
async def redis_of_console(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_server.section("console"), "console")
    yield client
    await client.close()


def redis_sessions(redis: RedisClient, clock: FrozenClock, master: str = MASTER) -> RedisSessions:
    return RedisSessions(redis, MasterKeys.read(master), clock, secrets.token_bytes, idle_seconds=1_800)


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.servers)])
def store(request: pytest.FixtureRequest, clock: FrozenClock) -> Sessions:
    if request.param == "memory":
        return MemoryConsoleSessions(clock, secrets.token_bytes)
    return redis_sessions(request.getfixturevalue("redis_of_console"), clock)


async def test_session_is_found_by_its_handle(store: Sessions) -> None:
    handle = await store.create(SESSION, "account")

    assert await store.find(handle, "account") == SESSION
    assert await store.find(handle, "console") is None


@pytest.mark.parametrize(
    "handle", ["", "x", "00", "zz" + "a" * 43, "00" + "a" * 43, "00" + "a" * 400, "00{*}" + "a" * 40]
)
async def test_malformed_or_unknown_handle_finds_nothing(store: Sessions, handle: str) -> None:
    assert await store.find(handle, "account") is None


async def test_removed_session_is_unknown_to_every_replica(store: Sessions) -> None:
    handle = await store.create(SESSION, "account")
    await store.remove(handle, "account")
    await store.remove(handle, "account")
    await store.remove("nothing", "account")

    assert await store.find(handle, "account") is None


async def test_sessions_of_a_provider_session_end(store: Sessions) -> None:
    """Sessions of one user, provider session and application end together, once."""
    sessions = [SESSION, SESSION, msgspec.structs.replace(SESSION, sid="s2"), OTHER]
    handles = [await store.create(one, "account") for one in sessions]
    console = await store.create(SESSION, "console")
    for _ in range(2):
        await store.remove_all("u1", "s1", "account")
    left = [await store.find(handle, "account") is not None for handle in handles]

    assert left == [False, False, True, True]
    assert await store.find(console, "console") == SESSION


async def test_session_ends_at_its_absolute_expiry(store: Sessions, clock: FrozenClock) -> None:
    handle = await store.create(msgspec.structs.replace(SESSION, ends_at=NOW + 300), "account")
    clock.tick(299)
    before = await store.find(handle, "account")
    clock.tick(1)

    assert before is not None
    assert await store.find(handle, "account") is None


async def test_secret_is_shown_once_and_to_its_owner(store: Sessions) -> None:
    name = await store.keep_to_show(SESSION, {"secret": "canary-shown"})
    foreign = await store.take_to_show(OTHER, name)
    shown = [await store.take_to_show(SESSION, name) for _ in range(2)]

    assert foreign is None
    assert shown == [{"secret": "canary-shown"}, None]


async def test_form_is_taken_once_and_by_its_owner(store: Sessions) -> None:
    name = await store.keep_form(SESSION, FORM)
    foreign = await store.take_form(OTHER, name)
    taken = [await store.take_form(SESSION, name) for _ in range(2)]

    assert foreign is None
    assert taken == [FORM, None]


async def test_form_is_kept_longer_than_secrets(clock: FrozenClock) -> None:
    """Signing in again may take half an hour; a secret expires after five minutes."""
    store = MemoryConsoleSessions(clock, secrets.token_bytes)
    names = [await store.keep_form(SESSION, FORM), await store.keep_to_show(SESSION, {"secret": "s"})]
    clock.tick(1_799)
    kept = [await store.take_form(SESSION, names[0]), await store.take_to_show(SESSION, names[1])]

    assert kept == [FORM, None]


@pytest.mark.servers
async def test_redis_keeps_a_form_longer_than_secrets(redis_of_console: RedisClient, clock: FrozenClock) -> None:
    store = redis_sessions(redis_of_console, clock)
    names = [await store.keep_form(SESSION, FORM), await store.keep_to_show(SESSION, {"secret": "s"})]
    keys = [
        f"console:{{{name[:2]}}}:{kind}:{fingerprint(name + SESSION.sub)}"
        for kind, name in zip(("form", "shown"), names, strict=True)
    ]
    left = [await redis_of_console.read("TTL", key) for key in keys]
    await store.take_form(SESSION, names[0])
    await store.take_to_show(SESSION, names[1])

    assert [1_700 < left[0] <= 1_800, 200 < left[1] <= 300] == [True, True]


async def test_pending_secrets_of_one_user_are_limited(store: Sessions) -> None:
    """The oldest is dropped, and other users are not affected."""
    foreign = await store.keep_to_show(OTHER, {"secret": "other"})
    names = [await store.keep_to_show(SESSION, {"secret": str(number)}) for number in range(MOST_SHOWN + 2)]
    found = [await store.take_to_show(SESSION, name) for name in names[:4]]
    later = [await store.keep_to_show(SESSION, {"secret": "later"}) for _ in range(2)]

    assert found == [None, None, {"secret": "2"}, {"secret": "3"}]
    assert await store.take_to_show(SESSION, names[4]) == {"secret": "4"}
    assert await store.take_to_show(SESSION, later[0]) == {"secret": "later"}
    assert await store.take_to_show(OTHER, foreign) == {"secret": "other"}


@pytest.mark.servers
async def test_redis_contents_are_unreadable(redis_of_console: RedisClient, clock: FrozenClock) -> None:
    """Values are sealed and bound to their keys, and keys contain fingerprints."""
    store = redis_sessions(redis_of_console, clock)
    handle = await store.create(SESSION, "account")
    await store.keep_to_show(SESSION, {"secret": "canary-shown"})
    keys = [f"console:{{{handle[:2]}}}:account:{name}" for name in [fingerprint(handle)]]
    values = [str(await redis_of_console.read("GET", key)) for key in keys]

    assert all("canary" not in value and len(value) > 100 for value in values)
    assert handle not in "".join([*keys, *values])
    assert 1_700 < await redis_of_console.read("TTL", keys[0]) <= 1_800


@pytest.mark.servers
async def test_session_index_ends_with_its_sessions(redis_of_console: RedisClient, clock: FrozenClock) -> None:
    """Ended sessions leave the index when the next one starts, and the index expires with the last one."""
    store = redis_sessions(redis_of_console, clock)
    session = msgspec.structs.replace(SESSION, sub="u9")
    await store.create(msgspec.structs.replace(session, ends_at=NOW + 100), "account")
    clock.tick(200)
    await store.create(session, "account")
    index = f"console:{{{bucket_of('u9')}}}:account-began-with:{fingerprint('s1')}"

    assert await redis_of_console.read("ZCARD", index) == 1
    assert 28_000 < await redis_of_console.read("TTL", index) <= 28_600


@pytest.mark.servers
async def test_other_master_key_opens_no_session(redis_of_console: RedisClient, clock: FrozenClock) -> None:
    """Without the former key the user signs in again instead of getting an error."""
    handle = await redis_sessions(redis_of_console, clock).create(SESSION, "account")
    other = base64.b64encode(secrets.token_bytes(32)).decode()

    assert await redis_sessions(redis_of_console, clock, other).find(handle, "account") is None
    assert await redis_sessions(redis_of_console, clock, f"{other},{MASTER}").find(handle, "account") == SESSION


@pytest.mark.servers
async def test_session_expiry_is_extended_with_few_writes(redis_of_console: RedisClient, clock: FrozenClock) -> None:
    """The expiry in Redis is written only after a minute of idleness."""
    store = redis_sessions(redis_of_console, clock)
    handle = await store.create(SESSION, "account")
    key = f"console:{{{handle[:2]}}}:account:{fingerprint(handle)}"
    shorten = redis_of_console.script("return redis.call('PEXPIRE', KEYS[1], ARGV[1])")
    left = []
    for seconds in (1_790, 1_000):
        await redis_of_console.run(shorten, [key], [seconds * 1_000])
        await store.find(handle, "account")
        left.append(await redis_of_console.read("TTL", key))

    assert 1_780 <= left[0] <= 1_790
    assert 1_790 < left[1] <= 1_800


async def test_unfinished_work_is_found_by_its_user_for_an_hour(store: Sessions) -> None:
    """Later steps replace unfinished work, and the work of other places and users is separate."""
    await store.keep_work(SESSION, "here", {"step": 1})
    await store.keep_work(SESSION, "here", {"step": 2})
    await store.keep_work(SESSION, "there", {"step": 3})
    found = [await store.find_work(one, place) for one in (SESSION, OTHER) for place in ("here", "there")]
    await store.drop_work(SESSION, "here")

    assert found == [{"step": 2}, {"step": 3}, None, None]
    assert [await store.find_work(SESSION, place) for place in ("here", "there")] == [None, {"step": 3}]
