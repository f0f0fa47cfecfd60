"""Refresh token rotation: reuse, grace period and expiry (RFC 9700 §4.14)."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import httpx
import pytest
from portico_contracts.events import GRANT_COMPROMISED
from portico_contracts.users import AccessTokenType
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.token_service import TokenService

GRANT_TYPES = ("authorization_code", "refresh_token")
OFFLINE = ("openid", "email", "offline_access")
DAY = 86_400


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With the clients ``app`` and ``other``, which may refresh."""
    for name in ("app", "other"):
        token_service.register(name, grant_types=GRANT_TYPES)
    return token_service


async def signed_in(service: TokenService, **code: Any) -> dict[str, Any]:
    """Returns the token set of ``app`` for an offline sign-in."""
    answer = await service.redeem(service.issue_code("app", **{"scope": OFFLINE, **code}), "app")
    tokens: dict[str, Any] = answer.json()
    return tokens


async def days_pass(service: TokenService, clock: FrozenClock, days: float) -> None:
    """Advances the clock and renews the lease of keys."""
    clock.tick(days * DAY)
    await service.receive_keys()


def refused(answer: httpx.Response, error: str = "invalid_grant") -> bool:
    """Checks for a 400 with this error and no-store."""
    return (answer.status_code, answer.json()["error"], answer.headers["cache-control"]) == (400, error, "no-store")


async def test_reuse_revokes_the_grant(service: TokenService, bus: MemoryBus) -> None:
    """A spent token is invalid_grant, revokes the whole family, and publishes one event (TK-09)."""
    first = await signed_in(service)
    second = (await service.refresh(first["refresh_token"], "app")).json()

    answers = [await service.refresh(one["refresh_token"], "app") for one in (first, second, first)]

    assert all(refused(answer) for answer in answers)
    assert {(await service.userinfo(one["access_token"])).status_code for one in (first, second)} == {401}
    assert [subject for subject, _body in bus.published] == [GRANT_COMPROMISED.subject]


async def test_reuse_revokes_the_grant_without_the_event(service: TokenService, bus: MemoryBus) -> None:
    first = await signed_in(service)
    second = (await service.refresh(first["refresh_token"], "app")).json()
    bus.stream_down = True

    assert refused(await service.refresh(first["refresh_token"], "app"))
    assert (await service.userinfo(second["access_token"])).status_code == 401


@pytest.mark.parametrize("kind", list(AccessTokenType))
async def test_one_of_many_concurrent_uses_wins(service: TokenService, bus: MemoryBus, kind: AccessTokenType) -> None:
    """Of 200 concurrent uses one is 200, the others are invalid_grant, and the family is revoked with one event
    (TK-09).
    """
    service.register("app", grant_types=GRANT_TYPES, access_token_type=kind)
    token = (await signed_in(service))["refresh_token"]

    answers = await asyncio.gather(*(service.refresh(token, "app") for _ in range(200)))
    winner = next(answer.json() for answer in answers if answer.status_code == 200)

    assert Counter(answer.status_code for answer in answers) == {200: 1, 400: 199}
    assert {answer.json()["error"] for answer in answers if answer.status_code == 400} == {"invalid_grant"}
    assert refused(await service.refresh(winner["refresh_token"], "app"))
    assert [subject for subject, _body in bus.published] == [GRANT_COMPROMISED.subject]


async def test_grace_period_allows_retries(service: TokenService, clock: FrozenClock, bus: MemoryBus) -> None:
    """Within the grace period the previous token may be used again, with another successor; afterwards that is
    reuse.
    """
    service.register("app", grant_types=GRANT_TYPES, refresh_token_grace_seconds=30)
    first = await signed_in(service)
    second = (await service.refresh(first["refresh_token"], "app")).json()
    clock.tick(20)
    third = (await service.refresh(first["refresh_token"], "app")).json()
    clock.tick(9.9)
    fourth = (await service.refresh(first["refresh_token"], "app")).json()
    clock.tick(0.1)

    assert len({one["refresh_token"] for one in (first, second, third, fourth)}) == 4
    assert bus.published == []
    assert refused(await service.refresh(first["refresh_token"], "app"))
    assert refused(await service.refresh(fourth["refresh_token"], "app"))
    assert [subject for subject, _body in bus.published] == [GRANT_COMPROMISED.subject]


async def test_grace_period_leaves_one_usable_successor(service: TokenService) -> None:
    """A successor that was replaced is spent, within the grace period or not (TK-09)."""
    service.register("app", grant_types=GRANT_TYPES, refresh_token_grace_seconds=60)
    first = await signed_in(service)
    second = (await service.refresh(first["refresh_token"], "app")).json()
    third = (await service.refresh(first["refresh_token"], "app")).json()

    assert refused(await service.refresh(second["refresh_token"], "app"))
    assert refused(await service.refresh(third["refresh_token"], "app"))


@pytest.mark.parametrize(("idle", "status"), [(29.9, 200), (30, 400)])
async def test_refresh_token_expires_after_thirty_unused_days(
    service: TokenService, clock: FrozenClock, idle: float, status: int
) -> None:
    token = (await signed_in(service))["refresh_token"]
    await days_pass(service, clock, 20)
    token = (await service.refresh(token, "app")).json()["refresh_token"]
    await days_pass(service, clock, idle)

    assert (await service.refresh(token, "app")).status_code == status


async def test_refresh_token_expires_ninety_days_after_sign_in(service: TokenService, clock: FrozenClock) -> None:
    token = (await signed_in(service))["refresh_token"]
    for _ in range(4):
        await days_pass(service, clock, 22)
        token = (await service.refresh(token, "app")).json()["refresh_token"]
    await days_pass(service, clock, 1.9)
    token = (await service.refresh(token, "app")).json()["refresh_token"]
    await days_pass(service, clock, 0.1)

    assert refused(await service.refresh(token, "app"))
