"""The service with its own user of a real Redis and a real bus."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from portico_contracts.token import REVOKE_SESSION, RevokeSession
from portico_fakes.token_peers import FakeAuthz, FakeKeys, FakeUsers
from portico_fakes.token_service import ISSUER, USER, Peers, TokenService
from portico_harness.servers import RunningNats, RunningRedis
from portico_oauth.jose import SigningKey
from portico_runtime.process.clock import SystemClock
from portico_token.settings import Settings

pytestmark = pytest.mark.servers


@pytest.fixture
async def real_service(
    redis_server: RunningRedis, nats_server: RunningNats, signing_keys: tuple[SigningKey, ...]
) -> AsyncIterator[TokenService]:
    """One replica built from its settings."""
    sections = {**redis_server.section("token").model_dump(), **nats_server.section("token").model_dump()}
    users, authz, keys = (nats_server.bus(name) for name in ("users", "authz", "keys"))
    peers = Peers(FakeUsers(users), FakeAuthz(authz), FakeKeys(keys, signing_keys))
    service = TokenService(peers, authz, SystemClock(), Settings(issuer=ISSUER, **sections))
    service.random = secrets.token_bytes  # the servers outlive the test: no grant id comes twice
    service.register("web")
    async with AsyncExitStack() as stack:
        for bus in (users, authz, keys):
            await bus.start()
            stack.push_async_callback(bus.close)
        await stack.enter_async_context(service.running())
        yield service


async def test_one_of_fifty_redemptions_wins(real_service: TokenService) -> None:
    """Of fifty concurrent redemptions exactly one is 200, none a 5xx, and the winner's token is revoked (TK-01, TK-03)."""
    code = real_service.issue_code("web")

    answers = await asyncio.gather(*(real_service.redeem(code, "web") for _ in range(50)))
    token = next(answer.json()["access_token"] for answer in answers if answer.status_code == 200)

    assert Counter(answer.status_code for answer in answers) == {200: 1, 400: 49}
    assert (await real_service.userinfo(token)).status_code == 401


async def test_tokens_are_active_until_the_session_ends(real_service: TokenService) -> None:
    answer = await real_service.redeem(real_service.issue_code("web", session_id="s-real"), "web")
    token = answer.json()["access_token"]
    alive = await real_service.userinfo(token)
    ended = await real_service.bus.call(REVOKE_SESSION, RevokeSession(user_id=USER, session_id="s-real"))

    assert (answer.status_code, alive.json()) == (200, {"sub": USER})
    assert ended.grants == 1
    assert (await real_service.userinfo(token)).status_code == 401


async def test_redis_outage_and_recovery(real_service: TokenService, redis_server: RunningRedis) -> None:
    """While Redis is down requests are 503, and afterwards they succeed without a restart."""
    token = (await real_service.redeem(real_service.issue_code("web"), "web")).json()["access_token"]
    await asyncio.to_thread(redis_server.stop)
    try:
        away = [await real_service.userinfo(token), await real_service.redeem(real_service.issue_code("web"), "web")]
        ready = await real_service.health.state()
    finally:
        await asyncio.to_thread(redis_server.start)
    back = [await real_service.userinfo(token), await real_service.redeem(real_service.issue_code("web"), "web")]

    assert [(answer.status_code, answer.json()["error"]) for answer in away] == [(503, "server_error")] * 2
    assert ready["redis"] != "ok"
    assert [answer.status_code for answer in back] == [200, 200]
