"""Every change of cached data marks them before its commit and sets their versions after it."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.management_api import ApiResponse, call_as
from portico_fakes.soft_authenticator import UP, UV, SoftAuthenticator
from portico_runtime.mongo.client import MongoClient
from portico_runtime.versioned_cache import keys

from .granting import Granting, set_batches
from .test_factor_codes import Factors
from .test_passkeys import ORIGIN, Passkeys, begun
from .test_roles_that_go import RoleGranting
from .watched_versions import PACKAGES, Watch, watched_versions

pytestmark = pytest.mark.servers

V2 = "v2.UserService"
BOT = "v1.ServiceUserService"
GRANT = "v1.UserGrantService"
IDP = "v1.IDPService"

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
"""Operations, the last of which changes one user, and that user."""

OF_THE_DIRECTORY = (
    ("v1.OrganizationService.UpdateOrg", {"org"}),
    ("v1.OrganizationService.AddOrgDomain", {"org"}),
    ("v1.PolicyService.AddCustomLoginPolicy", {"org"}),
    ("v1.PolicyService.AddCustomLoginPolicy v1.PolicyService.ResetLoginPolicyToDefault", {"org"}),
    ("v1.PolicyService.AddCustomPasswordAgePolicy", {"org"}),
    ("admin.PolicyService.UpdateLoginPolicy", {"instance"}),
    ("admin.PolicyService.UpdatePasswordAgePolicy", {"instance"}),
    ("v1.ProjectService.AddProject", {"project"}),
    ("v1.ProjectService.SetUpProject", {"app", "project"}),
    ("v1.ProjectService.UpdateProject", {"project"}),
    ("v1.ProjectService.DeactivateProject", {"project"}),
    ("v1.ProjectService.DeactivateProject v1.ProjectService.ReactivateProject", {"project"}),
    ("v1.ProjectService.AddProjectRole", {"project"}),
    ("v1.ProjectService.UpdateProjectRole", {"project"}),
    ("v1.ProjectService.RemoveProjectRole", {"project", "projectgrant", "bot-owner"}),
    ("v1.ProjectService.RemoveProject", {"project", "app", "projectgrant", "bot-owner"}),
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
    ("v1.GroupService.UpdateGroup", {"group"}),
    ("v1.GroupService.SetGroupRoles", {"group"}),
    ("v1.GroupService.AddGroupToGroup", {"group"}),
    ("v1.GroupService.AddGroupToGroup v1.GroupService.RemoveGroupFromGroup", {"group"}),
    ("v1.GroupService.RemoveGroup", {"group"}),
    (f"{IDP}.AddOrgJWTIDP", {"idp"}),
    (f"{IDP}.UpdateOrgIDP", {"idp"}),
    (f"{IDP}.DeactivateOrgIDP", {"idp"}),
    (f"{IDP}.DeactivateOrgIDP {IDP}.ReactivateOrgIDP", {"idp"}),
    (f"{IDP}.RemoveOrgIDP", {"idp"}),
)
"""Operations, the last of which changes another object, and what is marked in addition to the global field."""

OF_NOTHING = (
    f"{V2}.AddHumanUser",
    "v1.UserService.AddHumanUser",
    "v1.UserService.ImportHumanUser",
    "v1.UserService.ImportHumanUsers",
    f"{BOT}.AddMachineUser",
    f"{V2}.RegisterTOTP",
    f"{V2}.RegisterPasskey",
    f"{V2}.RegisterU2F",
    "v1.GroupService.AddGroup",
)
"""New users and groups, and pending registrations."""


@pytest.fixture
async def users_world(new_replica: Any, users_mongo: MongoClient, clock: FrozenClock) -> Any:
    return await new_replica(users_mongo, secrets.token_bytes, watched_versions(clock, users_mongo.database))


@pytest.fixture
async def watch(managed: Any) -> Watch:
    await managed.furnish("owner", "iam")
    return Watch(managed)


async def changed_by(watch: Watch, operations: str) -> set[str]:
    *first, last = operations.split()
    for operation in first:
        assert (await watch.call(operation)).code == 0
    before = await watch.start()
    answer = await watch.call(last)
    assert answer.code == 0, answer.body
    return await watch.check_order(before)


@pytest.mark.parametrize(("operations", "whose"), OF_PEOPLE)
async def test_change_of_a_user_marks_that_user(watch: Watch, operations: str, whose: str) -> None:
    """Only the changed user is marked before the commit, and gets the document's version after it."""
    assert await changed_by(watch, operations) == {whose}


@pytest.mark.parametrize(("operations", "fields"), OF_THE_DIRECTORY)
async def test_change_of_a_resource_marks_its_field(watch: Watch, operations: str, fields: set[str]) -> None:
    """The object's own field and the global one are marked; cascades mark each affected user in the same step."""
    assert await changed_by(watch, operations) == {*fields, "any"}


@pytest.mark.parametrize("operation", OF_NOTHING)
async def test_new_users_mark_nothing(watch: Watch, operation: str) -> None:
    """Unknown users are not cached, so a new user needs no write to Redis."""
    await watch.start()
    answer = await watch.call(operation)

    assert answer.code == 0, answer.body
    assert (watch.versions.marked, watch.versions.finished) == ([], [])


async def test_new_organization_is_marked_but_not_its_owner(watch: Watch) -> None:
    """An organization may have been looked up before it existed; its new owner cannot be cached."""
    await watch.start()
    answer = await watch.call("admin.OrganizationService.SetUpOrg")

    assert answer.code == 0, answer.body
    assert {fact.slot for fact in watch.versions.marked[0].facts} == {keys.DIRECTORY}
    assert watch.marked() - {"any"} == {keys.organization(answer.body["orgId"]).field}


async def test_factors_mark_their_user(watch: Watch) -> None:
    """Authenticator apps and passkeys mark the user when verified and when removed."""
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


async def test_project_grant_marks_users_with_its_roles(watch: Watch) -> None:
    """Removing a role or the grant marks the users of the other organization who had the role through it."""
    granting = Granting(watch.managed)
    await granting.set_up(furnished=True)
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


async def test_deferred_users_are_marked_in_batches(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each deferred batch marks its users before its own commit and sets their versions after it."""
    set_batches(monkeypatch, 5)
    giving = RoleGranting(watch.managed)
    await giving.set_up(furnished=True)
    ids = await giving.crowd(17, "reader", "writer")
    watch.versions.watch(*ids)
    before = await watch.versions.stored_versions()
    removed = await giving.remove("writer")
    after = await watch.versions.stored_versions()
    portions = [sum(keys.user(id) in written.facts for id in ids) for written in watch.versions.marked]

    assert removed.code == 0
    assert portions == [10, 5, 2]
    assert all(watch.versions.text_of(keys.user(id)) == after[id] != before[id] for id in ids)
    for marked in watch.versions.marked:
        assert all(marked.stored[id] == before[id] for id in ids if keys.user(id) in marked.facts)


async def test_deactivated_organization_is_marked(watch: Watch) -> None:
    """Its field and the global one are marked, as for other changes of an organization."""
    managed = watch.managed
    before = await watch.start()
    answer = await call_as(managed, f"{PACKAGES['v1']}.OrganizationService.DeactivateOrg", {}, by="foreign")

    assert answer.code == 0, answer.body
    own, other = keys.organization(managed.org_id), keys.organization(managed.other_org_id)
    assert await watch.check_order(before) == {
        "org" if other == own else other.field,
        "any",
    }  # one of 256 shares its field
