from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

Member = Callable[..., Awaitable[ApiResponse]]
OF = "portico.management.v1.MemberService"
IAM = "portico.admin.v1.MemberService"
ORG = "/management/v1/orgs/me/members"
GET_PROJECT = "portico.management.v1.ProjectService.GetProjectByID"
ADD_PROJECT = "portico.management.v1.ProjectService.AddProject"


@pytest.fixture
def on_member(managed: Any) -> Member:
    async def call(method: str, body: Any, path: str, *, by: str = "owner", **more: Any) -> ApiResponse:
        name = method if "." in method else f"{OF}.{method}"
        return await call_as(managed, name, body, by=by, path=path, **more)

    return call


def _self(managed: Any, *roles: str) -> dict[str, Any]:
    return {"userId": f"self-{managed.tag}", "roles": list(roles)}


async def test_roles_take_effect_immediately(managed: Any, on_member: Member) -> None:
    """Members have the permissions of their roles from the next call on, until the roles are removed (MG-06)."""
    path = f"{ORG}/self-{managed.tag}"
    assert (await managed.get(f"robot-{managed.tag}", by="self")).code == 7

    added = await on_member("AddOrgMember", _self(managed, "ORG_OWNER_VIEWER", "ORG_USER_MANAGER"), ORG)
    assert added.body["details"]["resourceOwner"] == managed.org_id
    assert (await managed.get(f"robot-{managed.tag}", by="self")).code == 0

    assert (await on_member("UpdateOrgMember", {"roles": ["ORG_SETTINGS_MANAGER"]}, path)).code == 0
    assert (await managed.get(f"robot-{managed.tag}", by="self")).code == 7
    assert (await on_member("RemoveOrgMember", {}, path)).body["details"]["sequence"] == "3"
    assert (await on_member("RemoveOrgMember", {}, path)).error_code == "USER-714"


async def test_role_beyond_own_permissions_is_refused(managed: Any, on_member: Member) -> None:
    """A manager of organizations can neither become nor create an owner, because owners may read events
    (decision 0085).
    """
    await on_member(f"{IAM}.AddIAMMember", _self(managed, "IAM_ORG_MANAGER"), "/admin/v1/members", by="iam")
    body, path = _self(managed, "ORG_OWNER"), f"{ORG}/self-{managed.tag}"
    added = await on_member("AddOrgMember", body, ORG, by="self")
    less = await on_member("AddOrgMember", _self(managed, "ORG_USER_MANAGER"), ORG, by="self")
    changed = await on_member("UpdateOrgMember", {"roles": body["roles"]}, path, by="self")

    assert [one.error_code for one in (added, changed)] == ["USER-737", "USER-737"]
    assert less.code == 0


async def test_removed_member_can_be_added_again(managed: Any, on_member: Member) -> None:
    """The membership record is reused, and its events continue; adding a member twice is refused."""
    await on_member("AddOrgMember", _self(managed, "ORG_OWNER"), ORG)
    assert (await on_member("AddOrgMember", _self(managed, "ORG_OWNER"), ORG)).error_code == "USER-713"

    await on_member("RemoveOrgMember", {}, f"{ORG}/self-{managed.tag}")
    again = await on_member("AddOrgMember", _self(managed, "ORG_OWNER_VIEWER"), ORG)
    assert again.body["details"]["sequence"] == "3"
    assert (await managed.get(f"robot-{managed.tag}", by="self")).code == 0


@pytest.mark.parametrize(
    ("roles", "error_code"),
    [
        ([], "USER-303"),
        (["IAM_OWNER"], "USER-040"),
        (["PROJECT_OWNER"], "USER-040"),
        (["ORG_OWNER", "ORG_NOBODY"], "USER-040"),
    ],
)
async def test_instance_roles_are_refused_in_organizations(
    managed: Any, on_member: Member, roles: list[str], error_code: str
) -> None:
    """An organization owner cannot make a user an instance owner."""
    assert (await on_member("AddOrgMember", _self(managed, *roles), ORG)).error_code == error_code

    await on_member("AddOrgMember", _self(managed, "ORG_OWNER"), ORG)
    path = f"{ORG}/self-{managed.tag}"
    assert (await on_member("UpdateOrgMember", {"roles": roles}, path)).error_code == error_code


async def test_document_cannot_grant_project_memberships(managed: Any) -> None:
    """Members in a document have no project, so project roles are refused."""
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    human = managed.new_human() | {"id": f"new-{managed.tag}", "roles": ["PROJECT_OWNER"]}
    del human["userId"]

    with pytest.raises(ServiceError) as refused:
        await managed.users.apply(org | {"humans": [human]})
    assert refused.value.id == "USER-040"


async def test_unchanged_roles_are_refused(managed: Any, on_member: Member) -> None:
    """Reordered or repeated roles are no change."""
    await on_member("AddOrgMember", _self(managed, "ORG_OWNER", "ORG_USER_MANAGER"), ORG)
    roles = ["ORG_USER_MANAGER", "ORG_OWNER", "ORG_OWNER"]

    assert (await on_member("UpdateOrgMember", {"roles": roles}, f"{ORG}/self-{managed.tag}")).error_code == "USER-702"


async def test_user_of_another_organization_is_unknown(managed: Any, on_member: Member) -> None:
    """Callers with a role in both organizations may add the user as a member (MG-04)."""
    foreign = {"userId": f"foreign-{managed.tag}", "roles": ["ORG_OWNER_VIEWER"]}
    refused = await on_member("AddOrgMember", foreign, ORG)
    unknown = await on_member("AddOrgMember", foreign | {"userId": "nobody"}, ORG)
    assert refused == unknown
    assert refused.error_code == "USER-315"

    assert (await on_member("AddOrgMember", foreign, ORG, by="iam")).code == 0
    assert (await managed.get(f"self-{managed.tag}", by="foreign")).code == 0


async def test_members_are_listed_with_filters(managed: Any, on_member: Member) -> None:
    """Members are listed with user data; removed ones are neither listed nor counted."""
    await on_member("AddOrgMember", _self(managed, "ORG_USER_MANAGER"), ORG)
    await on_member("RemoveOrgMember", {}, f"{ORG}/viewer-{managed.tag}")
    listed = await on_member("ListOrgMembers", {}, f"{ORG}/_search")
    role = {"queries": [{"roleQuery": {"role": "ORG_USER_MANAGER"}}]}
    (found,) = (await on_member("ListOrgMembers", role, f"{ORG}/_search")).body["result"]
    user = {"queries": [{"userIdQuery": {"userId": f"owner-{managed.tag}"}}]}

    assert {member["userId"].split("-")[0] for member in listed.body["result"]} == {"owner", "self"}
    assert listed.body["details"]["totalResult"] == "2"
    assert found["roles"] == ["ORG_USER_MANAGER"]
    assert found["preferredLoginName"] == f"self-{managed.tag}@{managed.domain(managed.org_id)}"
    assert found["userResourceOwner"] == managed.org_id
    assert len((await on_member("ListOrgMembers", user, f"{ORG}/_search")).body["result"]) == 1


async def test_each_scope_lists_its_membership_roles(on_member: Member) -> None:
    orgs = await on_member("ListOrgMemberRoles", {}, "/management/v1/orgs/members/roles/_search")
    projects = await on_member("ListProjectMemberRoles", {}, "/management/v1/projects/members/roles/_search")
    instance = await on_member(f"{IAM}.ListIAMMemberRoles", {}, "/admin/v1/members/roles/_search", by="iam")

    assert "ORG_OWNER" in orgs.body["result"]
    assert projects.body["result"] == ["PROJECT_OWNER", "PROJECT_OWNER_VIEWER"]
    assert {role[:3] for role in instance.body["result"]} == {"IAM"}


async def test_project_role_applies_only_to_its_project(managed: Any, on_member: Member) -> None:
    """A project owner can change that project; other projects give the errors for callers without a role (MG-01)."""
    await managed.furnish("one", "two")
    paths = [f"/management/v1/projects/p-{name}-{managed.tag}" for name in ("one", "two")]
    added = await on_member("AddProjectMember", _self(managed, "PROJECT_OWNER"), f"{paths[0]}/members")
    assert added.body["details"]["resourceOwner"] == managed.org_id

    read = [await on_member(GET_PROJECT, {}, path, by="self") for path in paths]
    assert [response.code for response in read] == [0, 7]
    listed = await on_member("ListProjectMembers", {}, f"{paths[0]}/members/_search", by="self")
    assert [member["userId"] for member in listed.body["result"]] == [f"self-{managed.tag}"]
    path = f"{paths[0]}/members/self-{managed.tag}"
    assert (await on_member("UpdateProjectMember", {"roles": ["PROJECT_OWNER_VIEWER"]}, path, by="self")).code == 0
    assert (await on_member("RemoveProjectMember", {}, path, by="self")).code == 7
    assert (await on_member("RemoveProjectMember", {}, path)).code == 0
    assert (await on_member(GET_PROJECT, {}, paths[0], by="self")).code == 7


async def test_project_may_have_members_of_other_orgs(managed: Any, on_member: Member) -> None:
    """Such members see the project but nothing else of its organization (MG-04)."""
    await managed.furnish("one", "two")
    paths = [f"/management/v1/projects/p-{name}-{managed.tag}" for name in ("one", "two")]
    foreign = {"userId": f"foreign-{managed.tag}", "roles": ["PROJECT_OWNER_VIEWER"]}
    await on_member("AddProjectMember", foreign, f"{paths[0]}/members", by="iam")
    read = [await on_member(GET_PROJECT, {}, path, by="foreign") for path in paths]
    change = await on_member("AddProjectMember", _self(managed, "PROJECT_OWNER"), f"{paths[0]}/members", by="foreign")

    assert [response.code for response in read] == [0, 5]
    assert change.code == 7
    assert (await managed.get(f"self-{managed.tag}", by="foreign")).code == 5


async def test_removed_project_has_no_members(managed: Any, on_member: Member) -> None:
    """Its members lose their roles with it: they could not be removed afterwards."""
    await managed.furnish("one")
    path = f"/management/v1/projects/p-one-{managed.tag}"
    foreign = {"userId": f"foreign-{managed.tag}", "roles": ["PROJECT_OWNER_VIEWER"]}
    await on_member("AddProjectMember", _self(managed, "PROJECT_OWNER"), f"{path}/members")
    await on_member("AddProjectMember", foreign, f"{path}/members", by="iam")
    removed = await on_member("portico.management.v1.ProjectService.RemoveProject", {}, path)
    user = f"/management/v1/users/self-{managed.tag}/memberships/_search"
    listed = await on_member("ListUserMemberships", {}, user)
    orgs = await on_member("portico.management.v1.CallerService.ListMyOrgs", {}, "", by="foreign")

    assert removed.code == 0
    assert not listed.body.get("result")
    assert [org["id"] for org in orgs.body["result"]] == [managed.other_org_id]


async def test_project_creator_becomes_its_owner(managed: Any, on_member: Member) -> None:
    """A caller who may only create projects becomes the owner and gets no permission for other projects."""
    await managed.furnish("one")
    await on_member("AddOrgMember", _self(managed, "ORG_PROJECT_CREATOR"), ORG)
    added = await on_member(ADD_PROJECT, {"name": "mine"}, "/management/v1/projects", by="self")
    own, other = (f"/management/v1/projects/{id}" for id in (added.body["id"], f"p-one-{managed.tag}"))
    remove = "portico.management.v1.ProjectService.RemoveProject"

    assert (await on_member(remove, {}, other, by="self")).code == 7
    assert (await on_member(remove, {}, own, by="self")).code == 0


async def test_instance_owner_adds_others(managed: Any, on_member: Member) -> None:
    """Instance owners have all permissions while they are members."""
    await on_member(f"{IAM}.AddIAMMember", _self(managed, "IAM_OWNER_VIEWER"), "/admin/v1/members", by="iam")
    assert (await managed.get(f"foreign-{managed.tag}", by="self")).code == 0

    path = f"/admin/v1/members/self-{managed.tag}"
    assert (await on_member(f"{IAM}.RemoveIAMMember", {}, path, by="iam")).code == 0
    assert (await managed.get(f"foreign-{managed.tag}", by="self")).code == 5


async def test_memberships_in_other_orgs_are_hidden(managed: Any, on_member: Member) -> None:
    """Roles in organizations that the caller may not see are neither listed nor counted (MG-22)."""
    await managed.furnish("one")
    here = _self(managed, "PROJECT_OWNER")
    await on_member("AddProjectMember", here, f"/management/v1/projects/p-one-{managed.tag}/members")
    headers = {"x-service-orgid": managed.other_org_id}
    await on_member("AddOrgMember", _self(managed, "ORG_OWNER"), ORG, by="iam", headers=headers)
    path = f"/management/v1/users/self-{managed.tag}/memberships/_search"
    seen = {by: await on_member("ListUserMemberships", {}, path, by=by) for by in ("owner", "iam", "self")}

    assert [member["projectId"] for member in seen["owner"].body["result"]] == [f"p-one-{managed.tag}"]
    assert seen["owner"].body["details"]["totalResult"] == "1"
    assert seen["iam"].body["details"] == seen["self"].body["details"]
    assert seen["iam"].body["details"]["totalResult"] == "2"
