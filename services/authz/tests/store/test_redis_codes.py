"""Properties that only a real Redis shows: races, expiry, key names, hashes, an unreachable server."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest
from portico_authz.domain.browser import new_browser
from portico_authz.domain.code import ClaimOutcome
from portico_authz.domain.ended_session import RETENTION_SECONDS
from portico_authz.domain.ports import Stores
from portico_authz.domain.submission import MAX_RETRIES, RETRY_WINDOW_SECONDS
from portico_authz.store import keys, lua, redis_stores
from portico_contracts.authz import END_SESSIONS, LIST_SESSIONS, REDEEM_CODE, EndSessions, ListSessions, RedeemCode
from portico_fakes.authz_service import ADA, CALLBACK, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_harness.servers import RunningRedis
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import new_opaque
from portico_runtime.redis.client import RedisClient
from portico_runtime.settings.sections.redis import RedisSection

pytestmark = pytest.mark.servers


@pytest.fixture
async def redis(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_server.section("authz"), "authz")
    yield client
    await client.close()


@pytest.fixture
async def stores(redis: RedisClient) -> AsyncIterator[Stores]:
    """Deletes Ada's sessions before and after the test."""
    made = redis_stores(redis)
    await end_adas_sessions(made)
    yield made
    await end_adas_sessions(made)


async def end_adas_sessions(made: Stores) -> None:
    for sid in await made.sessions.list_sids(ADA.user_id):
        session = await made.sessions.find(sid)
        if session is not None:
            await made.logout_queue.set_revoked(session)
        await made.logout_queue.complete(sid)


async def code_of(browser: FakeBrowser) -> str:
    return (await browser.sign_in()).query["code"]


async def test_one_of_500_parallel_claims_wins(
    redis_server: RunningRedis, stores: Stores, clock: FrozenClock, bus: MemoryBus
) -> None:
    """Over two replicas with separate pools, one claim wins and all others get the same grant id (TK-01)."""
    authz = AuthzService(clock, bus, stores)
    second_client = RedisClient(redis_server.section("authz"), "authz")
    second_bus = MemoryBus()
    AuthzService(clock, second_bus, redis_stores(second_client))
    code = await code_of(authz.browser())
    asked = RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK)
    answers = await asyncio.gather(*((bus, second_bus)[n % 2].call(REDEEM_CODE, asked) for n in range(500)))
    await second_client.close()
    won = [answer.grant for answer in answers if answer.grant]

    assert len(won) == 1
    assert Counter(answer.spent_grant_id for answer in answers) == {"": 1, won[0].grant_id: 499}


async def test_parallel_responses_give_one_valid_code(stores: Stores, clock: FrozenClock, bus: MemoryBus) -> None:
    browser = AuthzService(clock, bus, stores).browser()
    done = await browser.log_in(await browser.begin())
    answers = await asyncio.gather(*(browser.get(done.continue_to) for _ in range(50)))
    codes = [Landing(answer).query["code"] for answer in answers if answer.status_code == 303]
    asked = [RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK) for code in codes]
    outcomes = await asyncio.gather(*(bus.call(REDEEM_CODE, one) for one in asked), return_exceptions=True)

    assert {answer.status_code for answer in answers} <= {303, 404}
    assert len([outcome for outcome in outcomes if not isinstance(outcome, BaseException)]) == 1
    assert (await browser.get(done.continue_to)).status_code == 404


async def test_code_is_redeemed_or_replaced_never_both(stores: Stores, clock: FrozenClock, bus: MemoryBus) -> None:
    """Of concurrent replacements and redemptions of a code, one succeeds (TK-01)."""
    browser = AuthzService(clock, bus, stores).browser()
    for _ in range(20):
        done = await browser.log_in(await browser.begin(prompt="login"))
        first = Landing(await browser.get(done.continue_to)).query["code"]
        asked = RedeemCode(code=first, client_id="web", redirect_uri=CALLBACK)
        won, second = await asyncio.gather(
            bus.call(REDEEM_CODE, asked), browser.get(done.continue_to), return_exceptions=True
        )
        assert isinstance(second, httpx.Response)
        assert isinstance(won, ServiceError) == (second.status_code == 303)


async def test_parallel_submissions_of_one_form_are_limited(stores: Stores, clock: FrozenClock, bus: MemoryBus) -> None:
    """A CSRF value is valid for one submission and its few retries (LG-14)."""
    authz = AuthzService(clock, bus, stores)
    browser = authz.browser()
    id = await browser.begin()
    named = await browser.name(id)
    answers = await asyncio.gather(*(browser.answer_raw(id, named, password="wrong") for _ in range(50)))

    assert Counter(answer.status_code for answer in answers) == {200: 1 + MAX_RETRIES, 403: 49 - MAX_RETRIES}
    assert len(authz.peers.attempts) == 1 + MAX_RETRIES


async def test_concurrent_right_passwords_get_one_handle(
    redis_server: RunningRedis, stores: Stores, clock: FrozenClock, bus: MemoryBus
) -> None:
    """Over two replicas, in any order, there is one session, and the browser has it (LG-11)."""
    authz = AuthzService(clock, bus, stores)
    second_client = RedisClient(redis_server.section("authz"), "authz")
    replicas = [authz, AuthzService(clock, MemoryBus(), redis_stores(second_client))]
    for number in range(20):
        browser = authz.browser()
        id = await browser.begin()
        named = await browser.name(id)
        senders = [replica.browser() for replica in replicas]
        for sender in senders:
            sender.handle = browser.handle
        steps = await asyncio.gather(*(sender.answer(id, named, password=PASSWORD) for sender in senders))
        last = senders[number % 2]

        assert senders[0].handle == senders[1].handle != browser.handle
        assert "code" in Landing(await last.get(steps[0].continue_to)).query
        stored = await stores.browsers.find(last.handle)
        assert stored is not None
        assert len(stored.session_ids) == 1
    assert len((await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions) == 20
    await second_client.close()


async def test_every_redis_key_expires_and_hides_its_identifier(
    redis: RedisClient, stores: Stores, clock: FrozenClock, bus: MemoryBus
) -> None:
    """Keys contain bucket and hash only, never a handle, code, CSRF value or request id (P5)."""
    authz = AuthzService(clock, bus, stores)
    browser = authz.browser()
    posted = await browser.post("/oauth/v2/authorize", {"client_id": "web", "redirect_uri": CALLBACK,
                                                       "response_type": "code", "scope": "openid"})  # fmt: skip
    id = await browser.begin()
    code = await code_of(browser)
    parked = posted.headers["location"].partition("=")[2]
    known = {
        "browser": keys.browser(browser.handle),
        "request": keys.request(id),
        "parked": keys.posted_request(parked),
        "code": keys.code(code),
    }
    stored = await stores.browsers.find(browser.handle)
    assert stored is not None
    known["session"] = keys.session(stored.session_ids[0])
    known["user"] = keys.sessions_of(ADA.user_id)
    logout = (await browser.end_session()).headers["location"].partition("=")[2]
    known["logout"] = keys.logout(logout)

    for name, key in known.items():
        ttl = await redis.read("TTL", key)
        assert 0 < ttl <= 2_592_001, name
    assert await redis.read("TTL", known["code"]) <= 60
    assert not any(
        secret in key for key in known.values() for secret in (browser.handle, id, code, parked, logout, ADA.user_id)
    )
    assert {key[:7] for key in known.values()} == {"authz:{"}
    assert known["code"][:10] == known["session"][:10] == known["user"][:10]


async def test_session_index_expires_from_the_session_start(
    redis: RedisClient, stores: Stores, clock: FrozenClock, bus: MemoryBus
) -> None:
    """An old authentication by another identity provider does not change the expiry."""
    browser = AuthzService(clock, bus, stores).browser()
    await browser.sign_in()
    stored = await stores.browsers.find(browser.handle)
    assert stored is not None
    session = await stores.sessions.find(stored.session_ids[0])
    assert session is not None
    await stores.sessions.save(replace(session, auth_time=clock.now() - 1e8), session.seconds_left(clock.now()))

    assert 0 < await redis.read("TTL", keys.sessions_of(ADA.user_id)) <= 2_592_001
    assert list(await stores.sessions.list_sids(ADA.user_id)) == [session.sid]


async def test_ended_session_is_stored_until_clients_are_notified(
    redis: RedisClient, stores: Stores, clock: FrozenClock, bus: MemoryBus
) -> None:
    """Record and queue have separate expiries and are deleted on completion."""
    authz = AuthzService(clock, bus, stores)
    authz.peers.register("web", back_channel_logout_uri="https://shop.example.test/bc")
    browser = authz.browser()
    await browser.sign_in()
    stored = await stores.browsers.find(browser.handle)
    assert stored is not None
    key = keys.session(stored.session_ids[0])
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    for one in (key, keys.logout_queue()):
        assert 0 < await redis.read("TTL", one) <= RETENTION_SECONDS
    while authz.posts.sent == []:
        await authz.back_channel.run_due()

    assert await redis.read("EXISTS", key, keys.sessions_of(ADA.user_id)) == 0
    assert await redis.read("ZSCORE", keys.logout_queue(), stored.session_ids[0]) is None


async def test_one_of_two_replicas_notifies_a_client(
    redis_server: RunningRedis, stores: Stores, clock: FrozenClock, bus: MemoryBus
) -> None:
    second_client = RedisClient(redis_server.section("authz"), "authz")
    replicas = [AuthzService(clock, MemoryBus(), redis_stores(second_client)), AuthzService(clock, bus, stores)]
    for authz in replicas:
        authz.peers.register("web", back_channel_logout_uri="https://shop.example.test/bc")
    for _ in range(20):
        await replicas[1].browser().sign_in()
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    for _ in range(4):
        await asyncio.gather(*(authz.back_channel.run_due() for authz in replicas))
    await second_client.close()

    assert sum(len(authz.posts.sent) for authz in replicas) == 20


async def test_code_is_stored_as_a_hash(redis: RedisClient, stores: Stores, clock: FrozenClock, bus: MemoryBus) -> None:
    """A stored value cannot be presented, and after the claim the grant is deleted while the marker stays."""
    code = await code_of(AuthzService(clock, bus, stores).browser())
    before = await redis.read("HGETALL", keys.code(code))
    await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))
    after = await redis.read("HGETALL", keys.code(code))

    assert code not in json.dumps(before)
    assert "grant" in before
    assert "grant" not in after
    assert await redis.read("TTL", keys.code(code)) >= 600


async def test_answered_request_expires_soon(
    redis: RedisClient, stores: Stores, clock: FrozenClock, bus: MemoryBus
) -> None:
    """The first response shortens its lifetime, and later ones do not extend it."""
    browser = AuthzService(clock, bus, stores).browser()
    id = await browser.begin()
    named, old = await browser.name(id), browser.handle
    done = await browser.answer(id, named, password=PASSWORD)
    code = Landing(await browser.get(done.continue_to)).query["code"]
    assert 0 < await redis.read("TTL", keys.request(id)) <= RETRY_WINDOW_SECONDS
    await redis.run(redis.script("return redis.call('EXPIRE', KEYS[1], 7)"), [keys.request(id)], [])
    again = Landing(await browser.get(done.continue_to)).query["code"]
    stored = json.dumps(await redis.read("HGETALL", keys.request(id)))

    assert 0 < await redis.read("TTL", keys.request(id)) <= 7
    assert 0 < await redis.read("TTL", keys.code(code)) <= 60
    assert not any(secret in stored for secret in (old, browser.handle, code, again))


async def test_extending_never_shortens(redis: RedisClient, stores: Stores) -> None:
    browser = new_browser(secrets.token_bytes)
    handle = browser.new_handle(secrets.token_bytes)
    await stores.browsers.create(handle, browser, 1_000)
    await stores.browsers.extend(handle, 10)
    assert await redis.read("TTL", keys.browser(handle)) > 900

    await stores.browsers.extend(handle, 5_000)
    assert await redis.read("TTL", keys.browser(handle)) > 4_900


async def test_unreachable_redis_is_503(clock: FrozenClock, bus: MemoryBus) -> None:
    """The error is `unavailable` within the time limit of a command (P2)."""
    client = RedisClient(RedisSection(redis_url="redis://127.0.0.1:1", redis_timeout=0.3), "authz")
    authz = AuthzService(clock, bus, redis_stores(client))
    code = new_opaque("7f", secrets.token_bytes)
    response = await authz.browser().authorize()
    with pytest.raises(ServiceError) as caught:
        await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))
    await client.close()

    assert response.status_code == 503
    assert caught.value.kind is Kind.UNAVAILABLE


def test_script_outcomes_match_the_enumeration() -> None:
    words = set(re.findall(r"return \{'(\w+)'", lua.source("claim_code")))

    assert words == {outcome.value for outcome in ClaimOutcome}
