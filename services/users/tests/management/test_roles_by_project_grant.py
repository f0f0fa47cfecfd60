"""Roles granted through a project grant: by whom, to whom, and which."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import ProjectAccess

from .granting import Granting

pytestmark = pytest.mark.servers

_ADD = "UserGrantService.AddUserGrant"
_LIST = "UserGrantService.ListUserGrants"


@pytest.fixture
async def granting(managed: Any) -> Granting:
    world = Granting(managed)
    await world.set_up()
    return world


async def test_only_granted_roles_can_be_granted(granting: Granting) -> None:
    """Neither adding nor updating a user grant accepts other roles; the list shows the project grant."""
    grant_id = await granting.made("reader")
    refused = await granting.give(grant_id, "reader", "admin")
    assert (refused.error_code, refused.fields) == ("USER-873", ["roleKeys[1]"])

    given = await granting.give(grant_id, "reader")
    one = f"/users/clerk-{granting.tag}/grants/{given.body['userGrantId']}"
    update = await granting.call("UserGrantService.UpdateUserGrant", {"roleKeys": ["writer"]}, one, by="foreign")
    assert (update.error_code, update.fields) == ("USER-873", ["roleKeys[0]"])
    shown = (await granting.call("UserGrantService.GetUserGrantByID", {}, one, by="foreign")).body["userGrant"]
    assert (shown["projectGrantId"], shown["projectId"]) == (grant_id, granting.project_id)
    assert (shown["orgId"], shown["roleKeys"]) == (granting.managed.other_org_id, ["reader"])


async def test_roles_are_granted_only_to_users_of_the_org(granting: Granting, managed: Any) -> None:
    """Users of other organizations are refused, even if the caller may see them."""
    grant_id = await granting.made("reader")

    assert (await granting.give(grant_id, "reader", to="self")).error_code == "USER-315"
    by_iam = await granting.give(grant_id, "reader", to="self", by="iam")
    assert (by_iam.error_code, by_iam.fields) == ("USER-874", ["userId"])
    assert (await granting.give(grant_id, "reader", to="clerk", by="iam")).code == 0


async def test_project_grant_of_others_is_unknown(granting: Granting, managed: Any) -> None:
    """Grants of another project, and those of another organization than the header's, are unknown too (MG-01, MG-04)."""
    theirs = str((await granting.make("reader", to=managed.peer_org_id)).body["grantId"])
    own = await granting.made("reader")
    unknown = await granting.give("none", "reader")

    assert unknown.error_code == "USER-870"
    assert await granting.give(theirs, "reader") == unknown
    assert await granting.give(own, "reader", projectId="none") == unknown
    assert await granting.give(own, "reader", to="robot", by="owner") == unknown
    headers = {"x-service-orgid": managed.org_id}
    body = {"projectId": granting.project_id, "projectGrantId": own, "roleKeys": ["reader"]}
    path = f"/users/clerk-{granting.tag}/grants"
    assert await granting.call(_ADD, body, path, by="iam", headers=headers) == unknown


async def test_granted_project_is_unknown_without_its_grant(granting: Granting) -> None:
    """Granting a project does not make it the receiving organization's own."""
    await granting.made("reader")

    assert (await granting.give("", "reader")).error_code == "USER-705"


async def test_project_owner_does_not_see_granted_users(granting: Granting) -> None:
    """Users of the receiving organization are hidden from the project's owner (MG-22)."""
    grant_id = await granting.made("reader")
    given = await granting.give(grant_id, "reader")
    one = f"/users/clerk-{granting.tag}/grants/{given.body['userGrantId']}"
    body = {"queries": [{"projectGrantIdQuery": {"projectGrantId": grant_id}}]}
    mine = await granting.call(_LIST, body, "/users/grants/_search")
    theirs = await granting.call(_LIST, body, "/users/grants/_search", by="foreign")

    assert "totalResult" not in mine.body["details"]
    assert [grant["projectGrantId"] for grant in theirs.body["result"]] == [grant_id]
    assert (await granting.call("UserGrantService.RemoveUserGrant", {}, one)).error_code == "USER-724"
    assert (await granting.call("UserGrantService.RemoveUserGrant", {}, one, by="foreign")).code == 0


async def test_inactive_user_grant_gives_no_roles(granting: Granting) -> None:
    """A deactivated user grant through a project grant gives no roles, like any other."""
    grant_id = await granting.made("reader")
    given = await granting.give(grant_id, "reader")
    one = f"/users/clerk-{granting.tag}/grants/{given.body['userGrantId']}/_deactivate"

    assert (await granting.call("UserGrantService.DeactivateUserGrant", {}, one, by="foreign")).code == 0
    assert await granting.roles() == set()


@pytest.mark.parametrize("off", ["orgs", "projects"])
async def test_roles_require_active_project_and_orgs(granting: Granting, off: str) -> None:
    """Granted roles take effect only while the project and both organizations are active."""
    managed = granting.managed
    grant_id = await granting.made("reader")
    await granting.give(grant_id, "reader")
    assert await granting.roles() == {"reader"}

    for id in (managed.org_id, managed.other_org_id) if off == "orgs" else (granting.project_id,):
        rows = managed.users.parts.mongo.database[off]
        await rows.update_one({"_id": id}, {"$set": {"state": "inactive"}})
        assert await granting.roles() == set()
        await rows.update_one({"_id": id}, {"$set": {"state": "active"}})


async def test_project_access_requires_an_active_grant(granting: Granting) -> None:
    """Organizations have access to their own projects and to actively granted ones (hasProjectCheck,
    projectRoleCheck).
    """
    managed = granting.managed
    nothing, project, both = (
        ProjectAccess(),
        ProjectAccess(has_project=True),
        ProjectAccess(has_role=True, has_project=True),
    )
    assert await granting.admission("self") == project
    assert await granting.admission("clerk") == nothing
    grant_id = await granting.made("reader")
    assert await granting.admission("clerk") == project

    await granting.give(grant_id, "reader")
    assert await granting.admission("clerk") == both
    assert await granting.admission("helper") == project
    await granting.call("DeactivateProjectGrant", {}, granting.path(grant_id, "/_deactivate"))
    assert await granting.admission("clerk") == nothing
    rows = managed.users.parts.mongo.database["projects"]
    await rows.update_one({"_id": granting.project_id}, {"$set": {"state": "inactive"}})
    assert await granting.admission("self") == nothing


async def test_roles_outside_the_grant_never_take_effect(granting: Granting) -> None:
    """Whatever is stored with the user, the project grant is checked as well."""
    grant_id = await granting.made("reader")
    await granting.give(grant_id, "reader")
    users = granting.managed.users.parts.mongo.database["users"]
    more = {"$set": {"grants.0.roleKeys": ["admin", "reader"]}}
    await users.update_one({"_id": f"clerk-{granting.tag}"}, more)

    assert await granting.roles() == {"reader"}


async def test_member_of_a_grant_can_grant_only_its_roles(granting: Granting, managed: Any) -> None:
    """Owners of a project grant can use it, viewers read it; both see nothing else of the organization (MG-01)."""
    grant_id = await granting.made("reader")
    members = f"/projects/{granting.project_id}/grants/{grant_id}/members"
    added = {"userId": f"helper-{granting.tag}", "roles": ["PROJECT_GRANT_OWNER"]}
    assert (await granting.call("MemberService.AddProjectGrantMember", added, members, by="foreign")).code == 0

    given = await granting.give(grant_id, "reader", by="helper")
    one = f"/users/clerk-{granting.tag}/grants/{given.body['userGrantId']}"
    assert (await granting.call("UserGrantService.GetUserGrantByID", {}, one, by="helper")).code == 0
    query = {"queries": [{"projectGrantIdQuery": {"projectGrantId": grant_id}}]}
    listed = await granting.call(_LIST, query, "/users/grants/_search", by="helper")
    assert listed.body["details"]["totalResult"] == "1"
    assert (await granting.call(_LIST, {}, "/users/grants/_search", by="helper")).code == 7
    assert (await granting.call("ListGrantedProjects", {}, "/granted_projects/_search", by="helper")).code == 7
    place = f"/granted_projects/{granting.project_id}/grants/{grant_id}"
    assert (await granting.call("GetGrantedProjectByID", {}, place, by="helper")).code == 0
    assert (await granting.change(grant_id, "reader", "admin")).code == 0

    changed = {"roles": ["PROJECT_GRANT_OWNER_VIEWER"]}
    one = f"{members}/helper-{granting.tag}"
    assert (await granting.call("MemberService.UpdateProjectGrantMember", changed, one, by="foreign")).code == 0
    assert (await granting.give(grant_id, "admin", to="helper", by="helper")).code == 7
    assert (await granting.call(_LIST, query, "/users/grants/_search", by="helper")).code == 0


async def test_grant_members_belong_to_the_receiving_org(granting: Granting, managed: Any) -> None:
    """Otherwise the owner of the project could read and change users of other organizations (MG-01)."""
    grant_id = await granting.made("reader")
    members = f"/projects/{granting.project_id}/grants/{grant_id}/members"
    added = {"userId": f"robot-{granting.tag}", "roles": ["PROJECT_GRANT_OWNER"]}
    assert (await granting.call("MemberService.AddProjectGrantMember", added, members)).error_code == "USER-870"
    assert (await granting.call("MemberService.ListProjectGrantMembers", {}, f"{members}/_search")).code == 5

    wrong = {"userId": f"helper-{granting.tag}", "roles": ["PROJECT_OWNER"]}
    refused = await granting.call("MemberService.AddProjectGrantMember", wrong, members, by="foreign")
    assert refused.error_code == "USER-040"
    roles = await granting.call(
        "MemberService.ListProjectGrantMemberRoles", {}, "/projects/grants/members/roles/_search"
    )
    assert roles.body["result"] == ["PROJECT_GRANT_OWNER", "PROJECT_GRANT_OWNER_VIEWER"]


async def test_granting_projects_does_not_permit_granting_roles(granting: Granting) -> None:
    """A caller who may not change user grants cannot add a member of a project grant, who may (MG-01)."""
    grant_id = await granting.made("reader")
    editor = {"userId": f"helper-{granting.tag}", "roles": ["ORG_PROJECT_PERMISSION_EDITOR"]}
    assert (await granting.call("MemberService.AddOrgMember", editor, "/orgs/me/members", by="foreign")).code == 0
    members = f"/projects/{granting.project_id}/grants/{grant_id}/members"
    added = {"userId": f"helper-{granting.tag}", "roles": ["PROJECT_GRANT_OWNER"]}

    assert (await granting.call("MemberService.AddProjectGrantMember", added, members, by="helper")).code == 7
    assert (
        await granting.call("MemberService.ListProjectGrantMembers", {}, f"{members}/_search", by="helper")
    ).code == 0


async def test_project_members_see_no_users_of_the_org(granting: Granting) -> None:
    """Only members of a project grant may see users of the receiving organization (MG-04)."""
    members = f"/projects/{granting.project_id}/members"
    owner = {"userId": f"foreign-{granting.tag}", "roles": ["PROJECT_OWNER"]}
    assert (await granting.call("MemberService.AddProjectMember", owner, members, by="iam")).code == 0
    heard = [
        await granting.call("MemberService.AddProjectMember", {**owner, "userId": id}, members, by="foreign")
        for id in (f"robot-{granting.tag}", "nobody")
    ]

    assert heard[0] == heard[1]
    assert heard[0].error_code == "USER-315"


async def test_grant_memberships_are_removed_with_the_grant(granting: Granting, managed: Any) -> None:
    """Memberships of a project grant are listed, and removed with it in one transaction."""
    grant_id = await granting.made("reader")
    members = f"/projects/{granting.project_id}/grants/{grant_id}/members"
    added = {"userId": f"helper-{granting.tag}", "roles": ["PROJECT_GRANT_OWNER"]}
    await granting.call("MemberService.AddProjectGrantMember", added, members, by="foreign")
    path = f"/users/helper-{granting.tag}/memberships/_search"
    shown = await granting.call("MemberService.ListUserMemberships", {}, path, by="foreign")
    assert [one["projectGrantId"] for one in shown.body["result"]] == [grant_id]
    listed = await granting.call("MemberService.ListProjectGrantMembers", {}, f"{members}/_search", by="foreign")
    assert [one["userId"] for one in listed.body["result"]] == [f"helper-{granting.tag}"]

    await granting.call("RemoveProjectGrant", {}, granting.path(grant_id))
    shown = await granting.call("MemberService.ListUserMemberships", {}, path, by="foreign")
    assert "totalResult" not in shown.body["details"]
    (row,) = await managed.users.rows("members", scopeId=grant_id)
    assert (row["roles"], row["state"]) == ([], "deleted")
