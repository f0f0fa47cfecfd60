"""A change of a user takes effect everywhere with its response, despite the replicas' caches.

Every replica of token and authz is called directly, after it has answered from its cache (decision 0039).
"""

from __future__ import annotations

from typing import Any

import pytest
from portico_scenarios.cached_user_stage import METADATA, READER, ROLES, WRITER, KnownUser, Stage, set_stage
from portico_scenarios.everywhere import Everywhere, claims_in, with_role_names
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]


@pytest.fixture(scope="module")
async def stage(doubled: World) -> Stage:
    return await set_stage(doubled, "kim", "lou", "max", "nan", "oli", "pia", "quin")


USER = "user.v2.UserService"
GRANTS = "management.v1.UserGrantService"
PROJECTS = "management.v1.ProjectService"

CHANGES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "names": (
        f"{USER}.UpdateHumanUser",
        {"profile": {"givenName": "Kimberly", "familyName": "After"}},
        {"given_name": "Kimberly", "family_name": "After"},
    ),
    "display name": (
        f"{USER}.UpdateHumanUser",
        {"profile": {"givenName": "Kim", "familyName": "Shown", "displayName": "Captain Kim"}},
        {"name": "Captain Kim", "family_name": "Shown"},
    ),
    "address verified": (
        f"{USER}.SetEmail",
        {"email": "kim.new@mail.example.test", "isVerified": True},
        {"email": "kim.new@mail.example.test", "email_verified": True},
    ),
    "address not verified": (
        f"{USER}.SetEmail",
        {"email": "kim.newer@mail.example.test", "returnCode": {}},
        {"email": "kim.newer@mail.example.test", "email_verified": False},
    ),
    "phone": (
        f"{USER}.SetPhone",
        {"phone": "+41791234567", "isVerified": True},
        {"phone_number": "+41791234567", "phone_number_verified": True},
    ),
    "phone removed": (f"{USER}.RemovePhone", {}, {"phone_number": None}),
    "metadata": (
        f"{USER}.SetUserMetadata",
        {"metadata": [{"key": "team", "value": "cmVk"}]},
        {METADATA: {"team": "cmVk"}},
    ),
    "metadata removed": (f"{USER}.DeleteUserMetadata", {"keys": ["team"]}, {METADATA: None}),
}
"""By name: the method, its members, and the claims at every replica after the response."""


@pytest.fixture(scope="module")
async def kim(stage: Stage) -> KnownUser:
    return await stage.sign_in("kim")


async def test_changed_claim_takes_effect_with_the_response(
    everywhere: Everywhere, stage: Stage, kim: KnownUser
) -> None:
    """Introspection, userinfo and refresh have the new claims at each replica after the change's response (FD-22)."""
    wrong = {}
    for what, (method, members, claims) in CHANGES.items():
        await everywhere.warm(kim)
        before = claims_in(await everywhere.userinfo(kim), claims)
        await stage.call(method, userId=kim.id, **members)
        introspected = claims_in(await everywhere.introspect(kim), claims)
        told = claims_in(await everywhere.userinfo(kim), claims)
        refreshed = claims_in(await everywhere.refresh(kim), claims)
        if claims in before or (introspected, told, refreshed) != ([claims] * 2, [claims] * 2, [claims] * 2):
            wrong[what] = (before, introspected, told, refreshed)

    assert wrong == {}


STEPS: tuple[tuple[str, dict[str, Any], list[str], str], ...] = (
    (
        f"{GRANTS}.UpdateUserGrant",
        {"userId": "", "grantId": "", "roleKeys": [READER, WRITER]},
        [READER, WRITER],
        "code",
    ),
    (f"{PROJECTS}.RemoveProjectRole", {"projectId": "", "roleKey": WRITER}, [READER], "code"),
    (f"{GRANTS}.DeactivateUserGrant", {"userId": "", "grantId": ""}, [], "access_denied"),
    (f"{GRANTS}.ReactivateUserGrant", {"userId": "", "grantId": ""}, [READER], "code"),
    (f"{GRANTS}.RemoveUserGrant", {"userId": "", "grantId": ""}, [], "access_denied"),
    (f"{GRANTS}.AddUserGrant", {"userId": "", "projectId": "", "roleKeys": [READER]}, [READER], "code"),
)
"""Consecutive changes of role grants: the method, its members (empty ones are filled in), the roles afterwards,
and authz's decision for a project with role check.
"""


async def test_changed_role_grants_take_effect_with_the_response(everywhere: Everywhere, stage: Stage) -> None:
    """Tokens and decisions follow each added, removed or deactivated role at once, and each deleted role (FD-22)."""
    lou = await stage.sign_in("lou")
    query = {"userIdQuery": {"userId": lou.id}}
    [grant] = (await stage.call(f"{GRANTS}.ListUserGrants", queries=[query]))["result"]
    ids = {"userId": lou.id, "grantId": grant["id"], "projectId": stage.project_id}
    for method, members, roles, decision in STEPS:
        await everywhere.warm(lou)
        await stage.call(method, **{name: value or ids[name] for name, value in members.items()})
        found = [
            with_role_names(one)[ROLES] for one in [*await everywhere.introspect(lou), *await everywhere.userinfo(lou)]
        ]
        decided = await everywhere.authorize(lou)
        refreshed = await everywhere.refresh(lou)

        assert found == [roles] * 4, method
        assert decided == [decision] * 2, method
        if decision == "code":
            assert [with_role_names(one)[ROLES] for one in refreshed] == [roles] * 2, method
        else:
            assert [one["error"] for one in refreshed] == ["invalid_grant"] * 2, method


GROUPS = "management.v1.GroupService"
BY_GROUP = "by-group"
OF_GROUPS: tuple[tuple[str, tuple[str, ...], dict[str, Any], bool], ...] = (
    ("AddGroupToGroup", ("company",), {"memberGroupId": "staff"}, True),
    ("RemoveGroupRoles", ("company", "projectId"), {}, False),
    ("SetGroupRoles", ("staff", "projectId"), {"roleKeys": [BY_GROUP]}, True),
    ("RemoveGroupMember", ("staff", "userId"), {}, False),
    ("AddGroupMember", ("staff", "userId"), {}, True),
    ("RemoveGroup", ("staff",), {}, False),
)
"""Consecutive changes of groups: the method, the group with further ids of the path, its members, and whether the user
has the role of the group afterwards.
"""


async def test_changed_group_takes_effect_with_the_response(everywhere: Everywhere, stage: Stage) -> None:
    """Also where only the record of the group changes, and no version of a user (decision 0136)."""
    person = await stage.sign_in("quin")
    ids = {"projectId": stage.project_id, "userId": person.id}
    for name in ("staff", "company"):
        await stage.call(f"{GROUPS}.AddGroup", name=name, groupId=stage.id(name))
    await stage.call(f"{GROUPS}.AddGroupMember", groupId=stage.id("staff"), userId=person.id)
    company = {"groupId": stage.id("company"), "projectId": stage.project_id}
    await stage.call(f"{PROJECTS}.AddProjectRole", projectId=stage.project_id, roleKey=BY_GROUP)
    await stage.call(f"{GROUPS}.SetGroupRoles", **company, roleKeys=[BY_GROUP])
    wrong = {}
    for method, (group, *further), members, has_role in OF_GROUPS:
        await everywhere.warm(person)
        values = {name: stage.id(value) if name == "memberGroupId" else value for name, value in members.items()}
        await stage.call(
            f"{GROUPS}.{method}", groupId=stage.id(group), **{name: ids[name] for name in further}, **values
        )
        answers = [*await everywhere.introspect(person), *await everywhere.userinfo(person)]
        found = [with_role_names(one)[ROLES] for one in answers]
        if found != [[BY_GROUP, READER] if has_role else [READER]] * 4:
            wrong[method] = found

    assert wrong == {}


async def test_deleted_project_grant_takes_effect_with_the_response(everywhere: Everywhere, stage: Stage) -> None:
    """With the response to a deleted project grant, no replica has a role by that grant or admits its users (FD-22)."""
    person = await stage.sign_in_guest()
    await everywhere.warm(person)
    before = [with_role_names(one)[ROLES] for one in await everywhere.userinfo(person)]

    place = {"projectId": stage.project_id, "grantId": stage.project_grant_id}
    await stage.call("management.v1.ProjectGrantService.RemoveProjectGrant", **place)
    after = [
        with_role_names(one)[ROLES]
        for one in [*await everywhere.introspect(person), *await everywhere.userinfo(person)]
    ]

    assert before == [[READER]] * 2
    assert after == [[]] * 4
    assert await everywhere.authorize(person) == ["access_denied"] * 2
    assert [one["error"] for one in await everywhere.refresh(person)] == ["invalid_grant"] * 2


async def test_changed_factor_takes_effect_with_the_response(everywhere: Everywhere, stage: Stage) -> None:
    """An added factor is required by each replica of authz for an existing session until it is removed (LG-08)."""
    person = await stage.sign_in("max")
    await everywhere.warm(person)
    decided = [await everywhere.authorize(person)]
    for method in ("AddOTPEmail", "RemoveOTPEmail"):
        await stage.call(f"{USER}.{method}", userId=person.id)
        decided.append(await everywhere.authorize(person))
        await everywhere.warm(person)

    assert decided == [["code"] * 2, ["interaction_required"] * 2, ["code"] * 2]


ENDS = {
    "locked": ("nan", "LockUser", "UnlockUser"),
    "deactivated": ("oli", "DeactivateUser", "ReactivateUser"),
    "deleted": ("pia", "DeleteUser", ""),
}
"""By name: the user, the method that ends the access, and the method that restores it."""


@pytest.mark.parametrize(("name", "end", "undo"), ENDS.values(), ids=ENDS.keys())
async def test_deactivated_user_has_no_access_anywhere(
    everywhere: Everywhere, stage: Stage, name: str, end: str, undo: str
) -> None:
    """After the response no token or session is valid; after reactivation a new sign-in works (TK-11)."""
    person = await stage.sign_in(name)
    await everywhere.warm(person)

    await stage.call(f"{USER}.{end}", userId=person.id)
    introspected, told = await everywhere.introspect(person), await everywhere.userinfo(person)
    decided, refreshed = await everywhere.authorize(person), await everywhere.refresh(person)
    if undo:
        await stage.call(f"{USER}.{undo}", userId=person.id)
        again = await stage.sign_in(name)

        assert [one["active"] for one in await everywhere.introspect(again)] == [True] * 2
        assert await everywhere.authorize(again) == ["code"] * 2
        assert [one["sub"] for one in await everywhere.refresh(again)] == [person.id] * 2
    assert introspected == [{"active": False}] * 2
    assert [one["status"] for one in told] == [401] * 2
    assert decided == ["login_required"] * 2
    assert [one["error"] for one in refreshed] == ["invalid_grant"] * 2
