"""Lifetime, metadata and size of login sessions (decision 0107)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.login_sessions import LoginChallenges, LoginChecks
from portico_fakes.authz_service import AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.login_client import LoginClient
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def client(authz: AuthzService) -> LoginClient:
    return LoginClient(authz.bus)


@pytest.mark.parametrize("proven", [False, True])
async def test_session_expires(authz: AuthzService, client: LoginClient, clock: FrozenClock, proven: bool) -> None:
    """Before a first factor a session lives as long as a request, and after it as long as a session."""
    session = await client.with_password() if proven else client.at(await client.checked(login_name="ada"))
    seconds = authz.settings.session_seconds if proven else authz.settings.auth_request_seconds
    shown = await session.state()
    assert shown is not None
    assert shown.ends_at == clock.now() + seconds
    clock.tick(seconds - 1)
    assert await session.state() is not None
    clock.tick(1)

    assert await session.state() is None


async def test_requested_lifetime_only_shortens(authz: AuthzService, client: LoginClient, clock: FrozenClock) -> None:
    began, longest = clock.now(), authz.settings.session_seconds
    session = await client.with_password()
    ends = []
    for lifetime in (60.0, 0.0, 2.0 * longest):
        clock.tick(10)
        ends.append((await session.changed(lifetime=lifetime)).session.ends_at - began)

    assert ends == [70, 70, longest]


async def test_clock_set_back_ends_a_session(client: LoginClient, clock: FrozenClock) -> None:
    session = await client.with_password()
    clock.tick(-60)

    assert await session.state() is None


async def test_metadata_is_merged(client: LoginClient) -> None:
    """An empty value removes its key."""
    session = client.at(await client.changed(metadata={"a": "MQ==", "b": "Mg=="}, user_agent='{"ip": "x"}'))
    changed = (await session.changed(metadata={"a": "", "c": "Mw=="})).session

    assert (changed.metadata, changed.user_agent) == ({"b": "Mg==", "c": "Mw=="}, '{"ip": "x"}')


@pytest.mark.parametrize(
    "fields",
    [
        {"checks": LoginChecks(login_name="x" * 201)},
        {"checks": LoginChecks(user_id="x" * 201)},
        {"checks": LoginChecks(login_name="ada", password="x" * 201)},
        {"checks": LoginChecks(login_name="ada", totp="1" * 201)},
        {"checks": LoginChecks(login_name="ada", credential="x" * 8_193)},
        {"challenges": LoginChallenges(domain="x" * 201)},
        {"user_agent": "ä" * 1_025},
        {"metadata": {"a": "x" * 4_096}},
        {"metadata": {f"k{n}": "x" for n in range(21)}},
        {"languages": ("de",) * 21},
        {"languages": ("x" * 201,)},
        {"lifetime": -1.0},
    ],
)
async def test_long_values_are_refused(authz: AuthzService, client: LoginClient, fields: dict[str, Any]) -> None:
    assert await client.refused(**fields) == "AUTHZ-219"
    assert authz.peers.attempts == []


async def test_metadata_is_limited_in_all(client: LoginClient) -> None:
    session = client.at(await client.changed(metadata={"a": "x" * 3_000}))

    assert await session.refused(metadata={"b": "x" * 1_500}) == "AUTHZ-219"
