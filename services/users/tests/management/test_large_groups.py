"""A change of a group is in force for its members when its call returns, without a write of theirs (decision 0136)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest
from portico_contracts.users import GET_ROLES, GetRoles
from portico_fakes.memory_versions import MemoryVersions
from portico_users.grants.role_queries import RoleQueries
from portico_users.groups.former_members import FormerMembers
from portico_users.groups.group import Group, MongoGroups
from portico_users.groups.inherited import Memberships

from .test_groups import Grouping

pytestmark = pytest.mark.servers


class Watched(Grouping):
    async def has_waited(self, *changes: Awaitable[Any]) -> list[int]:
        """How often each change has waited for leases of the services that cache roles."""
        versions: MemoryVersions = self.managed.users.parts.versions
        found = []
        for change in changes:
            before = versions.outlasted
            answer = await change
            assert getattr(answer, "code", 0) == 0, answer.body
            found.append(versions.outlasted - before)
        return found

    async def rename(self, name: str) -> Any:
        return await self.on("UpdateGroup", f"/{name}-{self.tag}", {"name": f"other {name}"})

    async def delete(self, name: str) -> Any:
        return await self.on("RemoveGroup", f"/{name}-{self.tag}")

    async def named(self, user: str) -> list[str]:
        (row,) = await self.managed.users.rows("users", _id=f"{user}-{self.tag}")
        return [one["id"] for one in row["groups"]]


@pytest.fixture
async def watched(managed: Any) -> Watched:
    found = Watched(managed)
    await found.set_up()
    return found


async def test_change_that_members_rely_on_outlasts_the_leases(watched: Watched) -> None:
    """Once for each call that changes what a user has by the group, also through a group of it."""
    for name in ("staff", "company"):
        await watched.group(name, "reader")
    await watched.add_member("staff", "self")
    waited = await watched.has_waited(
        watched.set_roles("staff", "writer"),
        watched.nest("staff", "company"),
        watched.set_roles("company", "writer"),
        watched.rename("company"),
        watched.unnest("staff", "company"),
        watched.remove_roles("staff"),
        watched.delete("staff"),
    )

    assert waited == [1] * 7


async def test_change_without_members_does_not_wait(watched: Watched) -> None:
    """No request has read what a group without members gives; who joins has a new version, and is read again."""
    waited = await watched.has_waited(
        watched.group("staff", "reader"),
        watched.set_roles("staff", "writer"),
        watched.add_member("staff", "self"),
        watched.remove_member("staff", "self"),
        watched.set_roles("staff", "admin"),
        watched.delete("staff"),
    )

    assert waited == [0] * 6


async def test_group_whose_groups_have_just_left_waits(watched: Watched) -> None:
    """Their members may still be read with it until the call that took them out returns."""
    await watched.group("staff", members=("self",))
    await watched.group("company", "reader")
    await watched.nest("staff", "company")
    await watched.unnest("staff", "company")
    waited = await watched.has_waited(watched.remove_roles("company"))
    watched.managed.users.clock.tick(121)

    assert (waited, await watched.has_waited(watched.set_roles("company", "reader"))) == ([1], [0])


async def test_role_that_leaves_groups_with_its_project_outlasts_the_leases(watched: Watched) -> None:
    await watched.group("staff", "reader", "writer", members=("self",))

    assert await watched.has_waited(watched.remove("writer")) == [1]
    assert await watched.roles("self") == {"reader"}


async def test_document_waits_once_for_all_its_groups(watched: Watched) -> None:
    names = [f"group {number}" for number in range(4)]
    robot = {"id": f"robot-{watched.tag}", "username": f"robot-{watched.tag}", "name": "robot", "groups": names}
    org = {"id": watched.managed.org_id, "name": watched.managed.org_id}
    users = watched.managed.users

    def declared(*roles: str) -> dict[str, Any]:
        grants = [{"project": watched.project_id, "roleKeys": list(roles)}]
        return {**org, "groups": [{"name": name, "grants": grants} for name in names], "serviceUsers": [robot]}

    await users.apply(declared("reader"))
    waited = await watched.has_waited(users.apply(declared("writer")))

    assert (waited, await watched.roles("robot")) == ([1], {"writer"})


class Interrupted(MongoGroups):
    """Groups whose first read (of the groups of a user) or second one (of those that they belong to) comes after
    something else has happened.
    """

    def __init__(self, database: Any, happening: Callable[[], Awaitable[object]], *, read: int) -> None:
        super().__init__(database)
        self._happening = happening
        self._left = read

    async def list_active(self, ids: Iterable[str]) -> list[Group]:
        wanted = list(ids)
        self._left -= 1
        if self._left == 0:
            await self._happening()
        return await super().list_active(wanted)


async def roles_read_while(watched: Watched, happening: Callable[[], Awaitable[object]], *, read: int = 1) -> set[str]:
    """The roles of ``self`` by a request that has read the user, but not all groups, when something happens."""
    users = watched.managed.users
    groups, queries = Interrupted(users.parts.mongo.database, happening, read=read), users.service.find(RoleQueries)
    memberships = Memberships(groups, queries.accounts)
    slow = replace(queries, memberships=memberships)
    ask = GetRoles(user_id=f"self-{watched.tag}", project_ids=(watched.project_id,))
    return set((await slow.get_roles(ask)).roles.get(watched.project_id, {}))


async def test_former_member_has_no_role_that_its_group_got_later(watched: Watched) -> None:
    """Not even where the user was read before both changes, and the group after them."""
    await watched.group("staff", members=("self",))

    async def happening() -> None:
        await watched.remove_member("staff", "self")
        await watched.set_roles("staff", "writer")

    assert await roles_read_while(watched, happening) == set()


async def test_member_of_a_former_inner_group_has_no_later_role_of_the_outer_one(watched: Watched) -> None:
    await watched.group("staff", "reader", members=("self",))
    await watched.group("company")
    await watched.nest("staff", "company")

    async def happening() -> None:
        await watched.unnest("staff", "company")
        await watched.set_roles("company", "writer")

    assert await roles_read_while(watched, happening, read=2) == {"reader"}


async def test_role_removed_while_a_group_is_read_is_not_given(watched: Watched) -> None:
    await watched.group("staff", "reader", "writer", members=("self",))

    assert await roles_read_while(watched, lambda: watched.set_roles("staff", "reader")) == {"reader"}


async def test_deleted_group_leaves_its_members_later(watched: Watched) -> None:
    """In the background, without events of theirs; it is listed nowhere meanwhile, and counts for no limit."""
    await watched.group("staff", "reader", members=("self", "robot"))
    await watched.group("guests", "writer", members=("self",))
    users = watched.managed.users
    former = users.service.find(FormerMembers)
    events = len(await users.rows("events", object=f"self-{watched.tag}"))
    await watched.delete("staff")
    await former.remove_all()
    early = await watched.named("self")
    listed = await watched.call("GroupService.ListUserGroups", {}, f"/users/self-{watched.tag}/groups")
    users.clock.tick(61)
    await former.remove_all()

    assert (len(early), [one["name"] for one in listed.body["result"]]) == (2, ["guests"])
    assert [await watched.named(user) for user in ("self", "robot")] == [[f"guests-{watched.tag}"], []]
    assert len(await users.rows("events", object=f"self-{watched.tag}")) == events
    assert await users.rows("groups", hasMembers=True) == []
    assert await watched.roles("self") == {"writer"}


async def test_membership_without_a_reason_gives_nothing(watched: Watched) -> None:
    """Neither added nor by a linked identity."""
    id = await watched.group("staff", "reader")
    users = watched.managed.users
    await users.parts.mongo.database["users"].update_one(
        {"_id": f"self-{watched.tag}"}, {"$set": {"groups": [{"id": id}]}}
    )
    ask = GetRoles(user_id=f"self-{watched.tag}", project_ids=(watched.project_id,))

    assert (await users.call(GET_ROLES, ask)).roles == {}
    assert await watched.names() == ()
