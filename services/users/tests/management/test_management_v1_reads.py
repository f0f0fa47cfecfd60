from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

OF = "portico.management.v1.UserService"


async def named(managed: Any, login_name: str, *, by: str = "owner", **more: Any) -> ApiResponse:
    body = {"loginName": login_name}
    return await call_as(managed, f"{OF}.GetUserByLoginNameGlobal", body, by=by, **more)


async def found(managed: Any, *, by: str = "owner", headers: Any = None, **body: Any) -> dict[str, Any]:
    response = await call_as(managed, f"{OF}.ListUsers", body, by=by, headers=headers)
    assert response.code == 0, response.body
    answer: dict[str, Any] = response.body
    return answer


def by_name(text: str) -> dict[str, Any]:
    return {"userNameQuery": {"userName": text, "method": "TEXT_QUERY_METHOD_STARTS_WITH"}}


@pytest.mark.parametrize("user", ["self", "robot"])
async def test_user_has_the_v1_format(managed: Any, user: str) -> None:
    """Users of both kinds have all values of `user.v2` under the names of v1."""
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
                "wayIn": "WAY_IN_STATE_NONE",
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


async def test_profile_email_and_phone_are_read_separately(managed: Any) -> None:
    """Each has its details; a phone number only if set; service users have none of them."""
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
async def test_user_is_found_by_login_name(managed: Any, user: str) -> None:
    """Login names match in any spelling and state, with or without the organization's domain, but not with
    another one.
    """
    id = f"{user}-{managed.tag}"
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": id}, {"$set": {"state": "inactive"}})
    names = [id, id.upper(), f"{id}@{managed.domain(managed.org_id)}"]
    response = [await named(managed, name, by="viewer") for name in names]
    elsewhere = await named(managed, f"{id}@{managed.domain(managed.other_org_id)}", by="iam")

    assert [one.body.get("user", {}).get("id") for one in response] == [id] * 3
    assert response[0].body["user"]["state"] == "USER_STATE_INACTIVE"
    assert elsewhere.error_code == "USER-315"


async def test_deleted_user_is_not_found_by_name(managed: Any) -> None:
    """Deleted users are found neither by name nor by address."""
    id, other = f"self-{managed.tag}", f"viewer-{managed.tag}"
    path, token = f"/v2/users/{id}", managed.tokens["owner"]
    before = await named(managed, f"{id}@people.example")
    await managed.api.json("portico.user.v2.UserService.DeleteUser", {}, token=token, path=path)
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": other}, {"$set": {"state": "deleted"}})
    after = [await named(managed, name, by="iam") for name in (id, f"{id}@people.example", f"{other}@people.example")]

    assert before.body["user"]["id"] == id
    assert [response.error_code for response in after] == ["USER-315"] * 3


async def test_lookup_reveals_nothing_about_other_orgs(managed: Any) -> None:
    """Users of other organizations count as unknown; a shared verified address finds the own organization's user
    (MG-04, MG-22).
    """
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


async def test_search_covers_one_organization(managed: Any) -> None:
    """The search covers the caller's organization or that of the header; totals count no others (MG-22)."""
    own = await found(managed)
    elsewhere = await found(managed, by="iam", headers={"x-service-orgid": managed.other_org_id})
    tag = managed.tag

    assert {user["id"] for user in own["result"]} == {
        f"{name}-{tag}" for name in ("owner", "viewer", "iam", "robot", "self")
    }
    assert own["details"]["totalResult"] == "5"
    assert [user["id"] for user in elsewhere["result"]] == [f"foreign-{tag}"]
    assert elsewhere["details"]["totalResult"] == "1"


async def test_search_is_paged_sorted_and_filtered(managed: Any) -> None:
    query, column = {"offset": 1, "limit": 2, "asc": True}, "USER_FIELD_NAME_USER_NAME"
    page = await found(managed, query=query, sortingColumn=column)
    few = await found(managed, queries=[by_name("self"), {"typeQuery": {"type": "TYPE_HUMAN"}}])
    none = await found(managed, queries=[by_name("self"), {"typeQuery": {"type": "TYPE_MACHINE"}}])

    assert [user["userName"] for user in page["result"]] == [f"owner-{managed.tag}", f"robot-{managed.tag}"]
    assert (page["details"]["totalResult"], page["sortingColumn"]) == ("5", column)
    assert [user["id"] for user in few["result"]] == [f"self-{managed.tag}"]
    assert "result" not in none
