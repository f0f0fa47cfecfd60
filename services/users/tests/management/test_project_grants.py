"""Project grants: an organization lets another one give its users roles of a project."""

from __future__ import annotations

from typing import Any

import pytest

from .granting import Granting

pytestmark = pytest.mark.servers


@pytest.fixture
async def granting(managed: Any) -> Granting:
    """A project with the roles admin, reader and writer, and another organization with people."""
    world = Granting(managed)
    await world.set_up()
    return world


async def test_a_role_by_a_grant_counts_while_the_grant_is_active(granting: Granting) -> None:
    """Granted, given, switched off and on: tokens have the role exactly then, as of the organization that gave it."""
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
async def test_what_cannot_be_granted_is_refused(
    granting: Granting, to: str, roles: list[str], error_code: str, fields: list[str]
) -> None:
    """Roles the project does not have, and organizations that own it or are not there."""
    refused = await granting.make(*roles, to=f"{to}-{granting.tag}")

    assert (refused.error_code, refused.fields) == (error_code, fields)


async def test_an_organization_that_is_switched_off_is_granted_nothing(granting: Granting, managed: Any) -> None:
    """It is like one that is not there."""
    await managed.users.parts.mongo.database["orgs"].update_one(
        {"_id": managed.peer_org_id}, {"$set": {"state": "inactive"}}
    )

    assert (await granting.make("reader", to=managed.peer_org_id)).error_code == "USER-314"


async def test_a_project_is_granted_once_to_an_organization(granting: Granting) -> None:
    """A second grant is refused, until the first one is removed."""
    first = await granting.make("reader")
    assert (await granting.make("writer")).error_code == "USER-871"

    await granting.call("RemoveProjectGrant", {}, granting.path(first.body["grantId"]))
    assert (await granting.make("writer")).code == 0


async def test_roles_that_are_taken_back_are_taken_from_users(granting: Granting) -> None:
    """In the same transaction, each with its event; who has none left has no grant; given back they stay away."""
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


async def test_a_grant_takes_what_was_given_by_it_along(granting: Granting) -> None:
    """Removed is removed: a new grant of the same project brings nothing back, and what was given otherwise stays."""
    grant_id = await granting.made("reader", "writer")
    await granting.give(grant_id, "reader")
    assert (await granting.call("RemoveProjectGrant", {}, granting.path(grant_id))).code == 0
    assert await granting.stored() == []
    assert (await granting.call("GetProjectGrantByID", {}, granting.path(grant_id))).error_code == "USER-870"

    again = await granting.made("reader", "writer")
    assert again != grant_id
    assert await granting.roles() == set()
    assert (await granting.give(grant_id, "reader")).error_code == "USER-870"


async def test_a_role_of_the_project_goes_from_grants_and_users(granting: Granting) -> None:
    """Removing it is one transaction with the grants that have it and the users who were given it by them."""
    grant_id = await granting.made("reader", "writer")
    await granting.give(grant_id, "reader", "writer")
    removed = await granting.call(
        "ProjectService.RemoveProjectRole", {}, f"/projects/{granting.project_id}/roles/writer"
    )
    shown = await granting.call("GetProjectGrantByID", {}, granting.path(grant_id))

    assert removed.code == 0
    assert shown.body["projectGrant"]["grantedRoleKeys"] == ["reader"]
    assert [grant["roleKeys"] for grant in await granting.stored()] == [["reader"]]


async def test_a_project_takes_its_grants_along(granting: Granting) -> None:
    """With what was given by them."""
    grant_id = await granting.made("reader")
    await granting.give(grant_id, "reader")
    removed = await granting.call("ProjectService.RemoveProject", {}, f"/projects/{granting.project_id}")
    listed = await granting.call("ListGrantedProjects", {}, "/granted_projects/_search", by="foreign")

    assert removed.code == 0
    assert "totalResult" not in listed.body["details"]
    assert await granting.stored() == []
    assert [event[0] for event in await granting.events_of(grant_id)] == ["created", "deleted"]


async def test_more_users_than_are_written_at_once_are_reached(granting: Granting, managed: Any) -> None:
    """All of them lose the role, whatever their number."""
    grant_id = await granting.made("reader", "writer")
    given = {
        "projectId": granting.project_id,
        "orgId": managed.other_org_id,
        "roleKeys": ["reader", "writer"],
        "projectGrantId": grant_id,
    }
    users = managed.users.parts.mongo.database["users"]
    template = await users.find_one({"_id": granting.people[0]})
    ids = [f"many-{number}-{granting.tag}" for number in range(1_200)]
    await users.insert_many([{**template, "_id": id, "nameKey": id, "userName": id, "grants": [given]} for id in ids])

    assert (await granting.change(grant_id, "reader")).code == 0
    rows = await managed.users.rows("users", _id={"$in": ids})
    assert {tuple(row["grants"][0]["roleKeys"]) for row in rows} == {("reader",)}
    assert len(await managed.users.rows("events", object={"$in": ids})) == len(ids)


async def test_both_organizations_see_the_same_grant(granting: Granting, managed: Any) -> None:
    """Each where it belongs: the owner among those it made, the other one among those it has."""
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


async def test_no_other_organization_sees_a_grant(granting: Granting, managed: Any) -> None:
    """Each side only by its own path, a third organization not at all; unknown ones get the same error (MG-04)."""
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
async def test_grants_are_listed_with_conditions(
    granting: Granting, managed: Any, query: dict[str, dict[str, str]], found: int
) -> None:
    """Those of a project and those of all of the organization; texts are compared, never run (MG-10)."""
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


async def test_pages_are_in_the_order_grants_were_made(granting: Granting, managed: Any) -> None:
    """Project grants are paged in the order of their creation, and the total counts all pages."""
    await granting.make("reader")
    managed.users.clock.tick(1)
    await granting.make("writer", to=managed.peer_org_id)
    body = {"query": {"limit": 1, "offset": 1, "asc": True}}
    listed = await granting.call("ListAllProjectGrants", body, "/projectgrants/_search")

    assert listed.body["details"]["totalResult"] == "2"
    assert [grant["grantedOrgId"] for grant in listed.body["result"]] == [managed.peer_org_id]


async def test_an_update_without_a_change_is_refused(granting: Granting) -> None:
    """Code 9; the order of the roles is no change."""
    grant_id = await granting.made("reader", "writer")

    assert (await granting.change(grant_id, "writer", "reader")).error_code == "USER-702"
    assert (await granting.change(grant_id, "writer", "owner")).error_code == "USER-042"
