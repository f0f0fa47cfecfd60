from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from portico_fakes.assertion_uses import ASSERTION_USES, AssertionUse, assertion_use_of
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_assertions import MemoryAssertions
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import TokenService, token_service_in_memory
from portico_oauth.jose import SigningKey


@pytest.fixture(scope="session")
def signing_keys() -> tuple[SigningKey, ...]:
    return tuple(SigningKey.generate(f"{alg}-1", alg) for alg in ("RS256", "ES256", "EdDSA"))


@pytest.fixture
def grants(clock: FrozenClock) -> MemoryGrants:
    return MemoryGrants(clock=clock)


@pytest.fixture
def assertions(clock: FrozenClock) -> MemoryAssertions:
    return MemoryAssertions(clock)


@pytest.fixture
async def token_service(
    clock: FrozenClock,
    bus: MemoryBus,
    grants: MemoryGrants,
    assertions: MemoryAssertions,
    signing_keys: tuple[SigningKey, ...],
) -> AsyncIterator[TokenService]:
    service = token_service_in_memory(clock, bus, grants, signing_keys, assertions=assertions)
    service.register("web")
    async with service.running():
        yield service


@pytest.fixture(params=ASSERTION_USES)
def assertion_use(request: pytest.FixtureRequest, token_service: TokenService) -> AssertionUse:
    return assertion_use_of(request.param, token_service)
