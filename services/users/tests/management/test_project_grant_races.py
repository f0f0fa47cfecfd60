"""Granting roles while what they depend on is removed (the project grant, the project, the user): two concurrent
transactions on the real database.

One is stopped between its reads and its commit while the other one runs; in either order, no user ends up
with more than the grant allows.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_contracts.users import AuthMethod
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.errors import ServiceError
from portico_users.accounts.edit_accounts import DeleteUser
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.changes import add_member
from portico_users.administrators.member import Member
from portico_users.administrators.permissions import Scope
from portico_users.applications.app_record import App
from portico_users.applications.store import APPS
from portico_users.grants.grant_search import put_grants
from portico_users.grants.role_grants import RoleGrant
from portico_users.journal.journal import Journal
from portico_users.projects.project_grant_changes import remove_project_grant
from portico_users.projects.project_grants import PROJECT_GRANTS, MongoProjectGrants, ProjectGrant
from portico_users.storage.entry import Entry
from portico_users.values.names import INSTANCE

from .granting import Granting, Stop

pytestmark = pytest.mark.servers

Change = Callable[[Granting, str], Awaitable[ApiResponse]]


@pytest.fixture
async def granting(managed: Any) -> Granting:
    world = Granting(managed)
    await world.set_up(*(f"person{number}" for number in range(12)))
    return world


async def _entry_of_user(granting: Granting, grant_id: str) -> Entry[Any]:
    managed = granting.managed
    clerk = await MongoAccounts(managed.users.parts.mongo.database).find(f"clerk-{granting.tag}")
    assert clerk is not None
    place = {"project_id": granting.project_id, "org_id": managed.other_org_id, "project_grant_id": grant_id}
    return put_grants(clerk, [RoleGrant(role_keys=("reader", "writer"), **place)])


def _member(granting: Granting, scope: Scope, scope_id: str, role: str) -> Entry[Any]:
    member = Member(
        id=f"member-{granting.tag}",
        org_id=granting.managed.other_org_id,
        user_id=f"clerk-{granting.tag}",
        scope=scope,
        scope_id=scope_id,
        roles=(role,),
    )
    return add_member(None, member)


async def _entry_of_member(granting: Granting, grant_id: str) -> Entry[Any]:
    return _member(granting, Scope.PROJECT_GRANT, grant_id, "PROJECT_GRANT_OWNER")


async def _entry_of_project_member(granting: Granting, _grant_id: str) -> Entry[Any]:
    return _member(granting, Scope.PROJECT, granting.project_id, "PROJECT_OWNER")


async def _entry_of_org_member(granting: Granting, _grant_id: str) -> Entry[Any]:
    return _member(granting, Scope.ORGANIZATION, granting.managed.other_org_id, "ORG_OWNER")


async def _entry_of_instance_member(granting: Granting, _grant_id: str) -> Entry[Any]:
    return _member(granting, Scope.INSTANCE, INSTANCE, "IAM_OWNER_VIEWER")


async def _entry_of_app(granting: Granting, _grant_id: str) -> Entry[Any]:
    id = f"late-{granting.tag}"
    org_id = granting.managed.org_id
    return Entry(
        APPS,
        None,
        App(
            id=id, org_id=org_id, project_id=granting.project_id, client_id=id, name="Late", auth_method=AuthMethod.NONE
        ),
    )


async def _shrink(granting: Granting, grant_id: str) -> ApiResponse:
    return await granting.change(grant_id, "reader")


async def _remove(granting: Granting, grant_id: str) -> ApiResponse:
    return await granting.call("RemoveProjectGrant", {}, granting.path(grant_id))


async def _remove_role(granting: Granting, _grant_id: str) -> ApiResponse:
    return await granting.call("ProjectService.RemoveProjectRole", {}, f"/projects/{granting.project_id}/roles/writer")


async def _remove_project(granting: Granting, _grant_id: str) -> ApiResponse:
    return await granting.call("ProjectService.RemoveProject", {}, f"/projects/{granting.project_id}")


async def _delete_user(granting: Granting, _grant_id: str) -> ApiResponse:
    id = f"clerk-{granting.tag}"
    name = "portico.user.v2.UserService.DeleteUser"
    return await call_as(granting.managed, name, {}, by="foreign", path=f"/v2/users/{id}")


_MEMBERS = (_entry_of_member, _entry_of_project_member, _entry_of_org_member, _entry_of_instance_member)

_RELIES = [
    *((entry_of, _delete_user) for entry_of in _MEMBERS),
    *((_entry_of_user, take) for take in (_shrink, _remove, _remove_role, _remove_project)),
    *((_entry_of_member, take) for take in (_remove, _remove_project)),
    (_entry_of_project_member, _remove_project),
    (_entry_of_app, _remove_project),
]
"""A membership and an application need no role of the grant."""


@pytest.mark.parametrize(("entry_of", "take"), _RELIES)
async def test_granting_fails_after_a_revocation(granting: Granting, take: Change, entry_of: Any) -> None:
    """The granting transaction has written but not committed when the other one revokes."""
    grant_id = await granting.made("reader", "writer")
    stop = Stop()
    entry = dataclasses.replace(await entry_of(granting, grant_id), side_writes=(stop,))
    giving = asyncio.create_task(granting.managed.users.service.find(Journal).commit([entry]))
    await stop.reached.wait()
    assert (await take(granting, grant_id)).code == 0
    stop.may_go_on.set()

    with pytest.raises(ServiceError) as refused:
        await giving
    assert refused.value.id == "USER-012"
    assert await granting.stored() == []
    assert await granting.managed.users.rows("members", userId=f"clerk-{granting.tag}") == []
    assert await granting.managed.users.rows("apps", projectId=granting.project_id) == []


@pytest.mark.parametrize("entry_of", _MEMBERS)
async def test_deletion_of_a_user_removes_a_membership_added_meanwhile(granting: Granting, entry_of: Any) -> None:
    """The deletion has read the memberships of the user but written nothing when another one is added."""
    service, database = granting.managed.users.service, granting.managed.users.parts.mongo.database
    user = await MongoAccounts(database).find(f"clerk-{granting.tag}")
    assert user is not None
    planned = await service.find(DeleteUser).plan(user)
    added = await entry_of(granting, await granting.made("reader"))
    await service.find(Journal).commit([added])
    await service.find(Journal).commit(planned)

    [row] = await granting.managed.users.rows("members", userId=user.id)
    assert (row["state"], row["roles"]) == ("deleted", [])
    assert [action for action, _fields, _actor in await granting.events_of(row["_id"])][-1] == "deleted"


async def test_granting_fails_during_a_revocation(granting: Granting) -> None:
    """The revoking transaction has written but not committed when the other one grants."""
    grant_id = await granting.made("reader", "writer")
    managed = granting.managed
    grant = await MongoProjectGrants(managed.users.parts.mongo.database).find(grant_id)
    assert grant is not None
    taken, given = Stop(), Stop()
    given.may_go_on.set()
    journal = managed.users.service.find(Journal)
    removal = dataclasses.replace(remove_project_grant(grant), side_writes=(taken,))
    taking = asyncio.create_task(journal.commit([removal]))
    await taken.reached.wait()
    entry = dataclasses.replace(await _entry_of_user(granting, grant_id), side_writes=(given,))
    giving = asyncio.create_task(journal.commit([entry]))
    await given.reached.wait()
    taken.may_go_on.set()

    await taking
    with pytest.raises(ServiceError):
        await giving
    assert await granting.stored() == []


async def test_project_grant_fails_while_its_role_is_removed(granting: Granting) -> None:
    """New project grants, and those that get a role, depend on the project."""
    for made_before in (False, True):
        stop = Stop()
        journal = granting.managed.users.service.find(Journal)
        database = granting.managed.users.parts.mongo.database
        before = await MongoProjectGrants(database).find(await granting.made("reader")) if made_before else None
        after = ProjectGrant(
            id=before.id if before else f"new-{granting.tag}",
            org_id=granting.managed.org_id,
            project_id=granting.project_id,
            granted_org_id=granting.managed.other_org_id,
            role_keys=("reader", "writer") if made_before else ("admin",),
        )
        making = asyncio.create_task(journal.commit([Entry(PROJECT_GRANTS, before, after, side_writes=(stop,))]))
        await stop.reached.wait()
        role = "writer" if made_before else "admin"
        path = f"/projects/{granting.project_id}/roles/{role}"
        assert (await granting.call("ProjectService.RemoveProjectRole", {}, path)).code == 0
        stop.may_go_on.set()

        with pytest.raises(ServiceError) as refused:
            await making
        assert refused.value.id == "USER-012"


@pytest.mark.parametrize("take", [_shrink, _remove])
async def test_concurrent_grants_and_one_revocation(granting: Granting, take: Change) -> None:
    """Users granted the role before the revocation lose it, and none is granted it afterwards."""
    grant_id = await granting.made("reader", "writer")
    people = [id.split("-")[0] for id in granting.people]
    giving = [asyncio.create_task(granting.give(grant_id, "writer", to=name)) for name in people]
    taken = await take(granting, grant_id)
    answers = await asyncio.gather(*giving)
    while taken.code:  # it was changed meanwhile: as the error advises, again
        taken = await take(granting, grant_id)

    assert {response.code for response in answers} <= {0, 3, 5, 9, 14}
    assert [await granting.stored(name) for name in people] == [[] for _ in people]


async def test_concurrent_grants_take_turns(granting: Granting) -> None:
    """No caller is refused because others grant roles by the same project grant."""
    grant_id = await granting.made("reader")
    crowd = [f"crowd{number}" for number in range(50)]
    await granting.set_up(*crowd, furnished=True)
    answers = await asyncio.gather(*(granting.give(grant_id, "reader", to=name) for name in crowd))

    assert {response.code for response in answers} == {0}
