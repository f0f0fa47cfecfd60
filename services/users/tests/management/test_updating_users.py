from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

UPDATE = "portico.user.v2.UserService.UpdateHumanUser"
PROFILE = {"firstName": "Augusta", "lastName": "King", "nickName": "Gussie", "displayName": "Augusta King"}


async def update(managed: Any, by: str = "owner", path: str = "/v2/users/human/", **members: Any) -> ApiResponse:
    address = f"{path}self-{managed.tag}"
    return await call_as(managed, UPDATE, members, by=by, path=address)


@pytest.mark.parametrize("path", ["/v2/users/human/", "/v2beta/users/human/", "/v2beta/users/"])
async def test_all_values_are_changed_at_once(managed: Any, path: str) -> None:
    """The update is one event, and all path prefixes are equivalent."""
    body: dict[str, Any] = {
        "username": f"augusta-{managed.tag}",
        "profile": PROFILE,
        "email": {"email": "augusta@mail.example", "isVerified": True},
        "phone": {"phone": "+41791234567", "isVerified": True},
        "attributes": {"website": "https://king.example"},
        "password": {"password": {"password": "nine small sparrows", "changeRequired": True}},
    }
    response = await update(managed, path=path, **body)
    user = (await managed.get(f"self-{managed.tag}")).body["user"]

    assert response.code == 0, response.body
    assert response.body["details"]["sequence"] == "2"
    assert user["username"] == body["username"]
    assert user["human"] == {
        "profile": PROFILE,
        "email": body["email"],
        "phone": body["phone"],
        "attributes": body["attributes"],
        "passwordChangeRequired": True,
        "passwordChanged": user["details"]["changeDate"],
    }
    assert (await managed.users.try_password(body["username"], "nine small sparrows")).user
    assert managed.api.ended[-1] == ("grants", f"self-{managed.tag}")


async def test_absent_values_stay(managed: Any) -> None:
    """Values in the request are replaced as a whole."""
    await update(managed, profile=PROFILE, attributes={"website": "https://king.example"})
    await update(managed, profile={"firstName": "Ada", "lastName": "King"})
    human = (await managed.get(f"self-{managed.tag}")).body["user"]["human"]

    assert human["profile"] == {"firstName": "Ada", "lastName": "King", "displayName": "Ada King"}
    assert human["attributes"] == {"website": "https://king.example"}
    assert human["email"]["isVerified"]


async def test_unchanged_user_has_no_event(managed: Any) -> None:
    """Repeating an update writes no second event."""
    first = await update(managed, profile=PROFILE)
    second = await update(managed, profile=PROFILE)

    assert first.body["details"] == second.body["details"]


async def test_both_codes_can_be_returned(managed: Any) -> None:
    """The codes for email address and phone number are returned in their own fields."""
    response = await update(
        managed,
        email={"email": "new@mail.example", "returnCode": {}},
        phone={"phone": "+41791234567", "returnCode": {}},
    )

    assert response.body["emailCode"] != response.body["phoneCode"]
    assert {len(response.body[name]) for name in ("emailCode", "phoneCode")} == {6}


async def test_users_change_their_profile_but_not_their_user_name(managed: Any) -> None:
    """Users can neither assert their own address nor set a password without the current one (HH-08)."""
    refused: list[dict[str, Any]] = [
        {"username": f"root-{managed.tag}"},
        {"email": {"email": "x@mail.example", "isVerified": True}},
        {"email": {"email": "x@mail.example", "returnCode": {}}},
        {"phone": {"phone": "+41791234567", "isVerified": True}},
        {"password": {"password": {"password": "nine small sparrows"}}},
        {"password": {"hashedPassword": {"hash": "$2b$04$" + "a" * 53}}},
    ]

    assert (await update(managed, by="self", profile=PROFILE)).code == 0
    assert {(await update(managed, by="self", **members)).code for members in refused} == {7}
    assert (await managed.get(f"self-{managed.tag}")).body["user"]["details"]["sequence"] == "2"


async def test_taken_name_is_refused(managed: Any) -> None:
    """A taken name is refused in any spelling, and nothing else is changed (MG-08)."""
    refused = await update(managed, username=f"OWNER-{managed.tag}", profile=PROFILE)
    user = (await managed.get(f"self-{managed.tag}")).body["user"]

    assert (refused.code, refused.error_code) == (6, "USER-011")
    assert user["details"]["sequence"] == "1"


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"username": " x"}, "username"),
        ({"email": {"email": "nobody"}}, "email.email"),
        ({"phone": {"phone": "1"}}, "phone.phone"),
        ({"attributes": {"website": "javascript:alert(1)"}}, "attributes.website"),
        ({"password": {"password": {"password": "password1"}}}, "password.password.password"),
        ({"password": {"hashedPassword": {"hash": "plain"}}}, "password.hashedPassword.hash"),
        ({"profile": {"firstName": ""}}, "profile.firstName"),
    ],
)
async def test_invalid_value_is_refused_with_its_field(managed: Any, members: dict[str, Any], field: str) -> None:
    """The validation rules are those of the creation."""
    refused = await update(managed, **members)

    assert refused.code == 3
    assert refused.fields[0] == field


@pytest.mark.parametrize("member", ["state", "resourceOwner", "sequence", "roles", "_id", "__proto__", "grants"])
async def test_unknown_member_is_refused(managed: Any, member: str) -> None:
    """A member that is not in the message of the operation is refused (MG-05)."""
    assert (await update(managed, **{member: "x"})).code == 3
