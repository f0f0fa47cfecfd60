"""Groups give their members roles as user grants do: with the same guarantees, also through a group of a group."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from msgspec.structs import replace
from portico_contracts.users import GET_GROUPS, GetGroups
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.errors import ServiceError
from portico_users.groups.edit_groups import put_group
from portico_users.groups.group import Group, MongoGroups
from portico_users.journal.command import Commit

from .test_roles_that_go import RoleGranting

pytestmark = pytest.mark.servers

OF = "GroupService"
USER_V2 = "portico.user.v2.UserService"
USER_V1 = "portico.management.v1.UserService"


class Grouping(RoleGranting):
    """The first organization has groups; its users are ``self`` and the service user ``robot``."""

    async def on(self, method: str, path: str = "", body: Any = None, **more: Any) -> ApiResponse:
        return await self.call(f"{OF}.{method}", body or {}, f"/groups{path}", **more)

    async def group(self, name: str, *roles: str, members: tuple[str, ...] = ()) -> str:
        id = f"{name}-{self.tag}"
        assert (await self.on("AddGroup", "", {"name": name, "groupId": id})).code == 0
        if roles:
            assert (await self.set_roles(name, *roles)).code == 0
        for user in members:
            assert (await self.add_member(name, user)).code == 0
        return id

    async def set_roles(self, name: str, *roles: str, **more: Any) -> ApiResponse:
        path = f"/{name}-{self.tag}/roles/{self.project_id}"
        return await self.on("SetGroupRoles", path, {"roleKeys": list(roles)}, **more)

    async def remove_roles(self, name: str) -> ApiResponse:
        return await self.on("RemoveGroupRoles", f"/{name}-{self.tag}/roles/{self.project_id}")

    async def add_member(self, name: str, user: str, **more: Any) -> ApiResponse:
        return await self.on("AddGroupMember", f"/{name}-{self.tag}/members", {"userId": f"{user}-{self.tag}"}, **more)

    async def remove_member(self, name: str, user: str) -> ApiResponse:
        return await self.on("RemoveGroupMember", f"/{name}-{self.tag}/members/{user}-{self.tag}")

    async def nest(self, inner: str, outer: str) -> ApiResponse:
        return await self.on("AddGroupToGroup", f"/{outer}-{self.tag}/groups", {"memberGroupId": f"{inner}-{self.tag}"})

    async def unnest(self, inner: str, outer: str) -> ApiResponse:
        return await self.on("RemoveGroupFromGroup", f"/{outer}-{self.tag}/groups/{inner}-{self.tag}")

    async def load(self, name: str) -> Group:
        found = await MongoGroups(self.managed.users.parts.mongo.database).find(f"{name}-{self.tag}")
        assert found is not None
        return found

    async def names(self, user: str = "self") -> tuple[str, ...]:
        names: tuple[str, ...] = (
            await self.managed.users.call(GET_GROUPS, GetGroups(user_id=f"{user}-{self.tag}"))
        ).names
        return names


@pytest.fixture
async def grouping(managed: Any) -> Grouping:
    found = Grouping(managed)
    await found.set_up()
    return found


async def test_members_have_the_roles_of_their_groups(grouping: Grouping) -> None:
    """Own roles and those of several groups add up; a role that one group takes away stays if another gives it."""
    await grouping.group("staff", "reader", members=("self", "robot"))
    await grouping.group("authors", "reader", "writer", members=("self",))
    await grouping.give_own("self", "admin")
    found = [await grouping.roles("self"), await grouping.roles("robot")]
    await grouping.set_roles("authors", "writer")
    found.append(await grouping.roles("self"))
    await grouping.remove_member("staff", "self")
    found.append(await grouping.roles("self"))
    await grouping.remove_roles("authors")
    found.append(await grouping.roles("self"))

    assert found == [{"admin", "reader", "writer"}, {"reader"}, {"admin", "reader", "writer"}, {"admin", "writer"}, {"admin"}]  # fmt: skip
    assert await grouping.names() == ("authors",)


async def test_change_of_a_group_writes_nothing_of_its_members(grouping: Grouping) -> None:
    """However many there are (decision 0136): roles, name, nesting and deletion are one event, and theirs at once."""
    for name in ("staff", "company"):
        await grouping.group(name, "reader" if name == "staff" else "writer")
    await grouping.add_member("staff", "self")
    rows = grouping.managed.users.parts.mongo.database["users"]
    before = await rows.find_one({"_id": f"self-{grouping.tag}"})
    found = []
    changes: tuple[Callable[[], Awaitable[ApiResponse]], ...] = (
        lambda: grouping.nest("staff", "company"),
        lambda: grouping.set_roles("staff", "admin"),
        lambda: grouping.on("UpdateGroup", f"/staff-{grouping.tag}", {"name": "people"}),
        lambda: grouping.on("RemoveGroup", f"/company-{grouping.tag}"),
        lambda: grouping.on("RemoveGroup", f"/staff-{grouping.tag}"),
    )
    for change in changes:
        assert (await change()).code == 0
        found.append((await grouping.roles("self"), await grouping.names()))

    assert await rows.find_one({"_id": f"self-{grouping.tag}"}) == before
    assert found == [
        ({"reader", "writer"}, ("company", "staff")),
        ({"admin", "writer"}, ("company", "staff")),
        ({"admin", "writer"}, ("company", "people")),
        ({"admin"}, ("people",)),
        (set(), ()),
    ]


async def test_groups_are_nested_once(grouping: Grouping) -> None:
    """Members of a group have the roles of those it belongs to; a third level, and so a cycle, is refused."""
    for name, roles in (("company", ("reader",)), ("team", ("writer",)), ("third", ())):
        await grouping.group(name, *roles, members=("self",) if name == "team" else ())
    assert (await grouping.nest("team", "company")).code == 0
    found = [(await grouping.roles("self"), await grouping.names())]
    refused = [
        (await grouping.nest(inner, outer)).error_code
        for inner, outer in (("company", "third"), ("third", "team"), ("company", "team"), ("third", "third"))
    ]
    again = (await grouping.nest("team", "company")).error_code
    await grouping.set_roles("company", "admin")
    found.append((await grouping.roles("self"), await grouping.names()))
    assert (await grouping.remove_member("company", "self")).error_code == "USER-107"
    await grouping.unnest("team", "company")
    found.append((await grouping.roles("self"), await grouping.names()))

    both = ("company", "team")
    assert found == [({"reader", "writer"}, both), ({"admin", "writer"}, both), ({"writer"}, ("team",))]
    assert (refused, again) == (["USER-102"] * 4, "USER-106")


@pytest.mark.parametrize(
    ("method", "path"), [(f"{USER_V2}.ListUsers", ""), (f"{USER_V1}.ListUsers", "/management/v1/users/_search")]
)
async def test_users_are_listed_by_group(grouping: Grouping, method: str, path: str) -> None:
    """Those that belong to it through another group too; the condition can be negated and combined."""
    staff = await grouping.group("staff", members=("robot",))
    authors = await grouping.group("authors", members=("self",))
    assert (await grouping.nest("authors", "staff")).code == 0

    async def found(*queries: Any) -> set[str]:
        more = {"path": path} if path else {}
        response = await call_as(grouping.managed, method, {"queries": list(queries)}, **more)
        assert response.code == 0, response.body
        ids = {one.get("userId") or one.get("id") for one in response.body.get("result", [])}
        return {id.removesuffix(f"-{grouping.tag}") for id in ids} & {"self", "robot"}

    in_staff, in_authors = ({"groupIdQuery": {"groupId": id}} for id in (staff, authors))
    outside = await call_as(grouping.managed, f"{USER_V2}.ListUsers", {"queries": [in_staff]}, by="foreign")

    assert await found(in_staff) == {"self", "robot"}
    assert await found(in_authors) == {"self"}
    assert await found(in_staff, in_authors) == {"self"}
    assert outside.body.get("result", []) == []
    if not path:
        assert await found(in_staff, {"notQuery": {"query": in_authors}}) == {"robot"}


async def test_users_are_listed_by_role(grouping: Grouping) -> None:
    """Those who have it through a group too; a role of the same name in another project does not count."""
    await grouping.group("authors", "reader", "writer", members=("self",))
    await grouping.give_own("robot", "reader")

    async def found(role: str, project: str = "") -> set[str]:
        query = {"roleQuery": {"projectId": project or grouping.project_id, "roleKey": role}}
        response = await call_as(grouping.managed, f"{USER_V2}.ListUsers", {"queries": [query]})
        assert response.code == 0, response.body
        return {one["userId"].removesuffix(f"-{grouping.tag}") for one in response.body.get("result", [])}

    assert (await found("reader"), await found("writer")) == ({"self", "robot"}, {"self"})
    assert await found("reader", "another") == await found("admin") == set()


async def test_concurrent_nesting_makes_no_third_level(grouping: Grouping) -> None:
    """Of two requests that together would make three levels one is refused."""
    for name in ("a", "b", "c"):
        await grouping.group(name)
    answers = await asyncio.gather(grouping.nest("a", "b"), grouping.nest("b", "c"))

    assert sorted(answer.code != 0 for answer in answers) == [False, True]


async def test_members_lose_what_a_deleted_group_gave(grouping: Grouping) -> None:
    """Its groups belong to it no longer, and its name is free."""
    await grouping.group("company", "reader", members=("robot",))
    await grouping.group("team", "writer", members=("self",))
    await grouping.nest("team", "company")
    assert (await grouping.on("RemoveGroup", f"/company-{grouping.tag}")).code == 0

    assert [await grouping.roles(user) for user in ("self", "robot")] == [{"writer"}, set()]
    assert await grouping.names() == ("team",)
    assert (await grouping.on("GetGroup", f"/company-{grouping.tag}")).error_code == "USER-101"
    assert (await grouping.on("AddGroup", "", {"name": "company"})).code == 0


async def test_reserved_id_is_refused(grouping: Grouping) -> None:
    """The ids that no object may have are refused for groups too, as by documents."""
    ids = ["..", "portico", "instance", "a\nb"]
    answers = [await grouping.on("AddGroup", "", {"name": "staff", "groupId": id}) for id in ids]

    assert [(one.error_code, one.fields) for one in answers] == [("USER-001", ["groupId"])] * len(ids)


async def test_renamed_group_is_renamed_for_its_members(grouping: Grouping) -> None:
    await grouping.group("staff", members=("self",))
    await grouping.group("team", members=("robot",))
    await grouping.nest("team", "staff")
    assert (await grouping.on("UpdateGroup", f"/staff-{grouping.tag}", {"name": "employees"})).code == 0

    assert [await grouping.names("self"), await grouping.names("robot")] == [("employees",), ("employees", "team")]


@pytest.mark.parametrize("way", ["role", "project"])
async def test_roles_last_no_longer_than_their_project(grouping: Grouping, way: str) -> None:
    """A deleted role leaves groups and members, and does not return when it is added again."""
    await grouping.group("staff", "reader", "writer", members=("self",))
    if way == "role":
        await grouping.remove("reader")
        await grouping.add("reader")
    else:
        await grouping.call("ProjectService.RemoveProject", {}, f"/projects/{grouping.project_id}")
    (group,) = await grouping.managed.users.rows("groups", _id=f"staff-{grouping.tag}")

    left = {"writer"} if way == "role" else set()
    assert await grouping.roles("self") == left
    assert {key for grant in group["grants"] for key in grant["roleKeys"]} == left


async def test_roles_last_no_longer_than_their_project_grant(managed: Any) -> None:
    """The receiving organization gives a group roles of the project; they go with the role of the grant, and with it."""
    grouping = Grouping(managed)
    await grouping.set_up()
    grant_id = await grouping.made("reader", "writer")
    id = (await grouping.on("AddGroup", "", {"name": "staff"}, by="foreign")).body["id"]
    path = f"/{id}/roles/{grouping.project_id}"
    body = {"roleKeys": ["reader", "writer"], "projectGrantId": grant_id}
    assert (
        await grouping.on("SetGroupRoles", path, body | {"roleKeys": ["admin"]}, by="foreign")
    ).error_code == "USER-873"
    assert (await grouping.on("SetGroupRoles", path, {"roleKeys": ["reader"]}, by="foreign")).error_code == "USER-705"
    assert (await grouping.on("SetGroupRoles", path, body, by="foreign")).code == 0
    member = {"userId": f"clerk-{grouping.tag}"}
    assert (await grouping.on("AddGroupMember", f"/{id}/members", member, by="foreign")).code == 0
    found = [await grouping.roles()]
    await grouping.change(grant_id, "reader")
    found.append(await grouping.roles())
    await grouping.call("RemoveProjectGrant", {}, grouping.path(grant_id))
    found.append(await grouping.roles())
    (group,) = await managed.users.rows("groups", _id=id)

    assert (found, group["grants"]) == ([{"reader", "writer"}, {"reader"}, set()], [])


async def test_user_who_joins_while_the_group_changes_follows_it(grouping: Grouping) -> None:
    """In either order, a member added during a change has the roles of the group as it is then."""
    await grouping.group("staff", "reader")
    users = ("self", "robot")

    async def join(user: str) -> None:
        for _ in range(10):
            if (await grouping.add_member("staff", user)).code == 0:
                return

    await asyncio.gather(*(join(user) for user in users), grouping.set_roles("staff", "writer"))
    assert [await grouping.roles(user) for user in users] == [{"writer"}] * 2

    await grouping.group("guests", "admin")
    await asyncio.gather(*(grouping.add_member("guests", user) for user in users), grouping.on("RemoveGroup", f"/guests-{grouping.tag}"))  # fmt: skip
    assert [await grouping.roles(user) for user in users] == [{"writer"}] * 2


async def test_group_of_another_organization_is_unknown(grouping: Grouping) -> None:
    """Neither its members nor its roles can be changed or seen from another organization (MG-04)."""
    id = await grouping.group("staff", "reader")
    unknown = await grouping.on("GetGroup", "/none", by="foreign")
    answers = [
        await grouping.on("GetGroup", f"/{id}", by="foreign"),
        await grouping.add_member("staff", "clerk", by="foreign"),
        await grouping.set_roles("staff", "writer", by="foreign"),
        await grouping.on("RemoveGroup", f"/{id}", by="foreign"),
    ]

    assert {answer.error_code for answer in answers} == {unknown.error_code} == {"USER-101"}
    assert (await grouping.add_member("staff", "clerk")).error_code == "USER-315"
    assert (await grouping.add_member("staff", "clerk", by="iam")).error_code == "USER-105"


async def test_deleted_user_leaves_its_groups(grouping: Grouping) -> None:
    id = await grouping.group("staff", "reader", members=("robot",))
    path = f"/v2/users/robot-{grouping.tag}"
    assert (
        await call_as(grouping.managed, "portico.user.v2.UserService.DeleteUser", {}, by="owner", path=path)
    ).code == 0

    listed = await grouping.on("ListGroupMembers", f"/{id}/members/_search")
    (row,) = await grouping.managed.users.rows("users", _id=f"robot-{grouping.tag}")
    assert (listed.body.get("result"), row["groups"]) == (None, [])


async def test_nesting_relies_on_groups_as_they_were_read(grouping: Grouping) -> None:
    """A change that was planned before a group changed is refused: the group may be nested by now."""
    for name in ("a", "b", "c"):
        await grouping.group(name)
    commit = grouping.managed.users.service.find(Commit)
    a, b, c = [await grouping.load(name) for name in ("a", "b", "c")]
    await grouping.nest("a", "b")
    refused = [await error_of(commit(put_group(b, replace(b, parents=(c.id,)))))]
    await grouping.unnest("a", "b")
    await grouping.nest("b", "c")
    a = await grouping.load("a")
    refused.append(await error_of(commit(put_group(a, replace(a, parents=(b.id,))))))

    assert refused == ["USER-102", "USER-012"]


async def error_of(change: Awaitable[object]) -> str:
    with pytest.raises(ServiceError) as refused:
        await change
    return refused.value.id
