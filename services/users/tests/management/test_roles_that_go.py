"""A role of a project that goes: from the project's grants and from everybody who has it, whatever their number."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse
from portico_oauth.errors import ServiceError
from portico_users.directory.accounts.grant_search import put_grants
from portico_users.directory.accounts.role_constraints import given_by_grant, given_in_project
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.grants.role_grants import RoleGrant
from portico_users.directory.projects.changes import put_project, without_role
from portico_users.directory.projects.store import MongoProjects
from portico_users.kernel.cascades import IN_ONE
from portico_users.kernel.constraints import AT_ONCE
from portico_users.kernel.journal import Journal

from .granting import Granting, Stop

pytestmark = pytest.mark.servers


class RoleGranting(Granting):
    """The owner of the project gives roles as well, to people of its own organization."""

    async def give_own(self, user: str, *roles: str) -> ApiResponse:
        """Grants a user roles of the project, by no project grant."""
        body = {"projectId": self.project_id, "roleKeys": list(roles)}
        return await self.call("UserGrantService.AddUserGrant", body, f"/users/{user}-{self.tag}/grants")

    async def remove(self, role: str) -> ApiResponse:
        """Takes a role out of the project."""
        return await self.call("ProjectService.RemoveProjectRole", {}, f"/projects/{self.project_id}/roles/{role}")

    async def add(self, role: str) -> ApiResponse:
        """Adds one."""
        path = f"/projects/{self.project_id}/roles"
        return await self.call("ProjectService.AddProjectRole", {"roleKey": role}, path)

    async def role_keys(self, user: str) -> list[list[str]]:
        """The roles a user is stored with, by grant."""
        return [list(grant["roleKeys"]) for grant in await self.stored(user)]

    async def store(self, user: str, *roles: str, by: str = "") -> None:
        """Stores a grant of a user, whatever roles the project has."""
        org_id = self.managed.other_org_id if by else self.managed.org_id
        grant = {"projectId": self.project_id, "orgId": org_id, "roleKeys": list(roles)}
        rows = self.managed.users.parts.mongo.database["users"]
        more = {"projectGrantId": by} if by else {}
        await rows.update_one({"_id": f"{user}-{self.tag}"}, {"$set": {"grants": [grant | more]}})

    async def crowd(self, number: int, *roles: str) -> list[str]:
        """Stores people who have roles by no grant."""
        rows = self.managed.users.parts.mongo.database["users"]
        template = await rows.find_one({"_id": f"robot-{self.tag}"})
        grant = {"projectId": self.project_id, "orgId": self.managed.org_id, "roleKeys": list(roles)}
        ids = [f"many-{one}-{self.tag}" for one in range(number)]
        await rows.insert_many(
            [{**template, "_id": id, "nameKey": id, "userName": id, "grants": [grant]} for id in ids]
        )
        return ids

    async def having(self, ids: list[str], role: str) -> int:
        """How many of some people are stored with a role."""
        rows = self.managed.users.parts.mongo.database["users"]
        return int(await rows.count_documents({"_id": {"$in": ids}, "grants.roleKeys": role}))


@pytest.fixture
async def giving(managed: Any) -> RoleGranting:
    """A project with the roles admin, reader and writer, and another organization with people."""
    world = RoleGranting(managed)
    await world.set_up()
    return world


async def test_a_removed_role_is_revoked_from_every_user(giving: RoleGranting) -> None:
    """Humans and programs, each with an event by who did it; who has none left has no grant."""
    await giving.give_own("self", "reader", "writer")
    await giving.give_own("robot", "writer")
    await giving.give_own("viewer", "reader")
    assert (await giving.remove("writer")).code == 0

    assert [await giving.role_keys(user) for user in ("self", "robot", "viewer")] == [[["reader"]], [], [["reader"]]]
    assert await giving.roles("self") == {"reader"}
    owner = f"owner-{giving.tag}"
    assert (await giving.events_of(f"robot-{giving.tag}"))[-1] == ("updated", ["grants"], owner)
    assert len(await giving.events_of(f"viewer-{giving.tag}")) == 2


async def test_a_role_of_another_project_stays(giving: RoleGranting, managed: Any) -> None:
    """Though it has the same key."""
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


async def test_a_project_takes_along_what_users_have_in_it(giving: RoleGranting) -> None:
    """By a grant of it or without one."""
    grant_id = await giving.made("reader")
    await giving.give(grant_id, "reader")
    await giving.give_own("self", "reader", "writer")
    assert (await giving.call("ProjectService.RemoveProject", {}, f"/projects/{giving.project_id}")).code == 0

    assert [await giving.role_keys(user) for user in ("clerk", "self")] == [[], []]


async def test_a_role_that_comes_back_brings_nothing_back(giving: RoleGranting) -> None:
    """Users who had it have to be granted it again; so it is with what an earlier release or an ended call left behind."""
    grant_id = await giving.made("reader")
    await giving.give_own("self", "writer")
    await giving.remove("writer")
    await giving.store("robot", "reader", "writer")
    await giving.store("clerk", "reader", "writer", by=grant_id)
    assert (await giving.add("writer")).code == 0

    assert [await giving.role_keys(user) for user in ("self", "robot", "clerk")] == [[], [["reader"]], [["reader"]]]
    assert await giving.roles("robot") == {"reader"}


async def test_a_role_that_is_granted_again_brings_nothing_back(giving: RoleGranting) -> None:
    """A role that a project grant regains is not restored to its users, as with roles of the project."""
    grant_id = await giving.made("reader")
    await giving.store("clerk", "reader", "writer", by=grant_id)
    assert (await giving.change(grant_id, "reader", "writer")).code == 0

    assert await giving.role_keys("clerk") == [["reader"]]


@pytest.mark.parametrize("takes_whole", [True, False])
async def test_what_was_decided_before_a_role_went_is_not_written_after(
    giving: RoleGranting, takes_whole: bool
) -> None:
    """The one who gives has decided and written, but not committed, when the role or the project goes."""
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


async def test_more_people_than_one_transaction_takes_lose_a_role(giving: RoleGranting, managed: Any) -> None:
    """All of them, each by one event."""
    ids = await giving.crowd(IN_ONE + AT_ONCE + 7, "reader", "writer")
    assert (await giving.remove("writer")).code == 0

    assert await giving.having(ids, "writer") == 0
    assert await giving.having(ids, "reader") == len(ids)
    assert len(await managed.users.rows("events", object={"$in": ids})) == len(ids)


async def test_a_revocation_that_was_interrupted_is_continued(giving: RoleGranting, managed: Any) -> None:
    """The role is removed at once and counts for no user; the caller gets USER-910 until all of it is written."""
    ids = await giving.crowd(IN_ONE + 2 * AT_ONCE, "writer")
    project = await MongoProjects(managed.users.parts.mongo.database).find(giving.project_id)
    assert project is not None
    removal = put_project(project, without_role(project, "writer"))
    with pytest.raises(ServiceError) as unfinished:
        await managed.users.service.find(Journal).commit([removal], patience=-1)
    left = await giving.having(ids, "writer")
    again = [await giving.remove("writer"), await giving.remove("writer")]

    assert (unfinished.value.id, left) == ("USER-910", AT_ONCE)
    assert (again[0].code, again[1].error_code) == (0, "USER-704")
    assert await giving.having(ids, "writer") == 0


async def test_an_interrupted_revocation_of_a_grant_is_continued(giving: RoleGranting) -> None:
    """By the same update once more; after that nothing would change."""
    grant_id = await giving.made("reader")
    await giving.store("clerk", "reader", "writer", by=grant_id)
    again = [await giving.change(grant_id, "reader"), await giving.change(grant_id, "reader")]

    assert (again[0].code, again[1].error_code) == (0, "USER-702")
    assert await giving.role_keys("clerk") == [["reader"]]


async def test_what_is_given_again_meanwhile_is_not_taken(giving: RoleGranting, managed: Any) -> None:
    """A repetition for a role that exists again revokes nothing."""
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


async def test_those_who_have_a_role_are_found_by_an_index(giving: RoleGranting, managed: Any) -> None:
    """Other users with a role in the project are not read."""
    await giving.crowd(300, "reader")
    await giving.give_own("self", "writer")
    one = {"$elemMatch": {"projectId": giving.project_id, "roleKeys": {"$in": ["writer"]}}}
    asked = {"find": "users", "filter": {"grants": one}}
    told = await managed.users.parts.mongo.database.command("explain", asked, verbosity="executionStats")

    assert told["executionStats"]["nReturned"] == 1
    assert told["executionStats"]["totalDocsExamined"] == 1
