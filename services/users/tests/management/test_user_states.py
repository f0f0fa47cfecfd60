from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.token import REVOKE_USER
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.credentials.revocations import Revocations

pytestmark = pytest.mark.servers

USER = "portico.user.v2.UserService"
STATES = {"Deactivate": "INACTIVE", "Lock": "LOCKED", "Reactivate": "ACTIVE", "Unlock": "ACTIVE"}


async def do(managed: Any, change: str, id: str, *, by: str = "owner") -> ApiResponse:
    path = f"/v2/users/{id}" if change == "Delete" else f"/v2/users/{id}/{change.lower()}"
    return await call_as(managed, f"{USER}.{change}User", {}, by=by, path=path)


async def state_of(managed: Any, id: str) -> str:
    return str((await managed.get(id)).body["user"]["state"]).removeprefix("USER_STATE_")


@pytest.mark.parametrize("kind", ["self", "robot"])
@pytest.mark.parametrize(("away", "back"), [("Deactivate", "Reactivate"), ("Lock", "Unlock")])
async def test_states_can_be_reverted(managed: Any, kind: str, away: str, back: str) -> None:
    """For both kinds of users each change is an event, and deactivating or locking revokes all grants (IR-14)."""
    id = f"{kind}-{managed.tag}"
    for number, change in enumerate((away, back), 2):
        response = await do(managed, change, id)

        assert response.code == 0, response.body
        assert response.body["details"]["sequence"] == str(number)
        assert await state_of(managed, id) == STATES[change]
    assert managed.api.ended == [("sessions", id), ("grants", id)]


@pytest.mark.parametrize(
    ("first", "then", "error_code"),
    [
        ("Deactivate", "Deactivate", "USER-700"),
        ("Deactivate", "Lock", "USER-700"),
        ("Deactivate", "Unlock", "USER-401"),
        ("Lock", "Lock", "USER-700"),
        ("Lock", "Reactivate", "USER-701"),
    ],
)
async def test_invalid_transition_is_refused(managed: Any, first: str, then: str, error_code: str) -> None:
    """A transition from another state is refused with code 9 and changes nothing."""
    id = f"self-{managed.tag}"
    await do(managed, first, id)
    refused = await do(managed, then, id)

    assert (refused.code, refused.error_code) == (9, error_code)
    assert await state_of(managed, id) == STATES[first]


async def test_locked_user_can_be_deactivated(managed: Any) -> None:
    """Unlocking first would allow a sign-in between the two steps."""
    id = f"self-{managed.tag}"
    await do(managed, "Lock", id)

    assert (await do(managed, "Deactivate", id)).code == 0


@pytest.mark.parametrize("taken_over", [False, True])
@pytest.mark.parametrize("change", ["Deactivate", "Lock", "Delete"])
async def test_repeated_call_succeeds_after_503(managed: Any, change: str, taken_over: bool) -> None:
    """If token is unavailable, the change is written with 503; repeating it succeeds, also after the background
    task.
    """
    id, world = f"self-{managed.tag}", managed.users
    world.bus.silent.add(REVOKE_USER.subject)
    first = await do(managed, change, id)
    still = await do(managed, change, id)
    world.bus.silent.clear()
    if taken_over:
        world.clock.tick(5)
        await world.service.find(Revocations).complete_due()
    again = await do(managed, change, id)
    after = await do(managed, change, id)

    assert (first.code, still.code, again.code) == (14, 14, 0)
    assert ("grants", id) in managed.api.ended
    assert after.code == (5 if change == "Delete" else 9)
    assert (await world.rows("events", object=id))[-1]["sequence"] == int(again.body["details"]["sequence"])


async def test_deletion_removes_all_data_of_the_user(managed: Any) -> None:
    """Profile, password, codes and roles are deleted; the events stay."""
    body = managed.new_human(
        password={"password": "correct horse battery"},
        email={"email": f"gone-{managed.tag}@mail.example", "returnCode": {}},
        metadata=[{"key": "k", "value": "AA=="}],
    )
    id = (await managed.add(body)).body["userId"]
    deleted = await do(managed, "Delete", id)
    world = managed.users
    [row] = await world.rows("users", _id=id)

    assert deleted.body["details"]["sequence"] == "2"
    assert {"Ada", "Byron", body["email"]["email"]}.isdisjoint(str(value) for value in row.values())
    assert (row["state"], row["metadata"]) == ("deleted", [])
    assert await world.rows("passwords", _id=id) == []
    assert await world.rows("challenges", **{"purpose.userId": id}) == []
    assert (await managed.get(id)).code == 5
    assert managed.api.ended == [("sessions", id), ("grants", id)]


async def test_deletion_frees_the_name_but_not_the_id(managed: Any) -> None:
    """Tokens and events refer to the id, so it is never reused."""
    body = managed.new_human(username=f"again-{managed.tag}")
    await managed.add(body)
    await do(managed, "Delete", body["userId"])

    assert (await managed.add(body)).error_code == "USER-010"
    assert (await managed.add(body | {"userId": f"second-{managed.tag}"})).code == 0


async def test_memberships_of_a_deleted_user_have_no_roles(managed: Any) -> None:
    """The stored memberships of a deleted user grant no permission."""
    id = f"viewer-{managed.tag}"
    await do(managed, "Delete", id)
    [member] = await managed.users.rows("members", userId=id)

    assert (member["state"], member["roles"]) == ("deleted", [])


async def test_rules_of_an_organization_let_users_delete_only_themselves(managed: Any) -> None:
    """The rule is off by default, and is about the caller's own account."""
    id, mine = f"self-{managed.tag}", "portico.management.v1.CallerService.ListMyPermissions"
    before = await call_as(managed, mine, {}, by="self")
    policy = "portico.management.v1.PolicyService.AddCustomLoginPolicy"
    allowed = await call_as(managed, policy, {"allowAccountDeletion": True}, by="owner")
    after = await call_as(managed, mine, {}, by="self")
    other = await do(managed, "Delete", f"viewer-{managed.tag}", by="self")

    assert (before.body.get("permissions", []), allowed.code) == ([], 0)
    assert [one["permission"] for one in after.body["permissions"]] == ["user.self.delete"]
    assert other.code == 7
    assert (await do(managed, "Delete", id, by="self")).code == 0


async def test_users_delete_themselves_with_the_role(managed: Any) -> None:
    """Without the rule of the organization, the role ORG_USER_SELF_MANAGER gives the permission."""
    id = f"self-{managed.tag}"
    refused = await do(managed, "Delete", id, by="self")
    members = managed.users.parts.mongo.database["members"]
    role = {"roles": ["ORG_USER_SELF_MANAGER"], "userId": id, "orgId": managed.org_id, "scopeId": managed.org_id}
    details = {"scope": "organization", "state": "active", "created": 0.0, "changed": 0.0, "sequence": 1}
    await members.insert_one({"_id": f"m-{managed.tag}", **role, **details})

    assert refused.code == 7
    assert (await do(managed, "Delete", f"viewer-{managed.tag}", by="self")).code == 7
    assert (await do(managed, "Delete", id, by="self")).code == 0
