from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers


@pytest.fixture
def history() -> bool:
    return True


OF = "portico.management.v1.CallerService"


async def permissions(managed: Any, by: str, **more: Any) -> ApiResponse:
    return await call_as(managed, f"{OF}.ListMyPermissions", more.pop("body", {}), by=by, **more)


async def orgs(managed: Any, by: str, **body: Any) -> dict[str, str]:
    answer = await call_as(managed, f"{OF}.ListMyOrgs", body, by=by)
    assert answer.code == 0, answer.body
    return {one["id"]: one["name"] for one in answer.body.get("result", ())}


def held(answer: ApiResponse) -> dict[str, list[str]]:
    assert answer.code == 0, answer.body
    return {one["permission"]: one["roles"] for one in answer.body.get("permissions", ())}


async def test_user_without_a_role_has_no_permissions(managed: Any) -> None:
    """The response is empty instead of an error, so that a page can explain it; the user's organization is listed."""
    answer = await permissions(managed, "self")

    assert held(answer) == {}
    assert answer.body["org"]["id"] == managed.org_id
    assert set(await orgs(managed, "self")) == {managed.org_id}


async def test_permissions_list_the_roles_that_grant_them(managed: Any) -> None:
    """Roles of the organization and of the instance are listed, with those that apply everywhere."""
    owner, viewer, iam = [await permissions(managed, by) for by in ("owner", "viewer", "iam")]

    assert held(owner)["user.write"] == ["ORG_OWNER"]
    assert "iam.read" not in held(owner)
    assert held(viewer)["user.read"] == ["ORG_OWNER_VIEWER"]
    assert "user.write" not in held(viewer)
    assert held(iam)["iam.policy.write"] == ["IAM_OWNER"]
    assert iam.body["instance"] is True
    assert "instance" not in owner.body
    assert all(one["everywhere"] for one in iam.body["permissions"])


async def test_other_organization_counts_as_unknown(managed: Any) -> None:
    """The header selects only organizations where the caller has a role, and reveals nothing about others (MG-04)."""
    of_other = await permissions(managed, "foreign", headers={"x-service-orgid": managed.org_id})
    unknown = await permissions(managed, "foreign", headers={"x-service-orgid": "no-such-org"})

    assert of_other.code == unknown.code == 7
    assert of_other.error_code == unknown.error_code == "USER-313"


async def test_project_roles_apply_only_to_their_project(managed: Any) -> None:
    """A member of a project has no permissions in the organization's other projects."""
    project = (
        await call_as(managed, "portico.management.v1.ProjectService.AddProject", {"name": "P"}, by="owner")
    ).body["id"]
    member = {"userId": f"self-{managed.tag}", "roles": ["PROJECT_OWNER"]}
    path = f"/management/v1/projects/{project}/members"
    added = await call_as(
        managed, "portico.management.v1.MemberService.AddProjectMember", member, by="owner", path=path
    )
    assert added.code == 0, added.body

    assert held(await permissions(managed, "self")) == {}
    assert held(await permissions(managed, "self", body={"projectId": project}))["project.app.write"] == [
        "PROJECT_OWNER"
    ]
    assert held(await permissions(managed, "self", body={"projectId": "another"})) == {}


async def test_instance_owner_searches_all_organizations(managed: Any) -> None:
    """Instance owners search by part of the name or domain; other callers find only their own organizations."""
    name = (await orgs(managed, "owner"))[managed.org_id]

    assert len(await orgs(managed, "iam", query={"limit": 1000})) > 1
    assert managed.org_id in await orgs(managed, "iam", search=name[1:].upper())
    assert await orgs(managed, "owner", search="no such name") == {}
    assert set(await orgs(managed, "foreign")).isdisjoint({managed.org_id})


async def test_pages_are_sorted_by_name(managed: Any) -> None:
    """Limit and offset select a page; the total counts all pages."""
    first = await call_as(managed, f"{OF}.ListMyOrgs", {"query": {"limit": 1}}, by="iam")
    second = await call_as(managed, f"{OF}.ListMyOrgs", {"query": {"limit": 1, "offset": "1"}}, by="iam")
    names = [answer.body["result"][0]["name"].casefold() for answer in (first, second)]

    assert names == sorted(names)
    assert int(first.body["details"]["totalResult"]) >= 2
    assert first.body["ownOrgId"]


async def test_callers_read_events_of_their_own_account(managed: Any) -> None:
    """Callers read only their own events, of every editor, without values and by page."""
    await managed.furnish("self")
    answer = await call_as(managed, f"{OF}.ListMyEvents", {"query": {"limit": 50}}, by="self")
    mine = answer.body.get("result", [])
    one = await call_as(managed, f"{OF}.ListMyEvents", {"query": {"limit": 1}}, by="self")

    assert answer.code == 0
    assert {event["aggregateType"] for event in mine} == {"users"}
    assert len({event["aggregateId"] for event in mine}) == 1
    assert all("payload" not in event and "editor" not in event for event in mine)
    assert mine[-1]["type"] == "created"
    assert len(one.body["result"]) == 1
    assert int(one.body["details"]["totalResult"]) == len(mine)


async def test_callers_read_the_branding_of_their_organization(managed: Any) -> None:
    """The effective branding of the caller's own organization is returned."""
    label = {"primaryColor": "#7a1fa2", "fontFamily": "serif"}
    links = {"tosLink": "https://shop.example/terms"}
    policies = "portico.management.v1.PolicyService"
    await call_as(managed, f"{policies}.AddCustomLabelPolicy", label, by="owner")
    await call_as(managed, f"{policies}.AddCustomPrivacyPolicy", links, by="owner")
    mine = (await call_as(managed, f"{OF}.GetMyBranding", {}, by="self")).body
    other = (await call_as(managed, f"{OF}.GetMyBranding", {}, by="foreign")).body

    assert mine == {"light": {"primary": "#7a1fa2"}, "dark": {}, "fontFamily": "serif", **links}
    assert "primary" not in other["light"]


async def test_callers_read_the_password_rules_of_their_organization(managed: Any) -> None:
    """The effective rules for a new password are returned without a permission."""
    rules = {"minLength": "11", "hasNumber": True}
    await call_as(managed, "portico.management.v1.PolicyService.AddCustomPasswordComplexityPolicy", rules, by="owner")
    mine = (await call_as(managed, f"{OF}.GetMyPasswordRules", {}, by="self")).body
    other = (await call_as(managed, f"{OF}.GetMyPasswordRules", {}, by="foreign")).body

    assert (mine, other) == ({"minLength": 11, "hasNumber": True}, {"minLength": 8})
