"""Durability of revocations on a real Redis that crashes, restarts, or loses its data."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from portico_contracts.token import REVOKE_USER, RevokeUser
from portico_contracts.users import AccessTokenType
from portico_fakes.service_user_jwt import ROBOT, service_user_jwt
from portico_fakes.token_peers import FakeAuthz, FakeKeys, FakeUsers
from portico_fakes.token_service import ISSUER, Peers, TokenService
from portico_harness.eventually import HANGS
from portico_harness.servers import RunningNats, RunningRedis, running_redis
from portico_oauth.jose import SigningKey
from portico_runtime.process.clock import SystemClock
from portico_runtime.redis.client import RedisClient
from portico_token.domain.origin import Origin
from portico_token.domain.token_text import new_stateless_id
from portico_token.settings import Settings
from portico_token.store import keys

pytestmark = [pytest.mark.servers, pytest.mark.long]

INACTIVE = b'{"active":false}'
TOKENS = 400
CRASHES = 3


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RunningRedis]:
    with running_redis(tmp_path / "redis") as server:
        yield server


@pytest.fixture
async def service(
    own_redis: RunningRedis, nats_server: RunningNats, signing_keys: tuple[SigningKey, ...]
) -> AsyncIterator[TokenService]:
    """One replica built from its settings, with a service user."""
    sections = {**own_redis.section("token").model_dump(), **nats_server.section("token").model_dump()}
    users, authz, signing = (nats_server.bus(name) for name in ("users", "authz", "keys"))
    peers = Peers(FakeUsers(users), FakeAuthz(authz), FakeKeys(signing, signing_keys))
    service = TokenService(peers, users, SystemClock(), Settings(issuer=ISSUER, **sections))
    service.random = secrets.token_bytes
    service.register("web")
    service.register_service_user(ROBOT)
    async with AsyncExitStack() as stack:
        for bus in (users, authz, signing):
            await bus.start()
            stack.push_async_callback(bus.close)
        await stack.enter_async_context(service.running())
        yield service


async def tokens_of(service: TokenService, count: int, **registration: Any) -> list[str]:
    service.register("web", **registration)
    await service.publish_app_changed()
    answers = await asyncio.gather(*(service.redeem(service.issue_code("web"), "web") for _ in range(count)))
    return [answer.json()["access_token"] for answer in answers]


def later_jwt(service: TokenService, seconds: int = 0) -> str:
    """Returns a stateless token issued some seconds later."""
    at = service.clock.now() + seconds
    jti = new_stateless_id(ROBOT, Origin.CLIENT_CREDENTIALS, at, secrets.token_bytes)
    return service_user_jwt(service, iat=int(at), jti=jti, aud=["web"])


async def active(service: TokenService, token: str) -> bool:
    """Introspects the token once the store is available."""
    async with asyncio.timeout(HANGS):
        while (answer := await service.introspect(token, "web")).status_code == 503:
            pass
    response: bool = answer.json()["active"]
    return response


async def test_revocations_survive_a_restart(service: TokenService, own_redis: RunningRedis) -> None:
    """Revoked grants, stateless tokens and users stay revoked, and active tokens stay active."""
    service.register_service_user("ended")
    user_revoked_since = (await service.redeem(service.issue_code("web", user_id="ended"), "web")).json()[
        "access_token"
    ]
    kept, ended = await tokens_of(service, 2)
    await service.bus.call(REVOKE_USER, RevokeUser(user_id="ended"))
    denied, is_active = later_jwt(service, 5), later_jwt(service, 5)
    revoked = [await service.revoke(ended, "web"), await service.revoke(denied, ROBOT)]
    own_redis.kill()

    assert [answer.status_code for answer in revoked] == [200, 200]
    assert [await active(service, token) for token in (ended, user_revoked_since, denied)] == [False, False, False]
    assert [await active(service, token) for token in (kept, is_active)] == [True, True]


async def test_user_revocation_outlives_every_token(service: TokenService, own_redis: RunningRedis) -> None:
    """The marker outlives every token issued before, also under an older setting."""
    await service.bus.call(REVOKE_USER, RevokeUser(user_id=ROBOT))
    redis = RedisClient(own_redis.section("token"), "token")
    left = await redis.read("TTL", keys.user_revoked_since(ROBOT))
    await redis.close()

    assert left > 2 * Settings().access_token_seconds


@pytest.mark.parametrize("kind", list(AccessTokenType))
async def test_acknowledged_revocations_survive_crashes(
    service: TokenService, own_redis: RunningRedis, kind: AccessTokenType
) -> None:
    """A revocation answered with 200 survives repeated crashes of the store (IR-05)."""
    tokens = await tokens_of(service, TOKENS, access_token_type=kind)
    crashes = [TOKENS * number // (CRASHES + 1) for number in range(1, CRASHES + 1)]
    answers = []
    for number, token in enumerate(tokens):
        if number in crashes:
            own_redis.kill()
        answers.append(asyncio.create_task(service.revoke(token, "web")))
        if number % 8 == 0:
            await answers[-1]
    statuses = [(await answer).status_code for answer in answers]

    acknowledged = [token for token, status in zip(tokens, statuses, strict=True) if status == 200]
    still = [token for token in acknowledged if await active(service, token)]

    assert set(statuses) == {200, 503}, Counter(statuses)
    assert still == []


async def test_emptied_store_makes_tokens_inactive(
    service: TokenService, own_redis: RunningRedis, tmp_path: Path
) -> None:
    """Every earlier token is inactive, revoked ones included, and tokens issued later are active."""
    (token,) = await tokens_of(service, 1)
    denied, old = later_jwt(service), later_jwt(service)
    await service.revoke(denied, ROBOT)
    await asyncio.to_thread(own_redis.stop)
    for file in (tmp_path / "redis").glob("appendonly*"):
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    await asyncio.to_thread(own_redis.start)

    assert [await active(service, each) for each in (token, denied, old)] == [False, False, False]
    assert [await active(service, each) for each in (old, later_jwt(service, 3))] == [False, True]
