"""Names of groups, under the claim name registered for an application."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts.users import User, UserClaims
from portico_fakes.token_service import USER, TokenService

from .test_roles_list import WHERE, shown


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With a user of the organization of the application, who is in two groups."""
    token_service.users.people[USER] = UserClaims(
        user=User(user_id=USER, org_id="org-1", user_name="ada", login_name="ada@example.test", human=True)
    )
    token_service.users.groups[USER] = ("authors", "staff")
    return token_service


async def test_names_are_in_every_place_of_claims(service: TokenService) -> None:
    """The claim needs no scope, and does not replace the roles."""
    service.users.roles[USER, "project-1"] = {"viewer": {"o": "o.test"}}
    found = await shown(service, groups_claim="groups", roles_claim="roles")

    assert {where: (claims["groups"], claims["roles"]) for where, claims in found.items()} == {
        where: (["authors", "staff"], ["viewer"]) for where in WHERE
    }


async def test_without_the_setting_there_is_no_claim(service: TokenService) -> None:
    assert not any("groups" in claims for claims in (await shown(service)).values())


async def test_application_of_another_organization_gets_no_groups(service: TokenService) -> None:
    """Another organization could name a group like one that this application trusts."""
    person = service.users.people[USER]
    assert person.user is not None
    service.users.people[USER] = replace(person, user=replace(person.user, org_id="org-2"))
    found = await shown(service, groups_claim="groups")

    assert {where: claims["groups"] for where, claims in found.items()} == {where: [] for where in WHERE}


async def test_too_many_groups_are_refused_at_issue(service: TokenService) -> None:
    """A token that no endpoint would accept is not issued, and the error names the setting."""
    service.users.groups[USER] = tuple(f"group-{number:03}-{'x' * 60}" for number in range(300))
    service.register("app", groups_claim="groups")
    await service.publish_app_changed()
    answer = await service.redeem(service.issue_code("app", scope=("openid",)), "app")

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_scope")
    assert "groups of the user" in answer.json()["error_description"]
