"""A full Redis: writes get 503, reads continue, and no stored data is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from portico_harness.eventually import eventually
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import begin, userinfo
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from redis.asyncio import Redis
from redis.exceptions import OutOfMemoryError

pytestmark = [pytest.mark.e2e, pytest.mark.long]

MEMORY_MIB = 12
BLOCK = b"x" * 65_536


@pytest.fixture(scope="module")
async def small(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    options = StackOptions(tmp_path_factory.mktemp("small"), port=0, redis_memory_mib=MEMORY_MIB)
    async with started(options, as_given=True) as one:
        yield one


def as_token(world: World) -> Redis:
    password = world.stack.installation.redis_passwords["token"]
    return Redis.from_url(world.stack.layout.redis.url, username="token", password=password)


async def fill(redis: Redis, names: list[str]) -> None:
    """Writes until Redis refuses even a small value, and adds the names of the written keys."""
    for size in (len(BLOCK), 1024, 16):
        while True:
            name = f"token:{{00}}:ballast:{len(names)}"
            try:
                await redis.set(name, BLOCK[:size], ex=3600)
            except OutOfMemoryError:
                break
            names.append(name)


async def signs_in(world: World) -> str:
    token: str = (await world.tokens_of(ALICE, "basic"))["access_token"]
    return token


def is_honest(answer: httpx.Response) -> bool:
    """Checks for 503 with Retry-After and the error format of the surface."""
    json = answer.headers["content-type"].startswith("application/json")
    right = answer.json()["error"] == "server_error" if json else 'id="error-page"' in answer.text
    return answer.status_code == 503 and int(answer.headers["retry-after"]) >= 1 and right


async def test_full_redis_gives_503_and_loses_nothing(small: World) -> None:
    """No request gets another 5xx, tokens stay valid, and everything recovers once memory is free (FD-01)."""
    begun, code = await small.code_of(ALICE, "basic")
    token = await signs_in(small)
    async with as_token(small) as redis:
        ballast: list[str] = []
        try:
            await fill(redis, ballast)
            authorize = await small.http.get(begin(small.metadata, small.clients["basic"]).url)
            await fill(redis, ballast)  # Redis may have freed buffers meanwhile
            redeemed = await small.redeem("basic", code, code_verifier=begun.verifier)
            discovery = await small.http.get(f"{small.issuer}/.well-known/openid-configuration")
        finally:
            for start in range(0, len(ballast), 50):
                await redis.delete(*ballast[start : start + 50])

    assert is_honest(authorize), authorize.text
    assert is_honest(redeemed), redeemed.text
    assert discovery.status_code == 200
    await eventually(lambda: signs_in(small), bool)
    assert (await userinfo(small.http, small.metadata, token)).status_code == 200


async def test_services_report_redis_memory(small: World) -> None:
    """The metrics of authz and token include used and maximum memory of Redis."""
    for service in ("authz", "token"):
        [replica] = small.stack.replicas_of(service)
        text = (await small.http.get(f"http://127.0.0.1:{replica.internal_port}/metrics")).text
        figures = dict(line.split() for line in text.splitlines() if line.startswith("portico_redis_memory_"))

        assert float(figures["portico_redis_memory_maximum_bytes"]) == MEMORY_MIB * 1024 * 1024
        # Buffers of connections and of the log are used memory, and do not count for the maximum.
        assert 0 < float(figures["portico_redis_memory_used_bytes"]) <= 1.05 * MEMORY_MIB * 1024 * 1024
