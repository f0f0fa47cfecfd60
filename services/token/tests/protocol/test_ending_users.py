"""Revocation of everything a user has: deactivation, deletion, new password (TK-11)."""

from __future__ import annotations

import pytest
from portico_contracts.token import (
    LIST_TOKEN_GRANTS,
    REVOKE_USER,
    REVOKE_USER_CLIENT,
    ListTokenGrants,
    RevokeUser,
    RevokeUserClient,
)
from portico_contracts.users import AccessTokenType
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.service_user_jwt import ROBOT, service_user_jwt
from portico_fakes.token_service import SECRET, USER, TokenService
from portico_oauth.errors import Kind, ServiceError

KINDS = pytest.mark.parametrize("kind", list(AccessTokenType))


async def end(service: TokenService, user_id: str) -> int:
    """Revokes everything of a user; returns the number of live grants."""
    return (await service.bus.call(REVOKE_USER, RevokeUser(user_id=user_id))).grants


async def works(service: TokenService, token: str) -> bool:
    """Reports whether userinfo accepts the token."""
    return (await service.userinfo(token)).status_code == 200


@KINDS
async def test_everything_is_revoked_before_the_response(token_service: TokenService, kind: AccessTokenType) -> None:
    """Every grant, offline ones included, is revoked although users still returns the user as active."""
    token_service.register("app", access_token_type=kind, grant_types=("authorization_code", "refresh_token"))
    answers = [
        (await token_service.redeem(token_service.issue_code("app", **code), "app")).json()
        for code in ({"scope": ("openid", "offline_access")}, {"session_id": "another"})
    ]
    before = [await works(token_service, answer["access_token"]) for answer in answers]

    ended = await end(token_service, USER)
    asked = {"grant_type": "refresh_token", "refresh_token": answers[0]["refresh_token"]}
    refresh = await token_service.token(asked, basic=("app", SECRET))

    assert (before, ended) == ([True, True], 2)
    assert [await works(token_service, answer["access_token"]) for answer in answers] == [False, False]
    assert (refresh.status_code, refresh.json()["error"]) == (400, "invalid_grant")


async def test_other_users_are_unaffected(token_service: TokenService) -> None:
    token = (await token_service.redeem(token_service.issue_code("web"), "web")).json()["access_token"]

    assert await end(token_service, "somebody else") == 0
    assert await works(token_service, token)


async def test_code_redeemed_afterwards_gives_tokens(token_service: TokenService, clock: FrozenClock) -> None:
    await end(token_service, USER)
    clock.tick(0.001)

    answer = await token_service.redeem(token_service.issue_code("web"), "web")

    assert await works(token_service, answer.json()["access_token"])


async def test_stateless_tokens_are_revoked_too(token_service: TokenService, clock: FrozenClock) -> None:
    """JWTs of a service user issued until then are revoked, and later ones are active."""
    token_service.register_service_user(ROBOT)
    token_service.register("api")
    old = service_user_jwt(token_service)
    before = (await token_service.introspect(old, "api")).json()["active"]
    await end(token_service, ROBOT)
    clock.tick(0.001)
    new = service_user_jwt(token_service)

    assert before
    assert [(await token_service.introspect(token, "api")).json()["active"] for token in (old, new)] == [False, True]


async def test_unavailable_store_is_retried_by_users(token_service: TokenService, grants: MemoryGrants) -> None:
    """The request is unavailable, and users retries it until it succeeds (IR-05)."""
    grants.down = True
    with pytest.raises(ServiceError) as refused:
        await end(token_service, USER)

    assert refused.value.kind is Kind.UNAVAILABLE


async def test_grants_of_one_application_are_revoked(token_service: TokenService) -> None:
    """Its access and refresh tokens are refused, and those of another application stay active."""
    for client_id in ("app", "other"):
        token_service.register(client_id, grant_types=("authorization_code", "refresh_token"))
    codes = {
        client: token_service.issue_code(client, scope=("openid", "offline_access")) for client in ("app", "other")
    }
    answers = {client: (await token_service.redeem(code, client)).json() for client, code in codes.items()}
    listed = (await token_service.bus.call(LIST_TOKEN_GRANTS, ListTokenGrants(user_id=USER))).grants

    ended = await token_service.bus.call(REVOKE_USER_CLIENT, RevokeUserClient(user_id=USER, client_id="app"))
    asked = {"grant_type": "refresh_token", "refresh_token": answers["app"]["refresh_token"]}
    refresh = await token_service.token(asked, basic=("app", SECRET))

    assert sorted((one.client_id, one.scope, one.offline) for one in listed) == [
        ("app", ("openid", "offline_access"), True),
        ("other", ("openid", "offline_access"), True),
    ]
    assert ended.grants == 1
    assert [await works(token_service, answers[client]["access_token"]) for client in ("app", "other")] == [False, True]
    assert (refresh.status_code, refresh.json()["error"]) == (400, "invalid_grant")
