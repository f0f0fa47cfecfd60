"""A backward clock jump prolongs no token: a token issued after the present, beyond the leeway, is inactive (FD-14)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from portico_contracts.users import AccessTokenType
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import TokenService, token_service_in_memory
from portico_harness.rows import row
from portico_oauth.jose import SigningKey

HOUR = 3_600
OFFLINE = ("openid", "offline_access")
KINDS = (AccessTokenType.OPAQUE, AccessTokenType.JWT)


@pytest.fixture
async def token_service(
    clock: FrozenClock, bus: MemoryBus, grants: MemoryGrants, signing_keys: tuple[SigningKey, ...]
) -> AsyncIterator[TokenService]:
    """One replica whose monotonic clock does not jump back."""
    service = token_service_in_memory(clock, bus, grants, signing_keys, monotonic=FrozenClock().now)
    service.register("web")
    async with service.running():
        yield service


@pytest.mark.parametrize("kind", KINDS)
async def test_access_token_from_the_future_is_inactive(
    token_service: TokenService, clock: FrozenClock, kind: AccessTokenType
) -> None:
    """An opaque or JWT access token is inactive at introspection and userinfo until the clock is right (FD-14,
    IR-04).
    """
    for seconds, good in ((-10, True), (-11, False), (-HOUR, False)):
        with row(seconds, good):
            token_service.register("web", access_token_type=kind)
            token = (await token_service.redeem(token_service.issue_code("web"), "web")).json()["access_token"]
            clock.tick(seconds)
            active = (await token_service.introspect(token, "web")).json()["active"]
            userinfo = (await token_service.userinfo(token)).status_code
            clock.tick(-seconds)

            assert (active, userinfo) == (good, 200 if good else 401)
            assert (await token_service.userinfo(token)).status_code == 200


@pytest.mark.parametrize(("seconds", "good"), [(-10, True), (-11, False), (-HOUR, False)])
async def test_stateless_token_from_the_future_is_inactive(
    token_service: TokenService, clock: FrozenClock, seconds: int, good: bool
) -> None:
    """The JWT of a service user carries its time of issue (FD-14, IR-04)."""
    token_service.register_service_user("robot", access_token_type=AccessTokenType.JWT)
    token = (await token_service.client_credentials("robot")).json()["access_token"]
    clock.tick(seconds)

    assert (await token_service.introspect(token, "robot")).json()["active"] is good


@pytest.mark.parametrize("grace", [0, 60])
async def test_refresh_token_from_the_future_is_refused(
    token_service: TokenService, clock: FrozenClock, grace: int
) -> None:
    """The token is not consumed and is valid again when the clock is right (FD-14)."""
    for seconds, status in ((-10, 200), (-11, 400), (-HOUR, 400)):
        with row(seconds, status):
            grants = ("authorization_code", "refresh_token")
            token_service.register("web", grant_types=grants, refresh_token_grace_seconds=grace)
            first = (await token_service.redeem(token_service.issue_code("web", scope=OFFLINE), "web")).json()
            clock.tick(seconds)
            answer = await token_service.refresh(first["refresh_token"], "web")
            clock.tick(-seconds)
            current = first if status == 400 else answer.json()

            error = "invalid_grant" if status == 400 else None
            assert (answer.status_code, answer.json().get("error")) == (status, error)
            assert (await token_service.refresh(current["refresh_token"], "web")).status_code == 200
