"""A change of an organization, project, application or policy takes effect everywhere within a second.

Every replica of token and authz is called directly, after it has answered from its cache (decision 0039).
"""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.apply import Document, Organization
from portico_harness.eventually import eventually
from portico_scenarios.cached_user_stage import CALLBACK, RESOURCE_OWNER, KnownUser, Stage, set_stage
from portico_scenarios.everywhere import Everywhere, claims_in, in_force
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]


USER = "user.v2.UserService"
PROJECTS = "management.v1.ProjectService"
ORGS = "management.v1.OrganizationService"
APPS = "management.v1.AppService"
INACTIVE = ([False, False], [401, 401], ["login_required", "login_required"])
ACTIVE = ([True, True], [200, 200], ["code", "code"])
NO_CLIENT = ([False, False], [401, 401], ["400", "400"])


@pytest.fixture(scope="module")
async def directory(doubled: World) -> Stage:
    return await set_stage(doubled, "rob", "sue", "tom")


@pytest.fixture(scope="module")
async def rob(directory: Stage) -> KnownUser:
    return await directory.sign_in("rob")


async def _states(everywhere: Everywhere, person: KnownUser) -> tuple[list[bool], list[int], list[str]]:
    """Returns the replicas' states: active or not, the status of userinfo, the decisions."""
    active = [bool(one.get("active")) for one in await everywhere.introspect(person)]
    told = [one.get("status", 200) for one in await everywhere.userinfo(person)]
    return active, told, await everywhere.authorize(person)


async def _ids(stage: Stage) -> dict[str, str]:
    found = (await stage.call(f"{APPS}.ListApps", projectId=stage.project_id))["result"]
    [app] = [one["id"] for one in found if one["name"] == "app"]
    return {"appId": app, "projectId": stage.project_id}


OFF_AND_ON = {
    "project": (PROJECTS, "DeactivateProject", "ReactivateProject", ("projectId",)),
    "application": (APPS, "DeactivateApp", "ReactivateApp", ("projectId", "appId")),
    "organization": (ORGS, "DeactivateOrg", "ReactivateOrg", ()),
}
"""By name: the service, the methods that deactivate and reactivate, and the id member."""


@pytest.mark.parametrize(("service", "off", "on", "named"), OFF_AND_ON.values(), ids=OFF_AND_ON.keys())
async def test_deactivation_takes_effect_within_a_second(
    everywhere: Everywhere, directory: Stage, service: str, off: str, on: str, named: tuple[str, ...]
) -> None:
    """Every replica refuses tokens and sessions, and after reactivation a new sign-in works everywhere (TK-11)."""
    person = await directory.sign_in("sue")
    await everywhere.warm(person)
    ids = await _ids(directory)
    members = {name: ids[name] for name in named}

    await directory.call(f"{service}.{off}", **members)
    await in_force(lambda: _states(everywhere, person), NO_CLIENT)
    await directory.call(f"{service}.{on}", **members)
    again = await eventually(lambda: directory.sign_in("sue"), bool)

    await in_force(lambda: _states(everywhere, again), ACTIVE)


async def test_deactivated_organization_takes_effect_within_a_second(everywhere: Everywhere, directory: Stage) -> None:
    """No token, refresh or session of its users is valid, even at an application of another organization (TK-11)."""
    person = await directory.sign_in_guest()
    await everywhere.warm(person)

    await directory.call(f"{ORGS}.DeactivateOrg", org_id=directory.guests_id)
    await in_force(lambda: _states(everywhere, person), INACTIVE)

    assert [one["error"] for one in await everywhere.refresh(person)] == ["invalid_grant"] * 2


async def test_changed_organization_is_in_claims_within_a_second(
    everywhere: Everywhere, directory: Stage, rob: KnownUser
) -> None:
    """A changed name or primary domain of an organization is in the claims of its users at every replica."""
    names = {f"{RESOURCE_OWNER}:name": f"renamed-{directory.tag}"}
    domain = f"other-{directory.tag}.example.test"
    domains = {f"{RESOURCE_OWNER}:primary_domain": domain, "preferred_username": f"{rob.id}@{domain}"}

    async def claims(wanted: dict[str, Any]) -> list[dict[str, Any]]:
        return claims_in([*await everywhere.introspect(rob), *await everywhere.userinfo(rob)], wanted)

    await everywhere.warm(rob)
    await directory.call(f"{ORGS}.UpdateOrg", name=names[f"{RESOURCE_OWNER}:name"])
    await in_force(lambda: claims(names), [names] * 4)
    await everywhere.warm(rob)
    moved = Organization(id=directory.org_id, name=names[f"{RESOURCE_OWNER}:name"], primary_domain=domain)
    await directory.world.stack.apply(Document(organizations=(moved,)))
    await in_force(lambda: claims(domains), [domains] * 4)

    assert [one["preferred_username"] for one in await everywhere.refresh(rob)] == [domains["preferred_username"]] * 2


async def test_changed_login_policy_applies_within_a_second(
    everywhere: Everywhere, directory: Stage, rob: KnownUser
) -> None:
    """No replica of authz requires a factor that the login policy has removed."""
    policies, factor = "management.v1.PolicyService", "SECOND_FACTOR_TYPE_OTP_EMAIL"
    await directory.call(f"{policies}.AddCustomLoginPolicy", allowRegister=True)
    await directory.call(f"{USER}.AddOTPEmail", userId=rob.id)
    demanded = await everywhere.authorize(rob)
    await directory.call(f"{policies}.RemoveSecondFactorFromLoginPolicy", type=factor)
    await in_force(lambda: everywhere.authorize(rob), ["code"] * 2)
    await directory.call(f"{policies}.AddSecondFactorToLoginPolicy", type=factor)
    await in_force(lambda: everywhere.authorize(rob), ["interaction_required"] * 2)
    await directory.call(f"{USER}.RemoveOTPEmail", userId=rob.id)

    assert demanded == ["interaction_required"] * 2
    assert await everywhere.authorize(rob) == ["code"] * 2


async def test_removed_redirect_uri_is_refused_within_a_second(
    everywhere: Everywhere, directory: Stage, rob: KnownUser
) -> None:
    """No replica of authz redirects to a removed URI, although the application is cached."""
    await everywhere.warm(rob)
    app: dict[str, Any] = {
        **await _ids(directory),
        "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"],
        "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
    }
    await directory.call(f"{APPS}.UpdateOIDCAppConfig", **app, redirectUris=["https://elsewhere.example.test/"])
    await in_force(lambda: everywhere.authorize(rob), ["400"] * 2)
    await directory.call(f"{APPS}.UpdateOIDCAppConfig", **app, redirectUris=[CALLBACK])
    await in_force(lambda: everywhere.authorize(rob), ["code"] * 2)


async def test_project_role_check_applies_within_a_second(everywhere: Everywhere, directory: Stage) -> None:
    """Users without a role are admitted at every replica until the project requires a role (TK-11)."""
    grants = "management.v1.UserGrantService"
    person = await directory.sign_in("tom")
    query = {"userIdQuery": {"userId": person.id}}
    [grant] = (await directory.call(f"{grants}.ListUserGrants", queries=[query]))["result"]
    await directory.call(f"{grants}.RemoveUserGrant", userId=person.id, grantId=grant["id"])
    project = {"projectId": directory.project_id, "name": "shop"}
    decided = [await everywhere.authorize(person)]
    await directory.call(f"{PROJECTS}.UpdateProject", **project, projectRoleCheck=False)
    await in_force(lambda: everywhere.authorize(person), ["code"] * 2)
    await directory.call(f"{PROJECTS}.UpdateProject", **project, projectRoleCheck=True)
    await in_force(lambda: everywhere.authorize(person), ["access_denied"] * 2)

    assert decided == [["access_denied"] * 2]
