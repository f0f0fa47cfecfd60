"""Every change of facts that other services remember marks them before its commit, and sets their versions after it."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.management_api import ApiResponse
from portico_fakes.soft_authenticator import UP, UV, SoftAuthenticator
from portico_runtime.facts import keys
from portico_runtime.mongo import MongoClient
from portico_users.kernel.cascades import IN_ONE
from portico_users.kernel.constraints import AT_ONCE

from .granting import Granting
from .test_factor_codes import Factors
from .test_passkeys import ORIGIN, Passkeys, begun
from .test_roles_that_go import RoleGranting
from .watched_versions import Watch, watched_versions

pytestmark = pytest.mark.servers

V2 = "v2.UserService"
BOT = "v1.ServiceUserService"
GRANT = "v1.UserGrantService"

OF_PEOPLE = (
    (f"{V2}.UpdateHumanUser", "self"),
    ("v1.UserService.UpdateHumanProfile", "self"),
    ("v1.UserService.UpdateUserName", "self"),
    (f"{V2}.SetEmail", "self"),
    ("v1.UserService.UpdateHumanEmail", "self"),
    (f"{V2}.SetPhone", "self"),
    (f"{V2}.SetPhone {V2}.RemovePhone", "self"),
    ("v1.UserService.UpdateHumanPhone", "self"),
    ("v1.UserService.SetHumanPassword", "self"),
    ("v1.UserService.SetHumanInitialPassword", "self"),
    (f"{V2}.SetUserMetadata", "self"),
    ("v1.UserMetadataService.SetMetadata", "self"),
    ("v1.UserMetadataService.BulkSetMetadata", "self"),
    (f"{V2}.AddOTPEmail", "self"),
    (f"{V2}.AddOTPEmail {V2}.RemoveOTPEmail", "self"),
    (f"{V2}.GenerateRecoveryCodes", "self"),
    (f"{V2}.GenerateRecoveryCodes {V2}.RemoveRecoveryCodes", "self"),
    (f"{V2}.DeactivateUser", "bot-owner"),
    (f"{V2}.DeactivateUser {V2}.ReactivateUser", "bot-owner"),
    (f"{V2}.LockUser", "bot-owner"),
    (f"{V2}.LockUser {V2}.UnlockUser", "bot-owner"),
    (f"{V2}.DeleteUser", "bot-owner"),
    (f"{BOT}.UpdateMachine", "bot-owner"),
    (f"{BOT}.GenerateMachineSecret", "bot-owner"),
    (f"{BOT}.GenerateMachineSecret {BOT}.RemoveMachineSecret", "bot-owner"),
    (f"{BOT}.AddMachineKey", "bot-owner"),
    (f"{BOT}.RemoveMachineKey", "bot-owner"),
    (f"{BOT}.AddPersonalAccessToken", "bot-owner"),
    (f"{V2}.AddKey", "bot-owner"),
    (f"{V2}.RemoveKey", "bot-owner"),
    (f"{V2}.AddSecret", "bot-owner"),
    (f"{V2}.AddSecret {V2}.RemoveSecret", "bot-owner"),
    (f"{GRANT}.AddUserGrant", "robot"),
    (f"{GRANT}.DeactivateUserGrant", "bot-owner"),
    (f"{GRANT}.DeactivateUserGrant {GRANT}.ReactivateUserGrant", "bot-owner"),
    (f"{GRANT}.RemoveUserGrant", "bot-owner"),
)
"""Operations, the last of which changes one person, and who that is."""

OF_THE_DIRECTORY = (
    ("v1.OrganizationService.UpdateOrg", {"org"}),
    ("v1.OrganizationService.AddOrgDomain", {"org"}),
    ("v1.OrganizationService.DeactivateOrg", {"org"}),
    ("v1.PolicyService.AddCustomLoginPolicy", {"org"}),
    ("v1.PolicyService.AddCustomLoginPolicy v1.PolicyService.ResetLoginPolicyToDefault", {"org"}),
    ("v1.PolicyService.AddCustomPasswordAgePolicy", {"org"}),
    ("admin.PolicyService.UpdateLoginPolicy", {"instance"}),
    ("admin.PolicyService.UpdatePasswordAgePolicy", {"instance"}),
    ("v1.ProjectService.AddProject", {"project"}),
    ("v1.ProjectService.UpdateProject", {"project"}),
    ("v1.ProjectService.DeactivateProject", {"project"}),
    ("v1.ProjectService.DeactivateProject v1.ProjectService.ReactivateProject", {"project"}),
    ("v1.ProjectService.AddProjectRole", {"project"}),
    ("v1.ProjectService.UpdateProjectRole", {"project"}),
    ("v1.ProjectService.RemoveProjectRole", {"project", "projectgrant", "bot-owner"}),
    ("v1.ProjectService.RemoveProject", {"project", "projectgrant", "bot-owner"}),
    ("v1.ProjectGrantService.AddProjectGrant", {"projectgrant"}),
    ("v1.ProjectGrantService.UpdateProjectGrant", {"projectgrant"}),
    ("v1.ProjectGrantService.DeactivateProjectGrant", {"projectgrant"}),
    ("v1.ProjectGrantService.RemoveProjectGrant", {"projectgrant"}),
    ("v1.AppService.AddOIDCApp", {"app"}),
    ("v1.AppService.AddAPIApp", {"app"}),
    ("v1.AppService.UpdateApp", {"app"}),
    ("v1.AppService.UpdateOIDCAppConfig", {"app"}),
    ("v1.AppService.UpdateAPIAppConfig", {"app"}),
    ("v1.AppService.RegenerateOIDCClientSecret", {"app"}),
    ("v1.AppService.AddAppKey", {"app"}),
    ("v1.AppService.RemoveAppKey", {"app"}),
    ("v1.AppService.DeactivateApp", {"app"}),
    ("v1.AppService.DeactivateApp v1.AppService.ReactivateApp", {"app"}),
    ("v1.AppService.RemoveApp", {"app"}),
)
"""Operations, the last of which changes something else, and what is marked besides the field of everything."""

OF_NOTHING = (
    f"{V2}.AddHumanUser",
    "v1.UserService.AddHumanUser",
    "v1.UserService.ImportHumanUser",
    f"{BOT}.AddMachineUser",
    f"{V2}.RegisterTOTP",
    f"{V2}.RegisterPasskey",
    f"{V2}.RegisterU2F",
)
"""New users, and registrations that are only begun."""


@pytest.fixture
async def users_world(new_replica: Any, users_mongo: MongoClient, clock: FrozenClock) -> Any:
    """A service whose versions are watched."""
    return await new_replica(users_mongo, secrets.token_bytes, watched_versions(clock, users_mongo.database))


@pytest.fixture
async def watch(managed: Any) -> Watch:
    """What is to be changed, and who watches it."""
    await managed.furnish("owner", "iam")
    return Watch(managed)


async def changed_by(watch: Watch, operations: str) -> set[str]:
    """What the last of some operations marks and sets, each at its time."""
    *first, last = operations.split()
    for operation in first:
        assert (await watch.call(operation)).code == 0
    before = await watch.start()
    answer = await watch.call(last)
    assert answer.code == 0, answer.body
    return await watch.check_order(before)


@pytest.mark.parametrize(("operations", "whose"), OF_PEOPLE)
async def test_a_change_of_a_person_marks_that_person(watch: Watch, operations: str, whose: str) -> None:
    """Exactly the person who changes is marked before the commit, and gets the version the document has after it."""
    assert await changed_by(watch, operations) == {whose}


@pytest.mark.parametrize(("operations", "fields"), OF_THE_DIRECTORY)
async def test_a_change_of_the_directory_marks_its_field(watch: Watch, operations: str, fields: set[str]) -> None:
    """Its own field and that of everything; cascades to people mark each of them in the same step."""
    assert await changed_by(watch, operations) == {*fields, "any"}


@pytest.mark.parametrize("operation", OF_NOTHING)
async def test_new_users_mark_nothing(watch: Watch, operation: str) -> None:
    """Unknown users are not remembered, so that a new one costs no writing to Redis."""
    await watch.start()
    answer = await watch.call(operation)

    assert answer.code == 0, answer.body
    assert (watch.versions.marked, watch.versions.finished) == ([], [])


async def test_a_new_organization_is_marked_and_its_first_owner_is_not(watch: Watch) -> None:
    """An organization may have been asked about before; the user who comes with it was unknown."""
    await watch.start()
    answer = await watch.call("admin.OrganizationService.SetUpOrg")

    assert answer.code == 0, answer.body
    assert {fact.slot for fact in watch.versions.marked[0].facts} == {keys.DIRECTORY}
    assert watch.marked() - {"any"} == {keys.organization(answer.body["orgId"]).field}


async def test_factors_mark_their_person(watch: Watch) -> None:
    """An authenticator app and a passkey are facts once they are verified, and when they are removed."""
    factors, passkeys = Factors(watch.managed), Passkeys(watch.managed)
    secret = await factors.start()
    id, options = begun(await passkeys.begin())
    key = SoftAuthenticator(secrets.token_bytes, ORIGIN, flags=UP | UV)
    steps: tuple[Callable[[], Awaitable[ApiResponse]], ...] = (
        lambda: factors.verify(factors.code(secret)),
        lambda: passkeys.finish(id, key.create(options)),
        lambda: factors.call("RemoveTOTP", "totp"),
        lambda: passkeys.remove(id),
    )
    changes = []
    for step in steps:
        before = await watch.start()
        answer = await step()
        assert answer.code == 0, answer.body
        changes.append(await watch.check_order(before))

    assert changes == [{"self"}] * 4


async def test_a_project_grant_marks_who_has_roles_by_it(watch: Watch) -> None:
    """When it loses a role or is removed, people of the other organization who had the role by it are marked."""
    granting = Granting(watch.managed)
    await granting.set_up()
    grant = await granting.made("reader", "writer")
    await granting.give(grant, "reader", "writer")
    watch.people |= {"clerk": f"clerk-{granting.tag}", "helper": f"helper-{granting.tag}"}
    before = await watch.start()
    narrowed = await granting.change(grant, "reader")
    first = await watch.check_order(before)
    before = await watch.start()
    removed = await granting.call("RemoveProjectGrant", path=granting.path(grant))

    assert (narrowed.code, removed.code) == (0, 0)
    assert first == await watch.check_order(before) == {"clerk", "projectgrant", "any"}


async def test_people_whom_one_transaction_cannot_take_are_marked_in_portions(watch: Watch) -> None:
    """Each portion that is written later marks its people before its own commit, and sets their versions after it."""
    giving = RoleGranting(watch.managed)
    await giving.set_up()
    ids = await giving.crowd(IN_ONE + AT_ONCE + 7, "reader", "writer")
    watch.versions.watch(*ids)
    before = await watch.versions.stored_versions()
    removed = await giving.remove("writer")
    after = await watch.versions.stored_versions()
    portions = [sum(keys.person(id) in written.facts for id in ids) for written in watch.versions.marked]

    assert removed.code == 0
    assert portions == [IN_ONE, AT_ONCE, 7]
    assert all(watch.versions.text_of(keys.person(id)) == after[id] != before[id] for id in ids)
    for marked in watch.versions.marked:
        assert all(marked.stored[id] == before[id] for id in ids if keys.person(id) in marked.facts)
