"""Whose token is it, asked by an API of our own (IR-01, IR-06, MG-06)."""

from __future__ import annotations

import pytest
from portico_contracts.token import AUTHENTICATE_BEARER, REVOKE_USER, AuthenticateBearer, Bearer, RevokeUser
from portico_contracts.users import AccessTokenType
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.token_service import USER, TokenService
from portico_oauth.scopes import OWN_PROJECT

SCOPE = "openid urn:portico:project:id:portico:aud"
ROBOT = "robot"
KINDS = pytest.mark.parametrize("kind", list(AccessTokenType))


async def _robot_token(service: TokenService, kind: AccessTokenType, scope: str = SCOPE) -> str:
    service.register_service_user(ROBOT, access_token_type=kind)
    answer = await service.client_credentials(ROBOT, scope=scope)
    token: str = answer.json()["access_token"]
    return token


async def _bearer(bus: MemoryBus, token: str) -> Bearer | None:
    return (await bus.call(AUTHENTICATE_BEARER, AuthenticateBearer(token=token, audience=OWN_PROJECT))).bearer


@KINDS
async def test_a_service_user_with_the_audience_is_known(
    token_service: TokenService, bus: MemoryBus, kind: AccessTokenType
) -> None:
    """The reserved scope puts the service's own project into the audience of either kind of token."""
    bearer = await _bearer(bus, await _robot_token(token_service, kind))

    assert bearer is not None
    assert (bearer.user_id, bearer.client_id) == (ROBOT, ROBOT)
    assert SCOPE.split()[1] in bearer.scope


@KINDS
async def test_a_person_with_the_audience_is_known(
    token_service: TokenService, bus: MemoryBus, kind: AccessTokenType
) -> None:
    """A token of a sign-in authenticates its user, whatever client it was issued to."""
    token_service.register("app", access_token_type=kind)
    answer = await token_service.redeem(token_service.issue_code("app", scope=tuple(SCOPE.split())), "app")
    bearer = await _bearer(bus, answer.json()["access_token"])

    assert bearer is not None
    assert (bearer.user_id, bearer.client_id) == (USER, "app")
    assert await _bearer(bus, answer.json()["id_token"]) is None


@KINDS
async def test_a_token_for_another_audience_authenticates_no_user(
    token_service: TokenService, bus: MemoryBus, kind: AccessTokenType
) -> None:
    """A token without the audience, unknown, malformed, expired or revoked gets the same response."""
    other = await _robot_token(token_service, kind, scope="openid")
    revoked = await _robot_token(token_service, kind)
    await bus.call(REVOKE_USER, RevokeUser(user_id=ROBOT))

    for token in (other, revoked, "unknown", "a.b.c", "", "é"):
        assert await _bearer(bus, token) is None


@KINDS
async def test_an_expired_token_authenticates_no_user(
    token_service: TokenService, bus: MemoryBus, clock: FrozenClock, kind: AccessTokenType
) -> None:
    """A token expires at the exact second of its expiry."""
    token = await _robot_token(token_service, kind)
    clock.tick(3_600)
    await token_service.receive_keys()

    assert await _bearer(bus, token) is None
