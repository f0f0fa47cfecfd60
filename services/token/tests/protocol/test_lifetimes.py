"""Token lifetimes of the instance, limited by the service's settings."""

from __future__ import annotations

from typing import Any

import jwt
import pytest
from msgspec.structs import replace
from portico_contracts.events import INSTANCE_CHANGED, Changed
from portico_contracts.token import ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens
from portico_contracts.users import AccessTokenType, TokenLifetimes
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.token_service import TokenService

HOUR, DAY = 3_600, 86_400
OFFLINE = ("openid", "offline_access")
SHORT = TokenLifetimes(
    access_token_seconds=600, id_token_seconds=300, refresh_idle_seconds=DAY, refresh_seconds=2 * DAY
)
LONG = TokenLifetimes(**dict.fromkeys(TokenLifetimes.__struct_fields__, 1_000 * DAY))


def set_lifetimes(service: TokenService, lifetimes: TokenLifetimes | None) -> None:
    service.register("app", grant_types=("authorization_code", "refresh_token"), lifetimes=lifetimes)
    service.register_service_user("robot", access_token_type=AccessTokenType.JWT, lifetimes=lifetimes)


async def signed_in(service: TokenService) -> dict[str, Any]:
    answer = await service.redeem(service.issue_code("app", scope=OFFLINE), "app")
    tokens: dict[str, Any] = answer.json()
    return tokens


def life_of(token: str) -> int:
    """Returns the seconds between iat and exp."""
    claims = jwt.decode(token, options={"verify_signature": False})
    return int(claims["exp"]) - int(claims["iat"])


@pytest.mark.parametrize(
    ("lifetimes", "access", "id_token"),
    [(None, HOUR, HOUR), (SHORT, 600, 300), (LONG, HOUR, HOUR)],
    ids=["not", "less", "more"],
)
async def test_tokens_have_the_lifetime_of_the_instance(
    token_service: TokenService, clock: FrozenClock, lifetimes: TokenLifetimes | None, access: int, id_token: int
) -> None:
    """Without lifetimes of the instance, or with longer ones, the settings apply, because keys are retained no
    longer (IR-16).
    """
    set_lifetimes(token_service, lifetimes)
    tokens = await signed_in(token_service)
    robots = (await token_service.client_credentials("robot")).json()
    clock.tick(access - 1)
    await token_service.receive_keys()
    alive = (await token_service.userinfo(tokens["access_token"])).status_code
    clock.tick(1)

    assert (tokens["expires_in"], life_of(tokens["id_token"])) == (access, id_token)
    assert (robots["expires_in"], life_of(robots["access_token"])) == (access, access)
    assert (alive, (await token_service.userinfo(tokens["access_token"])).status_code) == (200, 401)


@pytest.mark.parametrize(("lifetimes", "idle", "whole"), [(SHORT, DAY, 2 * DAY), (LONG, 30 * DAY, 90 * DAY)])
async def test_refresh_tokens_expire_by_the_instance(
    token_service: TokenService, clock: FrozenClock, lifetimes: TokenLifetimes, idle: int, whole: int
) -> None:
    """Idle and absolute expiry are never later than by the settings."""
    set_lifetimes(token_service, lifetimes)
    unused, used = (await signed_in(token_service))["refresh_token"], (await signed_in(token_service))["refresh_token"]
    lived = 0
    while lived + idle - 1 < whole:
        clock.tick(idle - 1)
        lived += idle - 1
        await token_service.receive_keys()
        used = (await token_service.refresh(used, "app")).json()["refresh_token"]
    clock.tick(whole - lived)
    await token_service.receive_keys()

    assert (await token_service.refresh(used, "app")).json()["error"] == "invalid_grant"
    assert (await token_service.refresh(unused, "app")).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(("lifetimes", "idle"), [(SHORT, DAY), (LONG, 30 * DAY)])
async def test_unused_refresh_token_is_valid_to_the_second(
    token_service: TokenService, clock: FrozenClock, lifetimes: TokenLifetimes, idle: int
) -> None:
    """The idle expiry is the instance's or the settings', whichever comes first."""
    set_lifetimes(token_service, lifetimes)
    first, second = (await signed_in(token_service))["refresh_token"], (await signed_in(token_service))["refresh_token"]
    clock.tick(idle - 1)
    await token_service.receive_keys()
    in_time = (await token_service.refresh(first, "app")).status_code
    clock.tick(1)

    assert in_time == 200
    assert (await token_service.refresh(second, "app")).status_code == 400


async def test_issued_tokens_keep_their_lifetime(token_service: TokenService, clock: FrozenClock) -> None:
    """A grant keeps the absolute expiry of its refresh tokens, while new tokens have the new lifetimes."""
    set_lifetimes(token_service, None)
    before = await signed_in(token_service)
    set_lifetimes(token_service, SHORT)
    clock.tick(1)
    after = (await token_service.refresh(before["refresh_token"], "app")).json()
    clock.tick(700)
    alive = [(await token_service.userinfo(one["access_token"])).status_code for one in (before, after)]

    assert alive == [200, 401]


async def test_lifetimes_apply_to_implicit_responses(token_service: TokenService, bus: MemoryBus) -> None:
    set_lifetimes(token_service, SHORT)
    grant = token_service.authz.codes[token_service.issue_code("app")].grant
    message = IssueImplicitTokens(grant=grant, with_access_token=True)
    both = await bus.call(ISSUE_IMPLICIT_TOKENS, message)
    alone = await bus.call(ISSUE_IMPLICIT_TOKENS, replace(message, with_access_token=False))

    assert (both.expires_in, life_of(both.id_token), life_of(alone.id_token)) == (600, 300, 300)


async def test_changed_lifetime_is_effective_at_once_with_the_event(
    token_service: TokenService, bus: MemoryBus
) -> None:
    set_lifetimes(token_service, None)
    before = (await signed_in(token_service))["expires_in"]
    set_lifetimes(token_service, SHORT)
    unheard = (await signed_in(token_service))["expires_in"]
    changed = Changed(event_id="e", aggregate_id="instance", org_id="instance", sequence=2, at=0, actor="system")
    await bus.publish(INSTANCE_CHANGED, changed, event_id="e")

    assert (before, unheard) == (HOUR, HOUR)
    assert (await signed_in(token_service))["expires_in"] == 600


async def test_changed_lifetime_is_effective_after_a_second(token_service: TokenService, clock: FrozenClock) -> None:
    set_lifetimes(token_service, None)
    await signed_in(token_service)
    set_lifetimes(token_service, SHORT)
    clock.tick(1)

    assert (await signed_in(token_service))["expires_in"] == 600
