"""Concurrent calls that each change one part of an object all succeed, as if each had waited for the one before.

Of those that create the same object, the later one is a conflict.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable
from itertools import count
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.administrators.member import MongoMembers
from portico_users.notifications.senders.sender import MongoSenders

pytestmark = pytest.mark.servers

CALLS = 24
"""Far more than the times that one of them repeats itself."""
OLD = "portico.management.v1"
NEW = "portico.user.v2.UserService"


class Objects:
    """Calls on the objects of the first organization, by its owner."""

    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.project = f"/management/v1/projects/p-owner-{managed.tag}"
        self.user = f"/v2/users/self-{managed.tag}"
        self.robot = f"/management/v1/users/robot-{managed.tag}"

    async def call(self, name: str, path: str, body: Any = None, **more: Any) -> ApiResponse:
        return await call_as(self.managed, name, body or {}, path=path, **more)

    async def of(self, collection: str, id: str) -> Any:
        (row,) = await self.managed.users.rows(collection, _id=f"{id}-{self.managed.tag}")
        return row


@pytest.fixture
async def objects(managed: Any) -> Objects:
    await managed.furnish("owner", "iam")
    return Objects(managed)


async def errors_of(*calls: Awaitable[ApiResponse]) -> set[str]:
    return {answer.error_code for answer in await asyncio.gather(*calls)}


async def test_roles_of_a_project(objects: Objects) -> None:
    before = {role["key"] for role in (await objects.of("projects", "p-owner"))["roles"]}
    roles = f"{objects.project}/roles"
    add, change, remove = (f"{OLD}.ProjectService.{verb}ProjectRole" for verb in ("Add", "Update", "Remove"))
    added = [objects.call(add, roles, {"roleKey": f"role-{number}"}) for number in range(CALLS)]
    bulk = objects.call(f"{OLD}.ProjectService.BulkAddProjectRoles", f"{roles}/_bulk", {"roles": [{"key": "bulk"}]})
    assert await errors_of(*added, bulk) == {""}

    changed = objects.call(change, f"{roles}/role-0", {"displayName": "Other"})
    removed = [objects.call(remove, f"{roles}/role-{number}") for number in range(1, CALLS)]
    assert await errors_of(changed, *removed) == {""}

    left = {role["key"]: role["displayName"] for role in (await objects.of("projects", "p-owner"))["roles"]}
    assert left.keys() == before | {"bulk", "role-0"}
    assert left["role-0"] == "Other"


async def test_metadata_and_groups_of_a_user(objects: Objects) -> None:
    """Different parts of one user, through both versions of the API."""
    tag, value = objects.managed.tag, base64.b64encode(b"x").decode()
    groups = f"{OLD}.GroupService"
    paths = [f"/management/v1/groups/g{number}-{tag}/members" for number in range(3)]
    for number in range(3):
        body = {"name": f"Group {number}", "groupId": f"g{number}-{tag}"}
        assert (await objects.call(f"{groups}.AddGroup", "/management/v1/groups", body)).code == 0
    joined = [objects.call(f"{groups}.AddGroupMember", path, {"userId": f"self-{tag}"}) for path in paths]
    keys = [f"key-{number}" for number in range(CALLS)]
    metadata, older = f"{objects.user}/metadata", f"/management/v1/users/self-{tag}/metadata/old"
    set_new = [
        objects.call(f"{NEW}.SetUserMetadata", metadata, {"metadata": [{"key": key, "value": value}]}) for key in keys
    ]
    set_old = objects.call(f"{OLD}.UserMetadataService.SetMetadata", older, {"value": value})
    assert await errors_of(*joined, *set_new, set_old) == {""}

    left = [objects.call(f"{groups}.RemoveGroupMember", f"{path}/self-{tag}") for path in paths[1:]]
    dropped = [objects.call(f"{NEW}.DeleteUserMetadata", metadata, {"keys": [key]}) for key in keys]
    assert await errors_of(*left, *dropped) == {""}

    user = await objects.of("users", "self")
    assert [entry["key"] for entry in user["metadata"]] == ["old"]
    assert [one["id"] for one in user["groups"]] == [f"g0-{tag}"]


async def test_keys_and_tokens_of_a_service_user(objects: Objects) -> None:
    service = f"{OLD}.ServiceUserService"
    keys = [objects.call(f"{service}.AddMachineKey", f"{objects.robot}/keys", {"type": 1}) for _ in range(4)]
    tokens = [objects.call(f"{service}.AddPersonalAccessToken", f"{objects.robot}/pats") for _ in range(8)]
    before = await objects.of("users", "robot")
    assert await errors_of(*keys, *tokens) == {""}

    after = await objects.of("users", "robot")
    assert len(after["keys"]) - len(before["keys"]) == len(keys)
    assert len(after["personalTokens"]) - len(before["personalTokens"]) == len(tokens)


async def test_domains_of_an_organization(objects: Objects) -> None:
    names = [f"d{number}-{objects.managed.tag}.example" for number in range(8)]
    path = "/management/v1/orgs/me/domains"
    service = f"{OLD}.OrganizationService"
    assert await errors_of(*(objects.call(f"{service}.AddOrgDomain", path, {"domain": name}) for name in names)) == {""}
    removed = [objects.call(f"{service}.RemoveOrgDomain", f"{path}/{name}") for name in names[1:]]
    assert await errors_of(*removed) == {""}

    assert names[0] in {one["name"] for one in (await objects.of("orgs", "org"))["domains"]}


async def test_factors_of_a_login_policy(objects: Objects) -> None:
    path = "/management/v1/policies/login"
    policy = f"{OLD}.PolicyService"
    factors = f"{path}/second_factors"
    kinds = [f"SECOND_FACTOR_TYPE_{name}" for name in ("OTP", "U2F", "OTP_EMAIL")]
    assert (await objects.call(f"{policy}.AddCustomLoginPolicy", path, {"allowRegister": True})).code == 0
    removed = [objects.call(f"{policy}.RemoveSecondFactorFromLoginPolicy", f"{factors}/{kind}") for kind in kinds]
    assert await errors_of(*removed) == {""}

    added = [objects.call(f"{policy}.AddSecondFactorToLoginPolicy", factors, {"type": kind}) for kind in kinds]
    assert await errors_of(*added) == {""}
    listed = await objects.call(f"{policy}.ListLoginPolicySecondFactors", f"{factors}/_search")
    assert sorted(listed.body["result"]) == sorted(kinds)


@pytest.mark.parametrize(("reader", "name"), [(MongoMembers, "member"), (MongoSenders, "sender")])
async def test_same_new_object(objects: Objects, monkeypatch: pytest.MonkeyPatch, reader: Any, name: str) -> None:
    """The later call chose no name that is in use: it is repeated, and finds what the other one created."""
    together, find_of, calls = asyncio.Barrier(2), reader.find_of, count()

    async def find_together(self: Any, *question: Any) -> Any:
        found = await find_of(self, *question)
        if next(calls) < together.parties:
            await together.wait()
        return found

    monkeypatch.setattr(reader, "find_of", find_together)
    member = {"userId": f"self-{objects.managed.tag}", "roles": ["ORG_OWNER_VIEWER"]}
    sender = {"url": "https://hooks.example/", "allowedPrefixes": ["+41"], "messagesPerDay": 5, "messagesPerMonth": 9}
    adding = {
        "member": (f"{OLD}.MemberService.AddOrgMember", "/management/v1/orgs/me/members", member),
        "sender": (f"{OLD}.SenderService.SetSmsSender", "/management/v1/senders/sms", sender),
    }
    assert await errors_of(*(objects.call(*adding[name]) for _ in range(2))) == {"", "USER-012"}
