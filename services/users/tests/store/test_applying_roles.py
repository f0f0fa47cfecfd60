from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import GET_ROLES, Change, GetRoles
from portico_oauth.errors import Kind, ServiceError

pytestmark = pytest.mark.servers

USER = -1
"""Index of the user among the changes: users come last."""


def project(world: Any, *role_keys: str, **members: Any) -> dict[str, Any]:
    return {"id": f"web-{world.tag}", "name": "Web", "roles": [{"roleKey": key} for key in role_keys], **members}


def grant(named: str, *role_keys: str) -> dict[str, Any]:
    return {"project": named, "roleKeys": list(role_keys)}


async def apply_granted(world: Any, *grants: dict[str, Any], projects: Any = (), service: bool = False) -> Change:
    id = f"user-{world.tag}"
    users = {"humans": [world.human(id=id, grants=list(grants))]}
    if service:
        users = {"humans": [], "serviceUsers": [world.robot(id=id, grants=list(grants))]}
    applied = await world.apply(world.organization(projects=list(projects), **users))
    return applied.changes[USER]  # type: ignore[no-any-return]


async def roles_of(world: Any, *project_ids: str) -> dict[str, dict[str, dict[str, str]]]:
    return (await world.call(GET_ROLES, GetRoles(user_id=f"user-{world.tag}", project_ids=project_ids))).roles  # type: ignore[no-any-return]


async def test_roles_of_a_project_are_retained_and_updated(users_world: Any) -> None:
    """Roles absent from the document stay, others are updated; a second run changes nothing."""
    first = await users_world.apply(users_world.organization(projects=[project(users_world, "writer", "reader")]))
    named = project(users_world, roles=[{"roleKey": "writer", "displayName": "Writer", "group": "staff"}])
    second = await users_world.apply(users_world.organization(projects=[named]))
    third = await users_world.apply(users_world.organization(projects=[named]))
    [stored] = await users_world.rows("projects", _id=first.changes[1].id)

    assert (second.changes[1].action, second.changes[1].fields) == ("updated", ("roles",))
    assert third.changes[1].action == "unchanged"
    assert stored["roles"] == [
        {"key": "reader", "displayName": "", "group": ""},
        {"key": "writer", "displayName": "Writer", "group": "staff"},
    ]


@pytest.mark.parametrize("service", [False, True], ids=["human", "service user"])
@pytest.mark.parametrize("named", ["web-{tag}", "Web", "WEB"], ids=["id", "name", "spelling"])
async def test_roles_are_granted_in_one_document(users_world: Any, named: str, service: bool) -> None:
    """A user gets roles of a project in the same document; the response has the granting organization's primary
    domain.
    """
    tag = users_world.tag
    wanted = grant(named.format(tag=tag), "writer", "reader", "writer")
    projects = [project(users_world, "reader", "writer", "owner")]
    first = await apply_granted(users_world, wanted, projects=projects, service=service)
    again = await apply_granted(users_world, wanted, projects=projects, service=service)
    [event] = await users_world.rows("events", object=first.id)
    [org] = await users_world.rows("orgs", name=f"Acme {tag}")
    by = {org["_id"]: f"acme-{tag}.localhost"}

    assert (first.action, again.action) == ("created", "unchanged")
    assert await roles_of(users_world, f"web-{tag}", "unknown") == {f"web-{tag}": {"reader": by, "writer": by}}
    assert await roles_of(users_world, "unknown") == {}
    assert await roles_of(users_world) == {}
    assert event["values"]["grants"] == [
        {"projectId": f"web-{tag}", "orgId": org["_id"], "roleKeys": ["reader", "writer"]}
    ]


async def test_grants_are_exact_in_listed_projects(users_world: Any) -> None:
    """In listed projects the user has exactly the listed roles, in others the stored ones; an empty list removes
    all.
    """
    tag = users_world.tag
    projects = [project(users_world, "a", "b"), project(users_world, "x", id=f"blog-{tag}", name="Blog")]
    await apply_granted(users_world, grant("Web", "a", "b"), grant("Blog", "x"), projects=projects)
    fewer = await apply_granted(users_world, grant(f"web-{tag}", "b"))
    kept = await roles_of(users_world, f"web-{tag}", f"blog-{tag}")
    await apply_granted(users_world, grant("Web"))
    taken = await roles_of(users_world, f"web-{tag}", f"blog-{tag}")

    assert (fewer.action, fewer.fields) == ("updated", ("grants",))
    assert {id: set(roles) for id, roles in kept.items()} == {f"web-{tag}": {"b"}, f"blog-{tag}": {"x"}}
    assert set(taken) == {f"blog-{tag}"}


async def test_project_id_takes_precedence_over_a_name(users_world: Any) -> None:
    """If one project's name is another one's id, the id applies."""
    tag = users_world.tag
    projects = [project(users_world, "a", id=f"blog-{tag}", name=f"web-{tag}"), project(users_world, "a")]
    await apply_granted(users_world, grant(f"web-{tag}", "a"), projects=projects)

    assert set(await roles_of(users_world, f"web-{tag}", f"blog-{tag}")) == {f"web-{tag}"}


async def test_renamed_project_is_known_by_its_new_name(users_world: Any) -> None:
    """A document that renames a project refers to it only by the new name."""
    tag = users_world.tag
    await apply_granted(users_world, projects=[project(users_world, "a")])
    renamed = [project(users_world, "a", name="Site")]
    with pytest.raises(ServiceError) as refused:
        await apply_granted(users_world, grant("Web", "a"), projects=renamed)
    await apply_granted(users_world, grant("Site", "a"), projects=renamed)

    assert refused.value.id == "USER-041"
    assert set(await roles_of(users_world, f"web-{tag}")) == {f"web-{tag}"}


async def test_project_of_another_organization_is_unknown(users_world: Any) -> None:
    """Neither id nor name of another organization's project is accepted (MG-01, MG-04)."""
    other = {"name": f"Other {users_world.tag}", "projects": [project(users_world, "a")]}
    await users_world.apply(other)
    for named in (f"web-{users_world.tag}", "Web", "nothing"):
        with pytest.raises(ServiceError) as refused:
            await apply_granted(users_world, grant(named, "a"))

        assert (refused.value.kind, refused.value.id) == (Kind.NOT_FOUND, "USER-041")
        assert refused.value.text.startswith("organizations[0].humans[0].grants[0].project: ")


@pytest.mark.parametrize("service", [False, True], ids=["human", "service user"])
@pytest.mark.parametrize(
    ("grants", "place", "error_code"),
    [
        ([grant("Web", "a", "king")], "grants[0].roleKeys[1]", "USER-042"),
        ([grant("Web", "A")], "grants[0].roleKeys[0]", "USER-042"),
        ([grant("Web", "a"), grant("web", "a")], "grants[1].project", "USER-011"),
    ],
    ids=["unknown role", "other spelling", "project twice"],
)
async def test_invalid_grant_is_refused_with_its_path(
    users_world: Any, grants: list[dict[str, Any]], place: str, error_code: str, service: bool
) -> None:
    """A role must exist with that spelling and a project be listed once; otherwise nothing is stored."""
    with pytest.raises(ServiceError) as refused:
        await apply_granted(users_world, *grants, projects=[project(users_world, "a")], service=service)

    assert refused.value.id == error_code
    assert f"[0].{place}: " in refused.value.text
    assert await users_world.rows("orgs", name=f"Acme {users_world.tag}") == []


@pytest.mark.parametrize(
    ("role", "place", "error_code"),
    [
        ({"roleKey": " a"}, "roleKey", "USER-002"),
        ({"roleKey": ".."}, "roleKey", "USER-002"),
        ({"roleKey": "b", "displayName": "a\nb"}, "displayName", "USER-002"),
        ({"roleKey": "b", "group": "b "}, "group", "USER-002"),
        ({"roleKey": "a"}, "roleKey", "USER-011"),
    ],
)
async def test_invalid_role_is_refused_with_its_path(
    users_world: Any, role: dict[str, str], place: str, error_code: str
) -> None:
    """Roles are displayed and included in tokens, so they must be valid names; each is unique in its project."""
    wanted = users_world.organization(projects=[project(users_world, roles=[{"roleKey": "a"}, role])])
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(wanted)

    assert refused.value.id == error_code
    assert refused.value.text.startswith(f"organizations[0].projects[0].roles[1].{place}: ")


async def test_too_many_roles_of_a_project_are_refused(users_world: Any) -> None:
    """The number is limited, because roles are read with the project (MG-14)."""
    roles = [f"role-{number}" for number in range(1_001)]
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(users_world.organization(projects=[project(users_world, *roles)]))

    assert refused.value.id == "USER-044"
    assert refused.value.text.startswith("organizations[0].projects[0].roles: ")


@pytest.mark.parametrize("collection", ["users", "projects", "orgs"])
async def test_inactive_objects_give_no_role(users_world: Any, collection: str) -> None:
    """Roles take no effect while the user, the project or the organization is inactive (TK-11)."""
    tag = users_world.tag
    await apply_granted(users_world, grant("Web", "a"), projects=[project(users_world, "a")])
    [org] = await users_world.rows("orgs", name=f"Acme {tag}")
    before = await roles_of(users_world, f"web-{tag}")
    ids = {"users": f"user-{tag}", "projects": f"web-{tag}", "orgs": org["_id"]}
    await users_world.parts.mongo.database[collection].update_one(
        {"_id": ids[collection]}, {"$set": {"state": "inactive"}}
    )

    assert set(before) == {f"web-{tag}"}
    assert await roles_of(users_world, f"web-{tag}") == {}


async def test_deleted_role_is_not_returned(users_world: Any) -> None:
    """A grant of a deleted role gives nothing."""
    tag = users_world.tag
    await apply_granted(users_world, grant("Web", "a", "b"), projects=[project(users_world, "a", "b")])
    await users_world.parts.mongo.database["projects"].update_one(
        {"_id": f"web-{tag}"}, {"$pull": {"roles": {"key": "a"}}}
    )

    assert set((await roles_of(users_world, f"web-{tag}"))[f"web-{tag}"]) == {"b"}


async def test_active_granting_organizations_are_returned(users_world: Any) -> None:
    """A role granted by two organizations has both; an inactive one is omitted (TK-11)."""
    tag = users_world.tag
    await users_world.apply({"id": f"giver-{tag}", "name": f"Giver {tag}"})
    await apply_granted(users_world, grant("Web", "a"), projects=[project(users_world, "a")])
    database = users_world.parts.mongo.database
    given = {"projectId": f"web-{tag}", "orgId": f"giver-{tag}", "roleKeys": ["a"]}
    await database["users"].update_one({"_id": f"user-{tag}"}, {"$push": {"grants": given}})
    both = (await roles_of(users_world, f"web-{tag}"))[f"web-{tag}"]["a"]
    await database["orgs"].update_one({"_id": f"giver-{tag}"}, {"$set": {"state": "inactive"}})
    one = (await roles_of(users_world, f"web-{tag}"))[f"web-{tag}"]["a"]

    assert sorted(both.values()) == [f"acme-{tag}.localhost", f"giver-{tag}.localhost"]
    assert list(one.values()) == [f"acme-{tag}.localhost"]


@pytest.mark.parametrize("service", [False, True], ids=["human", "service user"])
async def test_pruned_role_is_revoked_from_every_user(users_world: Any, service: bool) -> None:
    """Users outside the document lose the role too, and adding it again restores none."""
    tag = users_world.tag
    projects = [project(users_world, "a", "b")]
    await apply_granted(users_world, grant("Web", "a", "b"), projects=projects, service=service)
    fewer = users_world.organization(projects=[project(users_world, "b")])
    del fewer["humans"]
    fewer.pop("serviceUsers", None)
    done = await users_world.apply_document({"organizations": [fewer]}, prune=True)
    [row] = await users_world.rows("users", _id=f"user-{tag}")
    await users_world.apply(users_world.organization(projects=projects, humans=[]))

    assert [change.kind for change in done.changes if change.action == "updated"] == ["project"]
    assert [one["roleKeys"] for one in row["grants"]] == [["b"]]
    assert set((await roles_of(users_world, f"web-{tag}"))[f"web-{tag}"]) == {"b"}


async def test_id_that_is_the_user_name_of_another_names_no_member(users_world: Any) -> None:
    """An administrator of any organization chooses the ids of new users, and must not get the roles of a user by it."""
    tag = users_world.tag
    stranger = users_world.human(id=users_world.user_name, username=f"x-{tag}", email={"email": users_world.mail("x")})
    await users_world.apply({"id": f"other-{tag}", "name": f"Other {tag}", "humans": [stranger]})
    boss = users_world.human(id=f"boss-{tag}")
    wanted = {"id": f"org-{tag}", "name": f"Acme {tag}", "humans": [boss]}
    members = [{"user": users_world.user_name, "roles": ["PROJECT_OWNER"]}]
    project = {"id": f"p-{tag}", "name": "web", "members": members}
    with pytest.raises(ServiceError) as refused:
        await users_world.apply({**wanted, "projects": [project]})
    await users_world.parts.mongo.database["users"].update_one(
        {"_id": users_world.user_name}, {"$set": {"state": "deleted"}}
    )
    await users_world.apply({**wanted, "projects": [project]})
    given = await users_world.rows("members", scopeId=f"p-{tag}")

    assert refused.value.id == "USER-842"
    assert refused.value.text.startswith("organizations[0].projects[0].members[0].user: ")
    assert [row["userId"] for row in given] == [f"boss-{tag}"]
