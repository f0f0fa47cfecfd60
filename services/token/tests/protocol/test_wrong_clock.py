from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from portico_contracts.token import SIGN_LOGOUT_TOKENS, LogoutNotice, SignLogoutTokens
from portico_contracts.users import AccessTokenType
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import ISSUER, TokenService, token_service_in_memory
from portico_fakes.wrong_clock import SkewedReplica
from portico_harness.rows import row
from portico_harness.servers import RunningNats, RunningRedis
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.jose import SigningKey
from portico_runtime.process.clock_guard import ClockGuard
from portico_runtime.process.health import Health
from portico_token.app import production_parts
from portico_token.settings import Settings


@pytest.fixture
def replica() -> SkewedReplica:
    """The clocks of the replica and of its store, equal at first."""
    return SkewedReplica()


@pytest.fixture
async def service(
    replica: SkewedReplica, bus: MemoryBus, grants: MemoryGrants, signing_keys: tuple[SigningKey, ...]
) -> AsyncIterator[TokenService]:
    """A replica with a guarded clock and the clients ``web`` (JWT) and ``opaque``."""
    service = token_service_in_memory(replica.guard, bus, grants, signing_keys, monotonic=replica.store.now)
    service.register("web", access_token_type=AccessTokenType.JWT)
    service.register("opaque")
    async with service.running():
        yield service


async def test_nothing_is_issued_with_a_wrong_clock(service: TokenService, replica: SkewedReplica) -> None:
    """The response is 503 and nothing is consumed, so the same code is redeemed when the clock is right (FD-14, P2)."""
    for seconds in (-6, 6, 300):
        for client_id in ("web", "opaque"):
            with row(seconds, client_id):
                code = service.issue_code(client_id)
                await replica.skew(seconds)
                wrong = await service.redeem(code, client_id)
                await replica.skew(0)
                right = await service.redeem(code, client_id)

                assert (wrong.status_code, wrong.json()["error"]) == (503, "server_error")
                assert wrong.headers["retry-after"] == "1"
                assert right.status_code == 200


async def test_no_token_is_judged_with_a_wrong_clock(service: TokenService, replica: SkewedReplica) -> None:
    """Introspection and userinfo answer 503 (FD-14, IR-04)."""
    token = (await service.redeem(service.issue_code("web"), "web")).json()["access_token"]
    for seconds in (-6, 6):
        with row(seconds):
            await replica.skew(seconds)
            answers = [await service.introspect(token, "web"), await service.userinfo(token)]

            assert [answer.status_code for answer in answers] == [503, 503]


async def test_no_logout_token_is_signed_with_a_wrong_clock(
    service: TokenService, replica: SkewedReplica, bus: MemoryBus
) -> None:
    """A bus request is unavailable too, so that the caller retries it (FD-14)."""
    await replica.skew(6)
    asked = SignLogoutTokens(notices=(LogoutNotice(client_id="web", user_id="user-1", session_id="session-1"),))
    with pytest.raises(ServiceError) as refused:
        await bus.call(SIGN_LOGOUT_TOKENS, asked)

    assert refused.value.kind is Kind.UNAVAILABLE


async def test_five_seconds_of_skew_are_allowed(service: TokenService, replica: SkewedReplica) -> None:
    """Synchronized clocks differ by less than five seconds (FD-14)."""
    for seconds in (-5, 5):
        with row(seconds):
            code = service.issue_code("web")
            await replica.skew(seconds)

            assert (await service.redeem(code, "web")).status_code == 200


@pytest.mark.servers
async def test_service_compares_its_clock_with_redis(redis_server: RunningRedis, nats_server: RunningNats) -> None:
    """The real parts have a guarded clock, which readiness checks (FD-14)."""
    health = Health()
    sections = {**redis_server.section("token").model_dump(), **nats_server.section("token").model_dump()}
    parts = production_parts(Settings(issuer=ISSUER, **sections), health)
    state = await health.state()
    for part in parts.living:
        await part.close()

    assert isinstance(parts.clock, ClockGuard)
    assert (state["redis"], state["clock"]) == ("ok", "ok")
