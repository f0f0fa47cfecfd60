"""A change with `If-Match` is applied only to the version that the caller has read (decision 0053)."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest
from portico_contracts.management import METHODS
from portico_fakes.management_api import ApiResponse, call_as, message_of, read_connect, read_grpc_web
from portico_users.journal.expected_version import ExpectedVersion
from portico_users_rows.permission_rows.matrix import MATRIX
from portico_users_rows.permission_rows.row import ABSENT, AUTHENTICATED, CALLERS, NOT_NOW, YES

pytestmark = pytest.mark.servers

MANAGEMENT = "portico.management.v1"
UPDATE_PROJECT = f"{MANAGEMENT}.ProjectService.UpdateProject"
UPDATE_MEMBER = f"{MANAGEMENT}.MemberService.UpdateOrgMember"
VERSIONED = [name for name in MATRIX if METHODS[name].answers_version]
INTENT = "portico.user.v2.UserService.StartIdentityProviderIntent"
ADMINISTRATORS = ("owner", "iam", "self")


async def stored(managed: Any) -> dict[str, int]:
    database = managed.users.parts.mongo.database
    return {name: await database[name].count_documents({}) for name in await database.list_collection_names()}


def caller_of(name: str) -> str:
    codes = dict(zip(CALLERS, MATRIX[name].codes, strict=True))
    permitted = [one for code in (YES, NOT_NOW, 3, 6, ABSENT) for one in ADMINISTRATORS if codes[one] == code]
    return permitted[0]


async def test_another_sequence_is_refused_by_every_operation(managed: Any) -> None:
    """Every operation that returns object details refuses an outdated sequence before it has any effect."""
    await managed.furnish(*AUTHENTICATED)
    before = await stored(managed)
    codes = {name: await code_in_another_version(managed, name) for name in VERSIONED}

    assert {name: code for name, code in codes.items() if code not in {"USER-728", "not there"}} == {}
    assert await stored(managed) == before


async def code_in_another_version(managed: Any, name: str) -> str:
    row, caller = MATRIX[name], caller_of(name)
    path = row.path.format(tag=managed.tag, caller=caller, grant=managed.grant_of(caller))
    headers = {"If-Match": '"999999"'}
    refused = await call_as(managed, name, row.body(managed, caller), by=caller, path=path, headers=headers)
    return "not there" if refused.code == ABSENT else refused.error_code


CREATIONS = {
    "portico.user.v2.UserService.AddHumanUser",
    f"{MANAGEMENT}.UserService.AddHumanUser",
    f"{MANAGEMENT}.UserService.ImportHumanUser",
    f"{MANAGEMENT}.ProjectService.AddProject",
    f"{MANAGEMENT}.ProjectService.SetUpProject",
    f"{MANAGEMENT}.ProjectGrantService.AddProjectGrant",
    f"{MANAGEMENT}.AppService.AddOIDCApp",
    f"{MANAGEMENT}.AppService.AddAPIApp",
    f"{MANAGEMENT}.ServiceUserService.AddMachineUser",
    f"{MANAGEMENT}.GroupService.AddGroup",
}


@pytest.mark.long
async def test_current_sequence_is_accepted_by_every_operation(managed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """All comparisons of a call are with one version, so each change succeeds with it; creations have none."""
    compare = ExpectedVersion.require

    def take_first(expected: ExpectedVersion, sequence: int) -> None:
        expected.sequence = sequence if expected.sequence == 999999 else expected.sequence
        compare(expected, sequence)

    monkeypatch.setattr(ExpectedVersion, "require", take_first)
    refused = set()
    for name in (one for one in VERSIONED if dict(zip(CALLERS, MATRIX[one].codes, strict=True))[caller_of(one)] == YES):
        world = await managed.renewed()
        await world.furnish(*AUTHENTICATED)
        await number_differently(world)
        if (code := await code_in_another_version(world, name)) == "USER-728":
            refused.add(name)
        else:
            assert (name, code) == (name, "")
        await world.reset_instance()
        await world.users.parts.mongo.database["senders"].delete_many({"orgId": "instance"})

    assert refused == CREATIONS


async def number_differently(world: Any) -> None:
    """Gives each object of this world another sequence."""
    numbers = itertools.count(100)
    for collection in ("users", "orgs", "projects", "apps", "groups", "idps", "webhooks", "members", "projectGrants"):
        for row in await world.users.rows(collection, _id={"$regex": world.tag}):
            rows = world.users.parts.mongo.database[collection]
            await rows.update_one({"_id": row["_id"]}, {"$set": {"sequence": next(numbers)}})


def project_of(managed: Any) -> str:
    return f"/management/v1/projects/p-owner-{managed.tag}"


async def rename(managed: Any, name: str, *if_match: str, by: str = "owner") -> ApiResponse:
    headers = [("Authorization", f"Bearer {managed.tokens[by]}"), *(("If-Match", one) for one in if_match)]
    answer = await managed.api.http.put(project_of(managed), json={"name": name}, headers=headers)
    return ApiResponse(0 if answer.status_code == 200 else answer.json()["code"], answer.json())


async def read_project(managed: Any) -> tuple[str, str]:
    headers = {"Authorization": f"Bearer {managed.tokens['owner']}"}
    answer = await managed.api.http.get(project_of(managed), headers=headers)
    return answer.headers["ETag"], answer.json()["project"]["name"]


async def test_entity_tag_permits_one_change(managed: Any) -> None:
    """The entity tag is the sequence in the details, and is outdated after the change."""
    await managed.furnish("owner")
    tag, _ = await read_project(managed)
    changed = await rename(managed, "First", tag)
    refused = await rename(managed, "Second", tag)
    with_next = await rename(managed, "Third", f'"{changed.body["details"]["sequence"]}"')

    assert (changed.code, refused.code, refused.error_code, with_next.code) == (0, 9, "USER-728", 0)
    assert await read_project(managed) == ('"3"', "Third")


async def test_only_one_concurrent_change_succeeds(managed: Any) -> None:
    """All other concurrent changes get the same error as later ones, and nothing of them is stored."""
    await managed.furnish("owner")
    tag, _ = await read_project(managed)
    answers = await asyncio.gather(*(rename(managed, f"Name {number}", tag) for number in range(12)))
    refused = [one.error_code for one in answers if one.code]
    (winner,) = (number for number, one in enumerate(answers) if one.code == 0)

    assert refused == ["USER-728"] * 11
    assert await read_project(managed) == ('"2"', f"Name {winner}")


@pytest.mark.parametrize(
    "values",
    [("*",), ("",), ('W/"1"',), ('"one"',), ('"-1"',), ('"1", "2"',), ('"1"', '"1"'), ('"1',), ('"' + "1" * 21 + '"',)],
)
async def test_invalid_if_match_is_refused(managed: Any, values: tuple[str, ...]) -> None:
    """An If-Match header that cannot be compared is refused instead of being ignored."""
    await managed.furnish("owner")
    refused = await rename(managed, "Renamed", *values)

    assert (refused.code, refused.error_code) == (3, "USER-729")
    assert (await read_project(managed))[0] == '"1"'


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (f"{MANAGEMENT}.ProjectService.ListProjects", "/management/v1/projects/_search"),
        (f"{MANAGEMENT}.OrganizationService.GetMyOrg", "/management/v1/orgs/me"),
        (f"{MANAGEMENT}.SessionService.RemoveUserSessions", "/management/v1/users/self-{tag}/sessions"),
        (INTENT, "/v2/idp_intents"),
    ],
)
async def test_if_match_is_refused_where_unsupported(managed: Any, name: str, path: str) -> None:
    """Reads, and operations on objects without a version, refuse the header."""
    address, body = path.format(tag=managed.tag), MATRIX[INTENT].body(managed, "iam") if name == INTENT else {}
    refused = await call_as(managed, name, body, by="iam", path=address, headers={"If-Match": '"1"'})

    assert (refused.code, refused.error_code) == (3, "USER-730")


@pytest.mark.parametrize("if_match", ['"7"', "7"])
async def test_other_protocols_accept_if_match(managed: Any, if_match: str) -> None:
    """Connect and gRPC-web use the HTTP header; in gRPC metadata the quotes may be omitted."""
    await managed.furnish("owner")
    message = message_of(UPDATE_PROJECT, {"projectId": f"p-owner-{managed.tag}", "name": "Renamed"})
    packed = message.SerializeToString()
    sent = {"Authorization": f"Bearer {managed.tokens['owner']}", "If-Match": if_match}
    path = METHODS[UPDATE_PROJECT].path
    connect = {**sent, "Content-Type": "application/proto", "Connect-Protocol-Version": "1"}
    by_connect = await managed.api.http.post(path, content=packed, headers=connect)
    framed = b"\x00" + len(packed).to_bytes(4, "big") + packed
    grpc_web = {**sent, "Content-Type": "application/grpc-web+proto"}
    by_grpc_web = await managed.api.http.post(path, content=framed, headers=grpc_web)

    assert read_connect(by_connect).error_code == "USER-728"
    assert read_grpc_web(UPDATE_PROJECT, by_grpc_web).error_code == "USER-728"
    assert (await read_project(managed))[0] == '"1"'


async def test_member_is_compared_with_its_own_version(managed: Any) -> None:
    """Operations on members compare the membership's sequence, not the organization's."""
    tag = managed.tag
    listed = await call_as(managed, f"{MANAGEMENT}.MemberService.ListOrgMembers", {})
    (viewer,) = (one for one in listed.body["result"] if one["userId"] == f"viewer-{tag}")
    path = f"/management/v1/orgs/me/members/viewer-{tag}"
    tags = {"If-Match": f'"{viewer["details"]["sequence"]}"'}
    changed = await call_as(managed, UPDATE_MEMBER, {"roles": ["ORG_USER_MANAGER"]}, path=path, headers=tags)
    refused = await call_as(managed, UPDATE_MEMBER, {"roles": ["ORG_OWNER"]}, path=path, headers=tags)

    assert (changed.code, refused.error_code) == (0, "USER-728")


async def test_creation_refuses_if_match(managed: Any) -> None:
    """A new object has no version, so neither its parent's sequence nor any other is accepted."""
    for sequence in (0, 1):
        headers = {"If-Match": f'"{sequence}"'}
        refused = await call_as(managed, f"{MANAGEMENT}.ProjectService.AddProject", {"name": "New"}, headers=headers)
        assert refused.error_code == "USER-728"


async def test_inherited_policy_has_no_entity_tag(managed: Any) -> None:
    """An inherited instance policy has no entity tag; the organization's own policy has one."""
    headers = {"Authorization": f"Bearer {managed.tokens['owner']}"}
    inherited = await managed.api.http.get("/management/v1/policies/lockout", headers=headers)
    path = "/management/v1/policies/lockout"
    added = await call_as(
        managed, f"{MANAGEMENT}.PolicyService.AddCustomLockoutPolicy", {"maxPasswordAttempts": 3}, path=path
    )
    own = await managed.api.http.get("/management/v1/policies/lockout", headers=headers)

    assert "ETag" not in inherited.headers
    assert own.headers["ETag"] == f'"{added.body["details"]["sequence"]}"'
