"""What a provider gave a user ends with the mapping and with the provider, in the same transaction."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from portico_contracts.users import GET_GROUPS, GET_ROLES, GetGroups, GetRoles
from portico_oauth.errors import ServiceError
from portico_runtime.mongo.client import Session
from portico_users.accounts.account import Account, active_account
from portico_users.accounts.store import MongoAccounts, changed_user
from portico_users.end_users.end_user import EndUser
from portico_users.groups.edit_groups import PutIntoGroups
from portico_users.groups.memberships import with_linked
from portico_users.identity_providers.commands.group_roles import GroupRoles
from portico_users.identity_providers.edit_providers import RemoveIdp, UpdateIdp
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.store import MongoIdps
from portico_users.journal.command import Commit
from portico_users.values.records import State

from .test_external_tables import MAPPED, PEOPLE, Tables

pytestmark = pytest.mark.servers

CHIEFS = {"group": "chiefs", "project": "shop", "roleKeys": ["writer"]}
FULL: dict[str, Any] = {**MAPPED, "grants": [*PEOPLE["grants"], CHIEFS]}


class Ending(Tables):
    async def set_up(self, **_options: Any) -> None:
        """Ada is in both groups and has both roles, all by the provider."""
        await self.declare(groups=FULL)
        self.user_id = (await self.come("staff", "writers", "chiefs"))["_id"]

    async def idp(self) -> Idp:
        found = await self.world.service.find(MongoIdps).find(self.idp_id)
        assert found is not None
        return found  # type: ignore[no-any-return]

    async def account(self) -> Account:
        found = await MongoAccounts(self.world.parts.mongo.database).find_whole(self.user_id)
        account = active_account(*found) if found else None
        assert account is not None
        return account

    async def has(self) -> tuple[tuple[str, ...], set[str]]:
        """Names of groups, and keys of roles, by the requests of token."""
        names = (await self.world.call(GET_GROUPS, GetGroups(user_id=self.user_id))).names
        ask = GetRoles(user_id=self.user_id, project_ids=(self.shop,))
        return names, set((await self.world.call(GET_ROLES, ask)).roles.get(self.shop, {}))

    async def remap(self, **members: Any) -> None:
        await self.declare(groups={**FULL, **members})

    async def without_mappings(self) -> None:
        await self.remap(groups=FULL["groups"][1:], grants=[CHIEFS])

    async def other_claim(self) -> None:
        await self.remap(claim="realm.others")

    async def other_issuer(self) -> None:
        before = await self.idp()
        config = msgspec.structs.replace(before.config, issuer="https://new.example")
        await self.world.service.find(UpdateIdp)(before, msgspec.structs.replace(before, config=config), actor="system")

    async def other_issuer_with_the_same_mappings(self) -> None:
        await self.declare(issuer="https://new.example", groups=FULL)

    async def remove(self) -> None:
        await self.world.service.find(RemoveIdp)(await self.idp(), actor="system")


@pytest.fixture
async def ending(users_world: Any) -> Ending:
    numbers = iter(range(1_000))
    users_world.names = lambda: str(next(numbers))
    found = Ending(users_world)
    await found.set_up()
    return found


@pytest.mark.parametrize(
    ("end", "left"),
    [
        (Ending.without_mappings, (("Authors", "Employees"), {"reader", "writer"})),
        (Ending.other_claim, ((), set())),
        (Ending.other_issuer, ((), set())),
        (Ending.other_issuer_with_the_same_mappings, ((), set())),
        (Ending.remove, ((), set())),
    ],
)
async def test_rights_end_with_their_mapping(
    ending: Ending, end: Callable[[Ending], Awaitable[None]], left: object
) -> None:
    """Token has the remaining groups and roles as soon as the call returns; Authors has the roles of Employees."""
    before = await ending.has()
    await end(ending)

    assert (before, await ending.has()) == ((("Authors", "Employees"), {"reader", "writer"}), left)


async def test_rights_that_others_gave_stay(ending: Ending) -> None:
    """A removed provider ends neither a membership nor a role that an administrator gave as well."""
    row = (await ending.people())[0]
    names = {"id": row["_id"], "username": row["userName"], "email": {"email": row["email"], "isVerified": True}}
    await ending.declare(groups=FULL, humans=[ending.world.human(**names, groups=["Employees"])])
    await ending.remove()

    assert await ending.has() == (("Employees",), {"reader"})


async def test_ended_mapping_and_user_change_in_one_document(ending: Ending) -> None:
    """Users of a document are written before the providers whose mappings it ends."""
    row = (await ending.people())[0]
    names = {"id": row["_id"], "username": row["userName"], "email": {"email": row["email"], "isVerified": True}}
    person = ending.world.human(**names, metadata={"color": "blue"})
    await ending.declare(groups={**FULL, "groups": [], "grants": [CHIEFS]}, humans=[person])

    assert await ending.has() == ((), {"writer"})


async def test_pruned_identity_ends_what_it_gave(ending: Ending) -> None:
    """A document that lists the identities of a user removes the others, with their groups and roles."""
    row = (await ending.people())[0]
    names = {"id": row["_id"], "username": row["userName"], "email": {"email": row["email"], "isVerified": True}}
    org = ending.world.organization(id=ending.world.org_id, humans=[ending.world.human(**names, idpLinks=[])])
    del org["projects"]
    await ending.world.apply_document({"organizations": [org]}, prune=True)

    assert (await ending.people())[0]["idpLinks"] == []
    assert await ending.has() == ((), set())


async def test_mapped_group_and_provider_are_pruned_together(ending: Ending) -> None:
    """The provider is removed first: removing the group would change it."""
    emptied = {"groups": [], "jwtIdps": [], "projects": [], "loginPolicy": {"idps": []}}
    org = ending.world.organization(id=ending.world.org_id, **emptied)
    del org["humans"]
    await ending.world.apply_document({"organizations": [org]}, prune=True)

    assert (await ending.idp()).state is State.DELETED
    assert (await ending.has())[0] == ()


async def test_removed_role_does_not_return(ending: Ending) -> None:
    """A role that an administrator took from the user stays removed when another mapping ends."""
    rows = ending.world.parts.mongo.database["users"]
    await rows.update_one({"_id": ending.user_id}, {"$set": {"grants": []}})
    await ending.remap(grants=[CHIEFS], groups=[])

    assert await ending.has() == ((), set())


async def test_sign_in_with_an_ended_mapping_gives_nothing(ending: Ending) -> None:
    """A sign-in that read the provider before its mapping ended is refused."""
    await ending.come()
    idp, account = await ending.idp(), await ending.account()
    identity = await ending.identity()
    await ending.remap(groups=[], grants=[CHIEFS])
    stale = msgspec.structs.replace(identity, groups=("staff", "writers"))
    (link,) = account.user.idp_links if isinstance(account.user, EndUser) else ()
    with pytest.raises(ServiceError) as refused:
        await ending.world.service.find(GroupRoles).follow(idp, account, stale, link.key)

    assert (refused.value.id, await ending.has()) == ("USER-972", ((), set()))


async def test_sign_in_during_the_removal_gives_nothing(ending: Ending) -> None:
    """A provider that is removed after a first sign-in has begun to write ends what that sign-in would give."""
    await ending.come()
    users = ending.world.service
    group_id = (await ending.idp()).tables.memberships[0].group_id
    linked = (await ending.account()).user
    assert isinstance(linked, EndUser)
    # The removal waits for changes of users who have a link already.
    rows = ending.world.parts.mongo.database["users"]
    await rows.update_one({"_id": ending.user_id}, {"$set": {"idpLinks": []}, "$unset": {"linkKeys": ""}})
    user = (await ending.account()).user
    once = iter((True,))

    async def remove(_session: Session) -> None:
        if next(once, False):
            await ending.remove()

    groups = with_linked(linked.groups, linked.idp_links[0].key, frozenset({group_id}))
    after = await users.find(PutIntoGroups).plan(linked, groups)
    with pytest.raises(ServiceError) as refused:
        await users.find(Commit)(changed_user(user, after, side_writes=(remove,)), actor="system")

    assert (linked.groups, refused.value.id, await ending.has()) == ((), "USER-012", ((), set()))


async def test_removal_during_a_sign_in_ends_what_it_gave(ending: Ending) -> None:
    """The removal is repeated after a change of a linked user, and so finds what a sign-in wrote meanwhile."""
    await ending.come()
    idp, account = await ending.idp(), await ending.account()
    tasks: list[asyncio.Task[None]] = []

    async def remove(_session: Session) -> None:
        if not tasks:
            tasks.append(asyncio.create_task(ending.remove()))

    group_id = idp.tables.memberships[0].group_id
    user = account.user
    assert isinstance(user, EndUser)
    groups = with_linked(user.groups, user.idp_links[0].key, frozenset({group_id}))
    after = await ending.world.service.find(PutIntoGroups).plan(user, groups)
    with contextlib.suppress(ServiceError):  # of the two changes of the user either may be first
        await ending.world.service.find(Commit)(changed_user(user, after, side_writes=(remove,)), actor="system")
    await tasks[0]

    assert ((await ending.people())[0]["idpLinks"], await ending.has()) == ([], ((), set()))


@pytest.mark.parametrize("groups", [(), ("staff", "writers", "chiefs")])
async def test_links_end_with_their_provider(ending: Ending, groups: tuple[str, ...]) -> None:
    """By one more change of the user, which counts as a reset, with the rights that the link gave or without any."""
    before = await ending.come(*groups)
    await ending.remove()
    (row,) = await ending.people()

    assert (row["idpLinks"], "linkKeys" in row, row["resets"]) == ([], False, before.get("resets", 0) + 1)
    assert row["sequence"] == before["sequence"] + 1
    events = await ending.world.rows("events", object=row["_id"], sequence=row["sequence"])
    assert "idpLinks" in events[0]["fields"]
