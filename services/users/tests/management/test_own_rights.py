"""What callers may read of themselves: their organizations, and their permissions there."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

OF = "portico.management.v1.CallerService"


async def permissions(managed: Any, by: str, **more: Any) -> ApiResponse:
    """What a caller may do."""
    return await call_as(managed, f"{OF}.ListMyPermissions", more.pop("body", {}), by=by, **more)


async def orgs(managed: Any, by: str, **body: Any) -> dict[str, str]:
    """The organizations of a caller: names by id."""
    answer = await call_as(managed, f"{OF}.ListMyOrgs", body, by=by)
    assert answer.code == 0, answer.body
    return {one["id"]: one["name"] for one in answer.body.get("result", ())}


def held(answer: ApiResponse) -> dict[str, list[str]]:
    """Roles by permission."""
    assert answer.code == 0, answer.body
    return {one["permission"]: one["roles"] for one in answer.body.get("permissions", ())}


async def test_a_user_without_a_role_may_do_nothing_and_knows_their_organization(managed: Any) -> None:
    """The answer is empty rather than a refusal, so that a page can explain it."""
    answer = await permissions(managed, "self")

    assert held(answer) == {}
    assert answer.body["org"]["id"] == managed.org_id
    assert set(await orgs(managed, "self")) == {managed.org_id}


async def test_each_permission_names_the_roles_that_give_it(managed: Any) -> None:
    """Roles of the organization and of the instance, and which of them holds everywhere."""
    owner, viewer, iam = [await permissions(managed, by) for by in ("owner", "viewer", "iam")]

    assert held(owner)["user.write"] == ["ORG_OWNER"]
    assert "iam.read" not in held(owner)
    assert held(viewer)["user.read"] == ["ORG_OWNER_VIEWER"]
    assert "user.write" not in held(viewer)
    assert held(iam)["iam.policy.write"] == ["IAM_OWNER"]
    assert iam.body["instance"] is True
    assert "instance" not in owner.body
    assert all(one["everywhere"] for one in iam.body["permissions"])


async def test_a_foreign_organization_is_like_an_unknown_one(managed: Any) -> None:
    """The header selects one the caller has to do with, and shows nothing of others (MG-04)."""
    of_other = await permissions(managed, "foreign", headers={"x-service-orgid": managed.org_id})
    unknown = await permissions(managed, "foreign", headers={"x-service-orgid": "no-such-org"})

    assert of_other.code == unknown.code == 7
    assert of_other.error_code == unknown.error_code == "USER-313"


async def test_roles_in_a_project_count_where_it_is_named(managed: Any) -> None:
    """And there alone: the organization's other projects are none of this member's."""
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


async def test_an_administrator_of_the_instance_searches_all_organizations(managed: Any) -> None:
    """By part of the name or of the domain; others find their own alone."""
    name = (await orgs(managed, "owner"))[managed.org_id]

    assert len(await orgs(managed, "iam", query={"limit": 1000})) > 1
    assert managed.org_id in await orgs(managed, "iam", search=name[1:].upper())
    assert await orgs(managed, "owner", search="no such name") == {}
    assert set(await orgs(managed, "foreign")).isdisjoint({managed.org_id})


async def test_a_page_is_sorted_by_name_and_counts_all(managed: Any) -> None:
    """Limit and offset page through; the total is that of all pages."""
    first = await call_as(managed, f"{OF}.ListMyOrgs", {"query": {"limit": 1}}, by="iam")
    second = await call_as(managed, f"{OF}.ListMyOrgs", {"query": {"limit": 1, "offset": "1"}}, by="iam")
    names = [answer.body["result"][0]["name"].casefold() for answer in (first, second)]

    assert names == sorted(names)
    assert int(first.body["details"]["totalResult"]) >= 2
    assert first.body["ownOrgId"]


async def test_callers_read_what_was_changed_about_them(managed: Any) -> None:
    """Their own events and no others, without values, and of every editor; a page at a time."""
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


async def test_callers_read_how_their_organization_looks(managed: Any) -> None:
    """What is in force there; a user of another organization reads that one's."""
    label = {"primaryColor": "#7a1fa2", "fontFamily": "serif"}
    links = {"tosLink": "https://shop.example/terms"}
    policies = "portico.management.v1.PolicyService"
    await call_as(managed, f"{policies}.AddCustomLabelPolicy", label, by="owner")
    await call_as(managed, f"{policies}.AddCustomPrivacyPolicy", links, by="owner")
    mine = (await call_as(managed, f"{OF}.GetMyBranding", {}, by="self")).body
    other = (await call_as(managed, f"{OF}.GetMyBranding", {}, by="foreign")).body

    assert mine == {"light": {"primary": "#7a1fa2"}, "dark": {}, "fontFamily": "serif", **links}
    assert "primary" not in other["light"]
