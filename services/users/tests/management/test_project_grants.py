from __future__ import annotations

from typing import Any

import pytest

from .granting import Granting, set_batches

pytestmark = pytest.mark.servers


@pytest.fixture
async def granting(managed: Any) -> Granting:
    world = Granting(managed)
    await world.set_up()
    return world


async def test_granted_role_applies_while_the_grant_is_active(granting: Granting) -> None:
    """Tokens have a granted role, with the granting organization, exactly while the grant is active."""
    grant_id = await granting.made("reader", "writer")
    assert (await granting.give(grant_id, "reader")).code == 0
    assert await granting.roles() == {"reader"}

    assert (await granting.call("DeactivateProjectGrant", {}, granting.path(grant_id, "/_deactivate"))).code == 0
    assert await granting.roles() == set()
    again = await granting.call("DeactivateProjectGrant", {}, granting.path(grant_id, "/_deactivate"))
    assert again.error_code == "USER-700"

    assert (await granting.call("ReactivateProjectGrant", {}, granting.path(grant_id, "/_reactivate"))).code == 0
    assert await granting.roles() == {"reader"}
    assert [event[0] for event in await granting.events_of(grant_id)] == ["created", "updated", "updated"]


@pytest.mark.parametrize(
    ("to", "roles", "error_code", "fields"),
    [
        ("other", ["reader", "owner"], "USER-042", ["roleKeys[1]"]),
        ("org", ["reader"], "USER-872", ["grantedOrgId"]),
        ("none", ["reader"], "USER-314", ["grantedOrgId"]),
    ],
)
async def test_invalid_project_grant_is_refused(
    granting: Granting, to: str, roles: list[str], error_code: str, fields: list[str]
) -> None:
    """Unknown roles, the project's own organization and unknown organizations are refused."""
    refused = await granting.make(*roles, to=f"{to}-{granting.tag}")

    assert (refused.error_code, refused.fields) == (error_code, fields)


async def test_inactive_organization_counts_as_unknown(granting: Granting, managed: Any) -> None:
    """A project cannot be granted to an inactive organization."""
    await managed.users.parts.mongo.database["orgs"].update_one(
        {"_id": managed.peer_org_id}, {"$set": {"state": "inactive"}}
    )

    assert (await granting.make("reader", to=managed.peer_org_id)).error_code == "USER-314"


async def test_project_is_granted_once_to_an_organization(granting: Granting) -> None:
    """A second grant is refused until the first one is removed."""
    first = await granting.make("reader")
    assert (await granting.make("writer")).error_code == "USER-871"

    await granting.call("RemoveProjectGrant", {}, granting.path(first.body["grantId"]))
    assert (await granting.make("writer")).code == 0


async def test_removed_roles_are_revoked_from_users(granting: Granting) -> None:
    """The same transaction writes an event for each user and deletes empty grants; adding the role again
    restores none.
    """
    grant_id = await granting.made("reader", "writer")
    await granting.give(grant_id, "reader", "writer")
    await granting.give(grant_id, "writer", to="helper")

    assert (await granting.change(grant_id, "reader")).code == 0
    assert [grant["roleKeys"] for grant in await granting.stored()] == [["reader"]]
    assert await granting.stored("helper") == []
    owner = f"owner-{granting.tag}"
    assert (await granting.events_of(granting.people[1]))[-1] == ("updated", ["grants"], owner)

    assert (await granting.change(grant_id, "reader", "writer")).code == 0
    assert await granting.roles() == {"reader"}
    assert await granting.roles("helper") == set()


async def test_removed_grant_revokes_its_roles(granting: Granting) -> None:
    """A new grant of the same project restores nothing; roles granted otherwise stay."""
    grant_id = await granting.made("reader", "writer")
    await granting.give(grant_id, "reader")
    assert (await granting.call("RemoveProjectGrant", {}, granting.path(grant_id))).code == 0
    assert await granting.stored() == []
    assert (await granting.call("GetProjectGrantByID", {}, granting.path(grant_id))).error_code == "USER-870"

    again = await granting.made("reader", "writer")
    assert again != grant_id
    assert await granting.roles() == set()
    assert (await granting.give(grant_id, "reader")).error_code == "USER-870"


async def test_removed_project_role_is_revoked_everywhere(granting: Granting) -> None:
    """One transaction removes the role from the project, from grants and from users who have it through them."""
    grant_id = await granting.made("reader", "writer")
    await granting.give(grant_id, "reader", "writer")
    removed = await granting.call(
        "ProjectService.RemoveProjectRole", {}, f"/projects/{granting.project_id}/roles/writer"
    )
    shown = await granting.call("GetProjectGrantByID", {}, granting.path(grant_id))

    assert removed.code == 0
    assert shown.body["projectGrant"]["grantedRoleKeys"] == ["reader"]
    assert [grant["roleKeys"] for grant in await granting.stored()] == [["reader"]]


async def test_removed_project_removes_its_grants(granting: Granting) -> None:
    """Roles granted through these grants are revoked as well."""
    grant_id = await granting.made("reader")
    await granting.give(grant_id, "reader")
    removed = await granting.call("ProjectService.RemoveProject", {}, f"/projects/{granting.project_id}")
    listed = await granting.call("ListGrantedProjects", {}, "/granted_projects/_search", by="foreign")

    assert removed.code == 0
    assert "totalResult" not in listed.body["details"]
    assert await granting.stored() == []
    assert [event[0] for event in await granting.events_of(grant_id)] == ["created", "deleted"]


async def test_role_is_revoked_from_any_number_of_users(
    granting: Granting, managed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All users lose the role, also if they exceed one batch."""
    set_batches(monkeypatch, 5)
    grant_id = await granting.made("reader", "writer")
    given = {
        "projectId": granting.project_id,
        "orgId": managed.other_org_id,
        "roleKeys": ["reader", "writer"],
        "projectGrantId": grant_id,
    }
    users = managed.users.parts.mongo.database["users"]
    template = await users.find_one({"_id": granting.people[0]})
    ids = [f"many-{number}-{granting.tag}" for number in range(17)]
    await users.insert_many([{**template, "_id": id, "nameKey": id, "userName": id, "grants": [given]} for id in ids])

    assert (await granting.change(grant_id, "reader")).code == 0
    rows = await managed.users.rows("users", _id={"$in": ids})
    assert {tuple(row["grants"][0]["roleKeys"]) for row in rows} == {("reader",)}
    assert len(await managed.users.rows("events", object={"$in": ids})) == len(ids)


async def test_both_organizations_see_the_grant(granting: Granting, managed: Any) -> None:
    """The owner sees it among its grants, the receiving organization among those it received."""
    grant_id = await granting.made("reader")
    made = await granting.call("GetProjectGrantByID", {}, granting.path(grant_id))
    place = f"/granted_projects/{granting.project_id}/grants/{grant_id}"
    received = await granting.call("GetGrantedProjectByID", {}, place, by="foreign")
    shown = made.body["projectGrant"]
    roles = await granting.call("ListGrantedProjectRoles", {}, f"{place}/roles/_search", by="foreign")

    assert received.body["grantedProject"] == shown
    assert {name: shown[name] for name in shown if name != "details"} == {
        "grantId": grant_id,
        "grantedOrgId": managed.other_org_id,
        "grantedOrgName": managed.other_org_id,
        "grantedRoleKeys": ["reader"],
        "state": "PROJECT_GRANT_STATE_ACTIVE",
        "projectId": granting.project_id,
        "projectName": f"Shop {granting.tag}",
        "projectOwnerId": managed.org_id,
        "projectOwnerName": managed.org_id,
    }
    assert [role["key"] for role in roles.body["result"]] == ["reader"]


async def test_other_organizations_do_not_see_the_grant(granting: Granting, managed: Any) -> None:
    """Each side finds it only under its own path, other organizations never; it counts as unknown (MG-04)."""
    grant_id = await granting.made("reader")
    place = f"/granted_projects/{granting.project_id}/grants/"
    for by, method, path, id in (
        ("owner", "GetGrantedProjectByID", place, grant_id),
        ("foreign", "GetProjectGrantByID", granting.path(""), grant_id),
        ("clerk", "GetProjectGrantByID", granting.path(""), grant_id),
    ):
        seen = await granting.call(method, {}, path + id, by=by)
        unknown = await granting.call(method, {}, f"{path}none", by=by)
        assert seen == unknown
        assert seen.error_code == "USER-870"
    for body in ({"grantedOrgId": managed.peer_org_id}, {"grantedOrgId": "none"}):
        path = f"/projects/{granting.project_id}/grants"
        assert (await granting.call("AddProjectGrant", body, path, by="foreign")).error_code == "USER-705"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"projectNameQuery": {"name": "shop", "method": "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE"}}, 2),
        ({"projectNameQuery": {"name": "shop", "method": "TEXT_QUERY_METHOD_EQUALS"}}, 0),
        ({"roleKeyQuery": {"roleKey": "writer"}}, 1),
        ({"projectIdQuery": {"projectId": "shop-{tag}"}}, 2),
        ({"grantedOrgIdQuery": {"grantedOrgId": "peer-{tag}"}}, 1),
        ({"projectOwnerQuery": {"orgId": "other-{tag}"}}, 0),
    ],
)
async def test_grants_are_listed_with_filters(
    granting: Granting, managed: Any, query: dict[str, dict[str, str]], found: int
) -> None:
    """Grants of a project or of the organization are listed; text is compared, never evaluated (MG-10)."""
    await granting.make("reader")
    await granting.make("reader", "writer", to=managed.peer_org_id)
    ((kind, members),) = query.items()
    body = {"queries": [{kind: {name: text.format(tag=granting.tag) for name, text in members.items()}}]}

    for method, path in (
        ("ListProjectGrants", f"/projects/{granting.project_id}/grants/_search"),
        ("ListAllProjectGrants", "/projectgrants/_search"),
    ):
        listed = await granting.call(method, body, path)
        assert int(listed.body["details"].get("totalResult", 0)) == found
        assert len(listed.body.get("result", [])) == found


async def test_pages_are_sorted_by_creation(granting: Granting, managed: Any) -> None:
    """Project grants are paged in the order of their creation, and the total counts all pages."""
    await granting.make("reader")
    managed.users.clock.tick(1)
    await granting.make("writer", to=managed.peer_org_id)
    body = {"query": {"limit": 1, "offset": 1, "asc": True}}
    listed = await granting.call("ListAllProjectGrants", body, "/projectgrants/_search")

    assert listed.body["details"]["totalResult"] == "2"
    assert [grant["grantedOrgId"] for grant in listed.body["result"]] == [managed.peer_org_id]


async def test_update_without_a_change_is_refused(granting: Granting) -> None:
    """The update gives code 9; reordering the roles is no change."""
    grant_id = await granting.made("reader", "writer")

    assert (await granting.change(grant_id, "writer", "reader")).error_code == "USER-702"
    assert (await granting.change(grant_id, "writer", "owner")).error_code == "USER-042"
