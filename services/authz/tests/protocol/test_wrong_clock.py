from __future__ import annotations

import pytest
from portico_authz.app import build_parts
from portico_authz.settings import AuthzSettings
from portico_contracts import http
from portico_fakes.authz_service import ISSUER, LOGIN_KEY, AuthzService
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.wrong_clock import SkewedReplica
from portico_harness.servers import RunningNats, RunningRedis
from portico_runtime.process.clock_guard import ClockGuard


@pytest.mark.parametrize("seconds", [-6, 6, 300])
async def test_no_user_is_signed_in_with_a_wrong_clock(bus: MemoryBus, seconds: int) -> None:
    """Everything that needs the time is 503, and discovery still works (FD-14, FD-02)."""
    replica = SkewedReplica()
    service = AuthzService(replica.guard, bus)
    browser, other = service.browser(), service.browser()
    await browser.sign_in()
    await replica.skew(seconds)
    answers = [await browser.authorize(), await other.authorize()]
    discovery = await browser.get(http.DISCOVERY)
    await replica.skew(0)
    landed = await browser.authorize()

    assert [answer.status_code for answer in answers] == [503, 503]
    assert discovery.status_code == 200
    assert "code=" in landed.headers["location"]


@pytest.mark.servers
async def test_service_compares_its_clock_with_redis(redis_server: RunningRedis, nats_server: RunningNats) -> None:
    """The real parts have a guarded clock, and readiness checks it (FD-14)."""
    sections = {**redis_server.section("authz").model_dump(), **nats_server.section("authz").model_dump()}
    parts = build_parts(AuthzSettings.model_validate({"issuer": ISSUER, "login_api_key": LOGIN_KEY, **sections}))
    await parts.checks["clock"]()
    for part in parts.running[:1]:
        await part.close()

    assert isinstance(parts.clock, ClockGuard)
