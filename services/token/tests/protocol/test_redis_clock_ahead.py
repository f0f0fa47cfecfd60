"""The clock of Redis goes a day ahead and back, so that the records of used and revoked things expire early (FD-14)."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from portico_contracts.token import REVOKE_USER, RevokeUser
from portico_contracts.users import AccessTokenType, AuthMethod
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.token_peers import FakeAuthz, FakeKeys, FakeUsers
from portico_fakes.token_service import ISSUER, Peers, TokenService
from portico_harness.eventually import eventually
from portico_harness.servers import RunningNats
from portico_harness.shifted_redis import ShiftedRedis, redis_under_another_clock
from portico_oauth.jose import SigningKey
from portico_runtime.process.clock import SystemClock
from portico_token.settings import Settings
from portico_token.store import keys
from redis.asyncio import Redis

pytestmark = [pytest.mark.servers, pytest.mark.long]

KEY = SigningKey.generate("k1", "ES256")
AHEAD = 90_000
"""Longer than the record of a revoked user is stored."""


@pytest.fixture(name="redis")
def _redis(tmp_path: Path) -> Iterator[ShiftedRedis]:
    with redis_under_another_clock(tmp_path / "redis") as redis:
        yield redis


@pytest.fixture(name="service")
async def _service(
    redis: ShiftedRedis, nats_server: RunningNats, signing_keys: tuple[SigningKey, ...]
) -> AsyncIterator[TokenService]:
    """One replica with the clients ``app`` and ``signer`` and the service user ``robot``."""
    sections = {**redis.server.section("token").model_dump(), **nats_server.section("token").model_dump()}
    users, authz, owner = (nats_server.bus(name) for name in ("users", "authz", "keys"))
    peers = Peers(FakeUsers(users), FakeAuthz(authz), FakeKeys(owner, signing_keys))
    service = TokenService(peers, users, SystemClock(), Settings(issuer=ISSUER, **sections))
    service.random = secrets.token_bytes
    service.register("app", grant_types=("authorization_code", "refresh_token"), audience=("app", "robot"))
    service.register("signer", AuthMethod.PRIVATE_KEY_JWT, keys=(registered(KEY),))
    service.register_service_user("robot", keys=(registered(KEY),), access_token_type=AccessTokenType.JWT)
    async with AsyncExitStack() as stack:
        for bus in (users, authz, owner):
            await bus.start()
            stack.push_async_callback(bus.close)
        await stack.enter_async_context(service.running())
        yield service


async def clock_goes_ahead_and_back(service: TokenService, redis: ShiftedRedis) -> None:
    async def state() -> str:
        return (await service.health.state())["clock"]

    async def is_stored() -> bool:
        async with Redis.from_url(
            redis.server.url, username="token", password=redis.server.password("token")
        ) as client:
            return bool(await client.exists(keys.user_revoked_since("robot")))

    redis.shift(AHEAD)
    await eventually(is_stored, lambda stored: not stored)
    await eventually(state, lambda text: "behind the one of redis" in text)
    redis.shift(0)
    await eventually(state, lambda text: text == "ok")


def assertion(service: TokenService, subject: str) -> str:
    return sign(KEY, claims_of(subject, ISSUER, service.clock.now()))


async def authenticate(service: TokenService, text: str) -> int:
    form = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": text, "token": "x"}
    return (await service.http.post("/oauth/v2/introspect", data=form)).status_code


async def test_nothing_is_accepted_twice(service: TokenService, redis: ShiftedRedis) -> None:
    """Used assertions, a revoked JWT and a used refresh token are refused afterwards, and new ones are accepted."""
    started = service.clock.now()
    await eventually(lambda: _now(service), lambda now: now > started + 2)  # later than the epochs
    grant, client = assertion(service, "robot"), assertion(service, "signer")
    offline = await service.redeem(service.issue_code("app", scope=("openid", "offline_access")), "app")
    refresh = offline.json()["refresh_token"]
    rotated = (await service.refresh(refresh, "app")).json()["refresh_token"]
    revoked = (await service.jwt_bearer(grant)).json()["access_token"]
    first = [await authenticate(service, client), (await service.userinfo(revoked)).status_code]
    await service.bus.call(REVOKE_USER, RevokeUser(user_id="robot"))
    await clock_goes_ahead_and_back(service, redis)

    again = [(await service.jwt_bearer(grant)).status_code, await authenticate(service, client)]
    assert first == [200, 200]
    assert again == [400, 401]
    assert (await service.userinfo(revoked)).status_code == 401
    assert (await service.refresh(rotated, "app")).status_code == 200
    assert (await service.refresh(refresh, "app")).status_code == 400
    await eventually(lambda: _accepted(service), lambda status: status == 200)


async def _now(service: TokenService) -> float:
    return service.clock.now()


async def _accepted(service: TokenService) -> int:
    return await authenticate(service, assertion(service, "signer"))
