"""Deactivating, locking and deleting users, and what ends with it."""

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
    """Changes the state of a user, or deletes it."""
    path = f"/v2/users/{id}" if change == "Delete" else f"/v2/users/{id}/{change.lower()}"
    return await call_as(managed, f"{USER}.{change}User", {}, by=by, path=path)


async def state_of(managed: Any, id: str) -> str:
    """The state a reader sees."""
    return str((await managed.get(id)).body["user"]["state"]).removeprefix("USER_STATE_")


@pytest.mark.parametrize("kind", ["self", "robot"])
@pytest.mark.parametrize(("away", "back"), [("Deactivate", "Reactivate"), ("Lock", "Unlock")])
async def test_what_is_switched_off_can_be_switched_on_again(managed: Any, kind: str, away: str, back: str) -> None:
    """Of humans and service users; each change is an event, and the way off ends what was granted (IR-14)."""
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
async def test_a_state_begins_in_another(managed: Any, first: str, then: str, error_code: str) -> None:
    """What does not fit the state is refused with code 9, and changes nothing."""
    id = f"self-{managed.tag}"
    await do(managed, first, id)
    refused = await do(managed, then, id)

    assert (refused.code, refused.error_code) == (9, error_code)
    assert await state_of(managed, id) == STATES[first]


async def test_a_locked_user_can_be_deactivated(managed: Any) -> None:
    """Unlocking first would let them in between the two steps."""
    id = f"self-{managed.tag}"
    await do(managed, "Lock", id)

    assert (await do(managed, "Deactivate", id)).code == 0


@pytest.mark.parametrize("taken_over", [False, True])
@pytest.mark.parametrize("change", ["Deactivate", "Lock", "Delete"])
async def test_the_same_call_again_succeeds_after_503(managed: Any, change: str, taken_over: bool) -> None:
    """While token is away the change is made and answered 503; whether or not the background work was first."""
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


async def test_nothing_remains_of_a_deleted_user(managed: Any) -> None:
    """Neither the person nor the password nor codes nor roles; who it was stays in the events."""
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


async def test_a_deleted_name_is_free_and_a_deleted_id_is_not(managed: Any) -> None:
    """Tokens and audit logs name the id: it never means another user."""
    body = managed.new_human(username=f"again-{managed.tag}")
    await managed.add(body)
    await do(managed, "Delete", body["userId"])

    assert (await managed.add(body)).error_code == "USER-010"
    assert (await managed.add(body | {"userId": f"second-{managed.tag}"})).code == 0


async def test_roles_of_a_deleted_user_are_deleted(managed: Any) -> None:
    """What is stored of a membership allows nothing."""
    id = f"viewer-{managed.tag}"
    await do(managed, "Delete", id)
    [member] = await managed.users.rows("members", userId=id)

    assert (member["state"], member["roles"]) == ("deleted", [])


async def test_users_delete_themselves_only_with_the_role(managed: Any) -> None:
    """ORG_USER_SELF_MANAGER gives the permission, and no other role."""
    id = f"self-{managed.tag}"
    refused = await do(managed, "Delete", id, by="self")
    members = managed.users.parts.mongo.database["members"]
    role = {"roles": ["ORG_USER_SELF_MANAGER"], "userId": id, "orgId": managed.org_id, "scopeId": managed.org_id}
    details = {"scope": "organization", "state": "active", "created": 0.0, "changed": 0.0, "sequence": 1}
    await members.insert_one({"_id": f"m-{managed.tag}", **role, **details})

    assert refused.code == 7
    assert (await do(managed, "Delete", f"viewer-{managed.tag}", by="self")).code == 7
    assert (await do(managed, "Delete", id, by="self")).code == 0
