"""Roles as a list, under the claim name registered for an application."""

from __future__ import annotations

from typing import Any

import jwt
import pytest
from portico_contracts.users import AccessTokenType, User, UserClaims
from portico_fakes.token_service import SECRET, USER, TokenService

OTHER = "urn:portico:project:id:p2:aud"
ROLES = "urn:portico:project:roles"
WHERE = ("id_token", "access_token", "userinfo", "introspection")


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With a user who has roles in two projects."""
    token_service.users.people[USER] = UserClaims(
        user=User(user_id=USER, org_id="org-1", user_name="ada", login_name="ada@example.test", human=True)
    )
    token_service.users.audiences["p2"] = ("api", "p2")
    token_service.users.roles[USER, "project-1"] = {"viewer": {"o": "o.test"}, "admin": {"o": "o.test", "p": "p.test"}}
    token_service.users.roles[USER, "p2"] = {"viewer": {"o": "o.test"}}
    return token_service


def claims_in(token: str) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims


async def shown(service: TokenService, scope: str = "openid", **client: Any) -> dict[str, dict[str, Any]]:
    """Returns the claims in each place for an application with these settings."""
    service.register("app", access_token_type=AccessTokenType.JWT, **client)
    await service.publish_app_changed()
    tokens = (await service.redeem(service.issue_code("app", scope=tuple(scope.split())), "app")).json()
    return {
        "id_token": claims_in(tokens["id_token"]),
        "access_token": claims_in(tokens["access_token"]),
        "userinfo": (await service.userinfo(tokens["access_token"])).json(),
        "introspection": (await service.introspect(tokens["access_token"], "app")).json(),
    }


async def test_roles_list_is_in_every_place_of_claims(service: TokenService) -> None:
    """The list needs no scope, is sorted, and replaces no other role claim."""
    found = await shown(service, roles_claim="groups")

    assert {where: claims.get("groups") for where, claims in found.items()} == {
        where: ["admin", "viewer"] for where in WHERE
    }
    assert not any(name.startswith("urn:portico:") for claims in found.values() for name in claims)


async def test_without_the_setting_there_is_no_list(service: TokenService) -> None:
    found = await shown(service, f"openid {ROLES}")

    assert all(claims[ROLES] for claims in found.values())
    assert not any("groups" in claims for claims in found.values())


async def test_with_several_projects_keys_name_their_project(service: TokenService) -> None:
    """A role of one project is never taken for another's, and introspection has only the caller's project."""
    found = await shown(service, f"openid {OTHER}", roles_claim="roles")
    several = ["p2:viewer", "project-1:admin", "project-1:viewer"]

    assert {where: claims["roles"] for where, claims in found.items()} == {
        **dict.fromkeys(WHERE[:3], several), "introspection": ["admin", "viewer"],
    }  # fmt: skip


async def test_user_without_roles_has_an_empty_list(service: TokenService) -> None:
    """An application that synchronizes roles removes the last one."""
    del service.users.roles[USER, "project-1"]
    found = await shown(service, roles_claim="groups")

    assert {where: claims.get("groups") for where, claims in found.items()} == {where: [] for where in WHERE}


async def test_list_overrides_no_protocol_claim(service: TokenService) -> None:
    """Whatever name is registered, protocol claims are unchanged (JW-20)."""
    tokens = ("id_token", "access_token", "introspection")
    places = {"sub": WHERE, "aud": tokens, "iss": tokens, "exp": tokens, "client_id": tokens[1:], "azp": tokens[:1]}
    for name, own in places.items():
        found = await shown(service, roles_claim=name)
        assert not [where for where in own if found[where][name] == ["admin", "viewer"]], name


async def test_service_user_has_no_list(service: TokenService) -> None:
    service.register_service_user("robot", access_token_type=AccessTokenType.JWT)
    service.users.roles["robot", "p2"] = {"viewer": {"o": "o.test"}}
    answer = await service.token(
        {"grant_type": "client_credentials", "scope": f"openid {ROLES} {OTHER}"}, basic=("robot", SECRET)
    )

    assert [name for name, value in claims_in(answer.json()["access_token"]).items() if value == ["viewer"]] == []
