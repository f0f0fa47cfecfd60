"""Documents declare groups, their roles and who is in them; a run changes members after the users of the document."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import GET_GROUPS, GET_ROLES, GetGroups, GetRoles
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers


def document(world: Any, **members: Any) -> dict[str, Any]:
    project = {"id": f"p-{world.tag}", "name": "shop", "roles": [{"roleKey": "reader"}, {"roleKey": "writer"}]}
    return {"id": f"org-{world.tag}", "name": f"Acme {world.tag}", "projects": [project], **members}


async def has(world: Any, user: str) -> tuple[tuple[str, ...], set[str]]:
    names = (await world.call(GET_GROUPS, GetGroups(user_id=f"{user}-{world.tag}"))).names
    ask = GetRoles(user_id=f"{user}-{world.tag}", project_ids=(f"p-{world.tag}",))
    return names, set((await world.call(GET_ROLES, ask)).roles.get(f"p-{world.tag}", {}))


async def test_declared_groups_are_there_at_once(users_world: Any) -> None:
    """New users are in new groups, by name or id, with the groups of the document in any order."""
    world = users_world
    grant = {"project": "shop", "roleKeys": ["reader"]}
    team = {"name": "Team", "memberOf": ["staff"]}
    staff = {"id": f"staff-{world.tag}", "name": "Staff", "grants": [grant]}
    ada = world.human(id=f"ada-{world.tag}", groups=["team"])
    robot = world.robot(id=f"bot-{world.tag}", groups=[f"staff-{world.tag}"])
    wanted = document(world, groups=[team, staff], humans=[ada], serviceUsers=[robot])
    first = await world.apply(wanted)
    again = await world.apply(wanted)

    assert [await has(world, user) for user in ("ada", "bot")] == [
        (("Staff", "Team"), {"reader"}), (("Staff",), {"reader"}),
    ]  # fmt: skip
    assert {change.action for change in first.changes if change.kind == "group"} == {"created"}
    assert {change.action for change in again.changes} == {"unchanged"}


async def test_changed_groups_reach_users_of_the_same_document(users_world: Any) -> None:
    """A user who changes and whose group changes has both changes after one run."""
    world = users_world
    ada = {"id": f"ada-{world.tag}", "groups": ["Staff"]}
    staff = {"id": f"staff-{world.tag}", "name": "Staff", "grants": [{"project": "shop", "roleKeys": ["reader"]}]}
    await world.apply(document(world, groups=[staff], humans=[world.human(**ada)]))
    staff |= {"name": "Employees", "grants": [{"project": "shop", "roleKeys": ["writer"]}]}
    people = [world.human(**ada | {"groups": ["Employees"]}, metadata={"color": "blue"})]
    await world.apply(document(world, groups=[staff], humans=people))

    assert await has(world, "ada") == (("Employees",), {"writer"})


async def test_pruned_groups_and_memberships_end(users_world: Any) -> None:
    """Without prune a document only adds; with it, what it leaves out is removed, while the group is renamed."""
    world = users_world
    ada = {"id": f"ada-{world.tag}", "username": f"ada-{world.tag}"}
    groups = [{"id": f"{name}-{world.tag}", "name": name} for name in ("staff", "team", "guests")]
    await world.apply(document(world, groups=groups, humans=[world.human(**ada, groups=["staff", "team", "guests"])]))
    await world.apply(document(world, groups=groups[:1], humans=[world.human(**ada, groups=[])]))
    kept = await has(world, "ada")
    wanted = document(
        world, groups=[groups[0] | {"name": "all"}, groups[1]], humans=[world.human(**ada, groups=["all"])]
    )
    done = await world.apply_document({"organizations": [wanted]}, prune=True)

    assert (kept, await has(world, "ada")) == ((("guests", "staff", "team"), set()), (("all",), set()))
    assert [change.id for change in done.changes if change.action == "removed"] == [f"guests-{world.tag}"]


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
async def test_group_and_the_one_in_it_are_pruned_together(users_world: Any, names: tuple[str, str]) -> None:
    """The inner one is removed first in any order of their ids: removing the outer one would change it."""
    outer, inner = ({"id": f"{name}-{users_world.tag}", "name": name} for name in names)
    await users_world.apply(document(users_world, groups=[outer, inner | {"memberOf": [outer["name"]]}]))
    wanted = document(users_world, groups=[])
    done = await users_world.apply_document({"organizations": [wanted]}, prune=True)

    assert {change.id for change in done.changes if change.action == "removed"} == {outer["id"], inner["id"]}


@pytest.mark.parametrize(
    ("groups", "error_id", "place"),
    [
        ([{"name": "a", "memberOf": ["none"]}], "USER-101", "memberOf[0]"),
        (
            [{"name": "a"}, {"name": "b", "memberOf": ["a"]}, {"name": "c", "memberOf": ["b"]}],
            "USER-102",
            "memberOf[0]",
        ),
        ([{"name": "a"}, {"name": "A"}], "USER-011", "groups[1].name"),
        ([{"name": "a", "grants": [{"project": "shop", "roleKeys": ["none"]}]}], "USER-042", "grants[0].roleKeys[0]"),
    ],
)
async def test_invalid_groups_are_refused(users_world: Any, groups: list[Any], error_id: str, place: str) -> None:
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(document(users_world, groups=groups))

    assert (refused.value.id, place in refused.value.text) == (error_id, True)
