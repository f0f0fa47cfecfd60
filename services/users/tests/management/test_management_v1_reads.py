"""Users as older clients read them, by the permissions that hold for all."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

OF = "portico.management.v1.UserService"


async def named(managed: Any, login_name: str, *, by: str = "owner", **more: Any) -> ApiResponse:
    """Looks for a login name."""
    body = {"loginName": login_name}
    return await call_as(managed, f"{OF}.GetUserByLoginNameGlobal", body, by=by, **more)


async def found(managed: Any, *, by: str = "owner", headers: Any = None, **body: Any) -> dict[str, Any]:
    """What a search answers."""
    response = await call_as(managed, f"{OF}.ListUsers", body, by=by, headers=headers)
    assert response.code == 0, response.body
    answer: dict[str, Any] = response.body
    return answer


def by_name(text: str) -> dict[str, Any]:
    """A condition."""
    return {"userNameQuery": {"userName": text, "method": "TEXT_QUERY_METHOD_STARTS_WITH"}}


@pytest.mark.parametrize("user", ["self", "robot"])
async def test_a_user_has_the_management_v1_shape(managed: Any, user: str) -> None:
    """All values of `user.v2` under the names of v1; of either kind of user."""
    id = f"{user}-{managed.tag}"
    phone = {"phone": "+41791234567", "isVerified": True}
    path = f"/v2/users/{id}/phone"
    await call_as(managed, "portico.user.v2.UserService.SetPhone", phone, path=path)
    newer = (await managed.get(id)).body["user"]
    response = await call_as(managed, f"{OF}.GetUserByID", {}, by="viewer", path=f"/management/v1/users/{id}")
    email = {"email": f"{id}@people.example", "isEmailVerified": True}
    kinds = {
        "self": {
            "human": {
                "profile": newer.get("human", {}).get("profile"),
                "email": email,
                "phone": {"phone": "+41791234567", "isPhoneVerified": True},
            }
        },
        "robot": {"machine": newer.get("machine")},
    }

    assert response.body["user"] == {
        "id": id,
        "details": newer["details"],
        "state": "USER_STATE_ACTIVE",
        "userName": id,
        "loginNames": newer["loginNames"],
        "preferredLoginName": f"{id}@{managed.domain(managed.org_id)}",
        **kinds[user],
    }


async def test_parts_of_a_human_are_read_alone(managed: Any) -> None:
    """Each with its details; a number only where there is one; a service user has none of them."""
    token, tails = managed.tokens["self"], {"Profile": "profile", "Email": "email", "Phone": "phone"}
    newer = (await managed.get(f"self-{managed.tag}")).body["user"]
    path = "/management/v1/users/{}-{}/{}"
    response = {
        name: await managed.api.json(
            f"{OF}.GetHuman{name}", {}, token=token, path=path.format("self", managed.tag, tail)
        )
        for name, tail in tails.items()
    }
    of_robot = [
        (await call_as(managed, f"{OF}.GetHuman{name}", {}, path=path.format("robot", managed.tag, tail))).error_code
        for name, tail in tails.items()
    ]

    assert response["Profile"].body == {"details": newer["details"], "profile": newer["human"]["profile"]}
    email = {"email": newer["human"]["email"]["email"], "isEmailVerified": True}
    assert response["Email"].body == {"details": newer["details"], "email": email}
    assert response["Phone"].body == {"details": newer["details"]}
    assert of_robot == ["USER-506"] * 3


@pytest.mark.parametrize("user", ["self", "robot"])
async def test_a_login_name_finds_its_user(managed: Any, user: str) -> None:
    """In any spelling, with the domain of the organization or without, in whatever state; not with another domain."""
    id = f"{user}-{managed.tag}"
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": id}, {"$set": {"state": "inactive"}})
    names = [id, id.upper(), f"{id}@{managed.domain(managed.org_id)}"]
    response = [await named(managed, name, by="viewer") for name in names]
    elsewhere = await named(managed, f"{id}@{managed.domain(managed.other_org_id)}", by="iam")

    assert [one.body.get("user", {}).get("id") for one in response] == [id] * 3
    assert response[0].body["user"]["state"] == "USER_STATE_INACTIVE"
    assert elsewhere.error_code == "USER-315"


async def test_a_deleted_user_is_not_found_by_name(managed: Any) -> None:
    """Neither by name nor by address, whatever is left of it."""
    id, other = f"self-{managed.tag}", f"viewer-{managed.tag}"
    path, token = f"/v2/users/{id}", managed.tokens["owner"]
    before = await named(managed, f"{id}@people.example")
    await managed.api.json("portico.user.v2.UserService.DeleteUser", {}, token=token, path=path)
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": other}, {"$set": {"state": "deleted"}})
    after = [await named(managed, name, by="iam") for name in (id, f"{id}@people.example", f"{other}@people.example")]

    assert before.body["user"]["id"] == id
    assert [response.error_code for response in after] == ["USER-315"] * 3


async def test_a_name_discloses_nothing_of_other_organizations(managed: Any) -> None:
    """A foreign user has the answer of an unknown one; an address another user proved too finds one's own (MG-04, MG-22)."""
    mail = f"self-{managed.tag}@people.example"
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": f"foreign-{managed.tag}"}, {"$set": {"verifiedMailKey": mail}})
    foreign = await named(managed, f"foreign-{managed.tag}")
    nobody = await named(managed, f"nobody-{managed.tag}")
    own = await named(managed, mail)
    everywhere = await named(managed, mail, by="iam")
    by_header = await named(managed, mail, by="iam", headers={"x-service-orgid": managed.org_id})

    assert foreign == nobody
    assert foreign.error_code == "USER-315"
    assert own.body["user"]["id"] == by_header.body["user"]["id"] == f"self-{managed.tag}"
    assert everywhere.error_code == "USER-315"


async def test_a_search_is_about_one_organization(managed: Any) -> None:
    """One's own, or the one of the header; totals count no others (MG-22)."""
    own = await found(managed)
    elsewhere = await found(managed, by="iam", headers={"x-service-orgid": managed.other_org_id})
    tag = managed.tag

    assert {user["id"] for user in own["result"]} == {
        f"{name}-{tag}" for name in ("owner", "viewer", "iam", "robot", "self")
    }
    assert own["details"]["totalResult"] == "5"
    assert [user["id"] for user in elsewhere["result"]] == [f"foreign-{tag}"]
    assert elsewhere["details"]["totalResult"] == "1"


async def test_a_search_is_paged_sorted_and_narrowed(managed: Any) -> None:
    """By the conditions of the newer list."""
    query, column = {"offset": 1, "limit": 2, "asc": True}, "USER_FIELD_NAME_USER_NAME"
    page = await found(managed, query=query, sortingColumn=column)
    few = await found(managed, queries=[by_name("self"), {"typeQuery": {"type": "TYPE_HUMAN"}}])
    none = await found(managed, queries=[by_name("self"), {"typeQuery": {"type": "TYPE_MACHINE"}}])

    assert [user["userName"] for user in page["result"]] == [f"owner-{managed.tag}", f"robot-{managed.tag}"]
    assert (page["details"]["totalResult"], page["sortingColumn"]) == ("5", column)
    assert [user["id"] for user in few["result"]] == [f"self-{managed.tag}"]
    assert "result" not in none
