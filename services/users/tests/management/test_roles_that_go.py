"""Removing a project role revokes it from the project's grants and from all users, whatever their number."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse
from portico_oauth.errors import ServiceError
from portico_users.accounts.store import MongoAccounts
from portico_users.grants.grant_search import put_grants
from portico_users.grants.role_constraints import given_by_grant, given_in_project
from portico_users.grants.role_grants import RoleGrant
from portico_users.journal.constraints import AT_ONCE
from portico_users.journal.journal import Journal
from portico_users.projects.changes import put_project, without_role
from portico_users.projects.store import MongoProjects

from .granting import Granting, Stop, set_batches

pytestmark = pytest.mark.servers


class RoleGranting(Granting):
    async def give_own(self, user: str, *roles: str) -> ApiResponse:
        body = {"projectId": self.project_id, "roleKeys": list(roles)}
        return await self.call("UserGrantService.AddUserGrant", body, f"/users/{user}-{self.tag}/grants")

    async def remove(self, role: str) -> ApiResponse:
        return await self.call("ProjectService.RemoveProjectRole", {}, f"/projects/{self.project_id}/roles/{role}")

    async def add(self, role: str) -> ApiResponse:
        path = f"/projects/{self.project_id}/roles"
        return await self.call("ProjectService.AddProjectRole", {"roleKey": role}, path)

    async def role_keys(self, user: str) -> list[list[str]]:
        return [list(grant["roleKeys"]) for grant in await self.stored(user)]

    async def store(self, user: str, *roles: str, by: str = "") -> None:
        org_id = self.managed.other_org_id if by else self.managed.org_id
        grant = {"projectId": self.project_id, "orgId": org_id, "roleKeys": list(roles)}
        rows = self.managed.users.parts.mongo.database["users"]
        more = {"projectGrantId": by} if by else {}
        await rows.update_one({"_id": f"{user}-{self.tag}"}, {"$set": {"grants": [grant | more]}})

    async def crowd(self, number: int, *roles: str) -> list[str]:
        rows = self.managed.users.parts.mongo.database["users"]
        template = await rows.find_one({"_id": f"robot-{self.tag}"})
        grant = {"projectId": self.project_id, "orgId": self.managed.org_id, "roleKeys": list(roles)}
        ids = [f"many-{one}-{self.tag}" for one in range(number)]
        await rows.insert_many(
            [{**template, "_id": id, "nameKey": id, "userName": id, "grants": [grant]} for id in ids]
        )
        return ids

    async def having(self, ids: list[str], role: str) -> int:
        rows = self.managed.users.parts.mongo.database["users"]
        return int(await rows.count_documents({"_id": {"$in": ids}, "grants.roleKeys": role}))


@pytest.fixture
async def giving(managed: Any) -> RoleGranting:
    world = RoleGranting(managed)
    await world.set_up()
    return world


async def test_removed_role_is_revoked_from_every_user(giving: RoleGranting) -> None:
    """End users and service users get an event with the editor; empty grants are deleted."""
    await giving.give_own("self", "reader", "writer")
    await giving.give_own("robot", "writer")
    await giving.give_own("viewer", "reader")
    assert (await giving.remove("writer")).code == 0

    assert [await giving.role_keys(user) for user in ("self", "robot", "viewer")] == [[["reader"]], [], [["reader"]]]
    assert await giving.roles("self") == {"reader"}
    owner = f"owner-{giving.tag}"
    assert (await giving.events_of(f"robot-{giving.tag}"))[-1] == ("updated", ["grants"], owner)
    assert len(await giving.events_of(f"viewer-{giving.tag}")) == 1


async def test_role_of_another_project_stays(giving: RoleGranting, managed: Any) -> None:
    """A role with the same key in another project is not revoked."""
    other = {"id": f"bank-{giving.tag}", "name": "Bank", "roles": [{"roleKey": "writer"}]}
    await managed.users.apply(
        {
            "id": managed.org_id,
            "name": managed.org_id,
            "primaryDomain": managed.domain(managed.org_id),
            "projects": [other],
        }
    )
    await giving.give_own("self", "writer")
    body = {"projectId": other["id"], "roleKeys": ["writer"]}
    await giving.call("UserGrantService.AddUserGrant", body, f"/users/self-{giving.tag}/grants")
    await giving.remove("writer")

    assert [grant["projectId"] for grant in await giving.stored("self")] == [other["id"]]


async def test_removed_project_revokes_all_roles(giving: RoleGranting) -> None:
    """Roles are revoked whether or not they were granted through a project grant."""
    grant_id = await giving.made("reader")
    await giving.give(grant_id, "reader")
    await giving.give_own("self", "reader", "writer")
    assert (await giving.call("ProjectService.RemoveProject", {}, f"/projects/{giving.project_id}")).code == 0

    assert [await giving.role_keys(user) for user in ("clerk", "self")] == [[], []]


async def test_role_added_again_is_not_restored_to_users(giving: RoleGranting) -> None:
    """This also applies to leftovers of an earlier release or of an interrupted call."""
    grant_id = await giving.made("reader")
    await giving.give_own("self", "writer")
    await giving.remove("writer")
    await giving.store("robot", "reader", "writer")
    await giving.store("clerk", "reader", "writer", by=grant_id)
    assert (await giving.add("writer")).code == 0

    assert [await giving.role_keys(user) for user in ("self", "robot", "clerk")] == [[], [["reader"]], [["reader"]]]
    assert await giving.roles("robot") == {"reader"}


async def test_role_granted_again_is_not_restored_to_users(giving: RoleGranting) -> None:
    """A role that a project grant regains is not restored to its users."""
    grant_id = await giving.made("reader")
    await giving.store("clerk", "reader", "writer", by=grant_id)
    assert (await giving.change(grant_id, "reader", "writer")).code == 0

    assert await giving.role_keys("clerk") == [["reader"]]


@pytest.mark.parametrize("takes_whole", [True, False])
async def test_granting_fails_after_the_role_is_removed(giving: RoleGranting, takes_whole: bool) -> None:
    """The granting transaction has written but not committed when the role or the project is removed."""
    stop, journal = Stop(), giving.managed.users.service.find(Journal)
    robot = await MongoAccounts(giving.managed.users.parts.mongo.database).find(f"robot-{giving.tag}")
    assert robot is not None
    grant = RoleGrant(project_id=giving.project_id, org_id=giving.managed.org_id, role_keys=("writer",))
    late = asyncio.create_task(journal.commit([dataclasses.replace(put_grants(robot, [grant]), side_writes=(stop,))]))
    await stop.reached.wait()
    if takes_whole:
        assert (await giving.call("ProjectService.RemoveProject", {}, f"/projects/{giving.project_id}")).code == 0
    else:
        assert (await giving.remove("writer")).code == 0
    stop.may_go_on.set()

    with pytest.raises(ServiceError) as refused:
        await late
    assert refused.value.id == "USER-012"
    assert await giving.role_keys("robot") == []


@pytest.mark.parametrize("size", [5, pytest.param(AT_ONCE, marks=pytest.mark.long)])
async def test_revocation_in_several_transactions(
    giving: RoleGranting, managed: Any, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """All users lose the role, each with one event."""
    set_batches(monkeypatch, size)
    ids = await giving.crowd(3 * size + 2, "reader", "writer")
    assert (await giving.remove("writer")).code == 0

    assert await giving.having(ids, "writer") == 0
    assert await giving.having(ids, "reader") == len(ids)
    assert len(await managed.users.rows("events", object={"$in": ids})) == len(ids)


async def test_interrupted_revocation_is_continued(
    giving: RoleGranting, managed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The removed role takes no effect at once; the caller gets USER-910 until it is revoked from all users."""
    set_batches(monkeypatch, 5)
    ids = await giving.crowd(20, "writer")
    project = await MongoProjects(managed.users.parts.mongo.database).find(giving.project_id)
    assert project is not None
    removal = put_project(project, without_role(project, "writer"))
    with pytest.raises(ServiceError) as unfinished:
        await managed.users.service.find(Journal).commit([removal], patience=-1)
    left = await giving.having(ids, "writer")
    again = [await giving.remove("writer"), await giving.remove("writer")]

    assert (unfinished.value.id, left) == ("USER-910", 5)
    assert (again[0].code, again[1].error_code) == (0, "USER-704")
    assert await giving.having(ids, "writer") == 0


async def test_interrupted_revocation_of_a_grant_is_continued(giving: RoleGranting) -> None:
    """Repeating the update continues it; afterwards the update is refused as unchanged."""
    grant_id = await giving.made("reader")
    await giving.store("clerk", "reader", "writer", by=grant_id)
    again = [await giving.change(grant_id, "reader"), await giving.change(grant_id, "reader")]

    assert (again[0].code, again[1].error_code) == (0, "USER-702")
    assert await giving.role_keys("clerk") == [["reader"]]


async def test_interrupted_removal_of_a_project_is_continued(giving: RoleGranting) -> None:
    """Repeating the call continues it; afterwards the project is unknown."""
    path = f"/projects/{giving.project_id}"
    assert (await giving.call("ProjectService.RemoveProject", {}, path)).code == 0
    await giving.store("self", "reader")
    again = [await giving.call("ProjectService.RemoveProject", {}, path) for _ in range(2)]

    assert (again[0].code, again[1].error_code) == (0, "USER-705")
    assert await giving.role_keys("self") == []


async def test_continued_revocation_spares_a_role_added_again(giving: RoleGranting, managed: Any) -> None:
    """Repeating the removal of a role that exists again revokes nothing."""
    grant_id = await giving.made("reader")
    await giving.give(grant_id, "reader")
    await giving.give_own("self", "reader")
    journal = managed.users.service.find(Journal)
    written = [
        await journal.finish(given_in_project(giving.project_id, ["reader"])),
        await journal.finish(given_by_grant(grant_id, ["reader"])),
    ]

    assert written == [0, 0]
    assert [await giving.role_keys(user) for user in ("clerk", "self")] == [[["reader"]]] * 2


async def test_users_with_a_role_are_found_by_an_index(giving: RoleGranting, managed: Any) -> None:
    """Users with other roles in the project are not read."""
    await giving.crowd(300, "reader")
    await giving.give_own("self", "writer")
    one = {"$elemMatch": {"projectId": giving.project_id, "roleKeys": {"$in": ["writer"]}}}
    asked = {"find": "users", "filter": {"grants": one}}
    told = await managed.users.parts.mongo.database.command("explain", asked, verbosity="executionStats")

    assert told["executionStats"]["nReturned"] == 1
    assert told["executionStats"]["totalDocsExamined"] == 1
