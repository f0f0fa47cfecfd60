"""No issued token is longer than the endpoints accept."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_contracts.authz import CodeGrant
from portico_contracts.token import ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens
from portico_contracts.users import AccessTokenType, User, UserClaims
from portico_fakes.token_service import SECRET, USER, TokenService
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import bucket_of, new_opaque

LIMIT = 16_384
ROLES = "urn:portico:project:roles"
METADATA = "urn:portico:user:metadata"
SCOPE = ("openid", "offline_access", ROLES)


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With an application that has JWT access tokens and may refresh."""
    token_service.register(
        "app", access_token_type=AccessTokenType.JWT, grant_types=("authorization_code", "refresh_token")
    )
    token_service.users.people[USER] = UserClaims(
        user=User(user_id=USER, org_id="org-1", user_name="ada", login_name="ada@example.test", human=True)
    )
    return token_service


def give_roles(service: TokenService, count: int, user_id: str = USER) -> None:
    """Gives the user roles in the application's project, with keys of 39 characters."""
    service.users.roles[user_id, "project-1"] = {
        f"{number:039}": {"org-1": "one.example.test"} for number in range(count)
    }


async def signed_in(service: TokenService, *scope: str) -> httpx.Response:
    return await service.redeem(service.issue_code("app", scope=scope or SCOPE), "app")


def refused(answer: httpx.Response, reason: str) -> bool:
    """Checks for a 400 whose description names the reason and the limit."""
    body = answer.json()
    named = reason in body.get("error_description", "") and str(LIMIT) in body["error_description"]
    return (answer.status_code, body["error"], named) == (400, "invalid_scope", True)


async def test_every_issued_token_is_accepted(service: TokenService) -> None:
    """Up to the limit userinfo, introspection and revocation accept it; beyond it the request is refused with
    the reason.
    """
    service.register("api")
    longest = 0
    for count in range(60, 90):
        give_roles(service, count)
        answer = await signed_in(service)
        if answer.status_code != 200:
            assert refused(answer, "roles"), count
            continue
        token = answer.json()["access_token"]
        longest = max(longest, len(token))
        answers = [
            await service.http.get("/oidc/v1/userinfo", headers={"Authorization": f"Bearer {token}"}),
            await service.http.post("/oidc/v1/userinfo", data={"access_token": token}),
            await service.introspect(token, "app"),
        ]
        assert [each.status_code for each in answers] == [200] * 3, count
        assert answers[2].json()["active"], count

    assert LIMIT - 400 < longest <= LIMIT


async def test_refused_refresh_consumes_nothing(service: TokenService) -> None:
    refresh_token = (await signed_in(service)).json()["refresh_token"]
    give_roles(service, 200)
    await service.publish_user_changed()
    answer = await service.refresh(refresh_token, "app")
    give_roles(service, 1)
    await service.publish_user_changed()

    assert refused(answer, "roles")
    assert (await service.refresh(refresh_token, "app")).status_code == 200


async def test_largest_part_is_the_reason(service: TokenService) -> None:
    """Metadata, claims, roles and audience are distinguished in both tokens."""
    user = User(user_id=USER, org_id="org-1", user_name="ada", login_name="ada@example.test", human=True)
    opaque: dict[str, Any] = {"id_token_userinfo_assertion": True}
    jwt = {"access_token_type": AccessTokenType.JWT}
    long = "x" * 20_000
    cases: dict[str, tuple[dict[str, Any], UserClaims, str]] = {
        "metadata": (opaque, UserClaims(user=user, metadata={"team": long}), METADATA),
        "metadata ": (jwt, UserClaims(user=user, metadata={"team": long}), METADATA),
        "claims": (opaque, UserClaims(user=user, claims={"name": long}), "profile"),
        "audience": (
            jwt | {"audience": tuple(f"app-{number:05}" for number in range(2_000))},
            UserClaims(user=user),
            "",
        ),
    }
    for reason, (client, person, word) in cases.items():
        service.register("app", **client)
        service.users.people[USER] = person
        await service.publish_app_changed()
        answer = await service.redeem(service.issue_code("app", scope=("openid", *word.split())), "app")
        assert refused(answer, reason.strip()), reason


async def test_service_users_and_implicit_responses_are_limited(service: TokenService) -> None:
    aud = "urn:portico:project:id:project-1:aud"
    service.register_service_user("robot", access_token_type=AccessTokenType.JWT)
    service.users.audiences["project-1"] = ("app", "project-1")
    give_roles(service, 200, "robot")
    robot = await service.token(
        {"grant_type": "client_credentials", "scope": f"openid {ROLES} {aud}"}, basic=("robot", SECRET)
    )
    grant = CodeGrant(
        grant_id=new_opaque(bucket_of(USER), service.random, 128), client_id="app", user_id=USER, session_id="s-1",
        scope=("openid", ROLES), auth_time=int(service.clock.now()), amr=("pwd",), acr="", nonce="n",
        auth_time_proven=True,
    )  # fmt: skip
    give_roles(service, 200)
    with pytest.raises(ServiceError) as implicit:
        await service.bus.call(ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens(grant=grant, with_access_token=False))

    assert refused(robot, "roles")
    assert implicit.value.id == "TOKEN-142"
