from __future__ import annotations

import asyncio
from typing import Any

import pytest

from .scim_client import GROUP, PATCH, Provisioner


@pytest.fixture
async def client(managed: Any) -> Provisioner:
    return await Provisioner(managed).connect()


@pytest.fixture
async def people(client: Provisioner) -> list[str]:
    return [(await client.add(name))["id"] for name in ("ada", "grace", "mary")]


async def test_group_is_created_with_members(client: Provisioner, people: list[str]) -> None:
    """The members are people that the connection sent; the type may be missing (SCIM-SDK #419)."""
    made = await client.group(members=people[:2], externalId="g-1")
    found = await client.get(f"/Groups/{made['id']}")

    assert found == made
    assert sorted(one["value"] for one in found["members"]) == sorted(people[:2])
    assert (found["externalId"], found["meta"]["resourceType"]) == ("g-1", "Group")


@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        ([{"op": "Add", "path": "members", "value": [{"value": "2"}]}], "012"),
        ([{"op": "Add", "path": "members", "value": {"value": "2"}}], "012"),
        ([{"op": "Remove", "path": 'members[value eq "{1}"]'}], "0"),
        ([{"op": "Remove", "path": "members", "value": [{"value": "1"}]}], "0"),
        ([{"op": "remove", "path": "members"}], ""),
        ([{"op": "replace", "path": "members", "value": []}], ""),
        ([{"op": "replace", "path": "members", "value": [{"value": "2"}]}], "2"),
        ([{"op": "replace", "value": {"members": [{"value": "1"}, {"value": "2"}]}}], "12"),
        ([{"op": "add", "path": "members", "value": [{"value": "1"}]}], "01"),
        (
            [
                {"op": "remove", "path": 'members[value eq "{0}"]'},
                {"op": "add", "path": "members", "value": [{"value": "2", "type": "User"}]},
            ],
            "12",
        ),
    ],
)
async def test_members_change(
    client: Provisioner, people: list[str], operations: list[dict[str, Any]], expected: str
) -> None:
    """In both ways of removing a member, and with an empty list (SCIM-SDK #757)."""
    made = await client.group(members=people[:2])
    answer = await client.patch(f"/Groups/{made['id']}", *(_with_ids(one, people) for one in operations))

    assert (answer.status_code, answer.content) == (204, b"")
    assert sorted(await client.member_ids(made["id"])) == sorted(people[int(one)] for one in expected)


async def test_group_is_renamed(client: Provisioner, people: list[str]) -> None:
    """Okta sends the id with the name; the members stay."""
    made = await client.group(members=people)
    value = {"id": made["id"], "displayName": f"Crew {client.managed.tag}"}
    answer = await client.patch(f"/Groups/{made['id']}", {"op": "replace", "value": value})
    found = await client.get(f"/Groups/{made['id']}")

    assert answer.status_code == 204
    assert found["displayName"] == value["displayName"]
    assert len(found["members"]) == 3


async def test_group_is_replaced(client: Provisioner, people: list[str]) -> None:
    """Members that the body does not have stay, and an empty list removes them."""
    made = await client.group(members=people[:1])
    body = {"schemas": [GROUP], "displayName": made["displayName"]}
    kept = await client.send("PUT", f"/Groups/{made['id']}", body)
    emptied = await client.send("PUT", f"/Groups/{made['id']}", body | {"members": []})

    assert [one["value"] for one in kept.json()["members"]] == people[:1]
    assert "members" not in emptied.json()


@pytest.mark.parametrize(("tag", "status"), [('W/"1"', 412), ('"1"', 412), ("nonsense", 412), ("*", 204)])
@pytest.mark.parametrize("verb", ["PATCH", "PUT", "DELETE"])
async def test_no_version_of_a_group_matches(
    client: Provisioner, people: list[str], verb: str, tag: str, status: int
) -> None:
    """Groups have no ETag, so that If-Match refuses each change but of any version (RFC 9110 section 13.1.1)."""
    made = await client.group(members=people[:1])
    name, events = f"Crew {client.managed.tag}", await client.events()
    body: dict[str, Any] = {"schemas": [GROUP], "displayName": name, "members": []}
    if verb == "PATCH":
        body = {"schemas": [PATCH], "Operations": [{"op": "replace", "path": "displayName", "value": name}]}
    answer = await client.send(verb, f"/Groups/{made['id']}", body, headers={"If-Match": tag})

    assert "etag" not in answer.headers
    assert "version" not in made["meta"]
    if status == 412:
        assert (answer.status_code, "USER-219" in answer.json()["detail"]) == (412, True)
        assert (await client.get(f"/Groups/{made['id']}"), await client.events()) == (made, events)
    else:
        assert answer.status_code == (200 if verb == "PUT" else 204)
        assert await client.events() > events


async def test_unknown_member_changes_nothing(client: Provisioner, people: list[str]) -> None:
    """One member that the connection does not see refuses the whole request."""
    made = await client.group(members=people[:1])
    stranger = f"self-{client.managed.tag}"
    operation = {"op": "add", "path": "members", "value": [{"value": people[1]}, {"value": stranger}]}
    answer = await client.patch(f"/Groups/{made['id']}", operation)

    assert (answer.status_code, answer.json()["scimType"]) == (400, "invalidValue")
    assert await client.member_ids(made["id"]) == people[:1]


async def test_members_of_others_stay(client: Provisioner, people: list[str]) -> None:
    """A member that an administrator added is not seen and not removed."""
    made = await client.group(members=people[:1])
    name, own = "portico.management.v1.GroupService.AddGroupMember", f"self-{client.managed.tag}"
    path = f"/management/v1/groups/{made['id']}/members"
    added = await client.managed.api.json(name, {"userId": own}, token=client.managed.tokens["owner"], path=path)
    await client.patch(f"/Groups/{made['id']}", {"op": "replace", "path": "members", "value": []})
    (stored,) = await client.managed.users.rows("users", _id=own)

    assert added.code == 0
    assert await client.member_ids(made["id"]) == []
    assert [one["id"] for one in stored["groups"]] == [made["id"]]


async def test_concurrent_changes_lose_no_member(client: Provisioner, people: list[str]) -> None:
    """Each change is about its member, never about a list that was read before (fleet #50724)."""
    made = await client.group()
    operations = [{"op": "add", "path": "members", "value": [{"value": one}]} for one in people]
    answers = await asyncio.gather(*(client.patch(f"/Groups/{made['id']}", one) for one in operations))

    assert [one.status_code for one in answers] == [204] * 3
    assert sorted(await client.member_ids(made["id"])) == sorted(people)


async def test_members_are_left_out_on_request(client: Provisioner, people: list[str]) -> None:
    """Entra ID reads groups without their members."""
    made = await client.group(members=people)
    found = await client.get(f"/Groups/{made['id']}?excludedAttributes=members")
    listed = await client.get(
        f"/Groups?excludedAttributes=members&filter=displayName%20eq%20%22{made['displayName'].replace(' ', '%20')}%22"
    )

    assert "members" not in found
    assert [one["id"] for one in listed["Resources"]] == [made["id"]]
    assert "members" not in listed["Resources"][0]


async def test_membership_is_looked_up_by_filter(client: Provisioner, people: list[str]) -> None:
    made = await client.group(members=people[:1])
    path = f"/Groups?filter=id%20eq%20%22{made['id']}%22%20and%20members%20eq%20%22{{}}%22"

    found = [(await client.get(path.format(one)))["totalResults"] for one in people[:2]]
    assert found == [1, 0]


async def test_deleted_group_is_gone(client: Provisioner, people: list[str]) -> None:
    made = await client.group(members=people)
    answer = await client.send("DELETE", f"/Groups/{made['id']}")

    assert answer.status_code == 204
    assert (await client.send("GET", f"/Groups/{made['id']}")).status_code == 404
    await client.group()


async def test_existing_group_is_not_taken_over(client: Provisioner) -> None:
    """A group of the organization may give roles, which never come by SCIM: its name is a conflict."""
    tag, token = client.managed.tag, client.managed.tokens["owner"]
    body = {"name": f"Staff {tag}"}
    await client.managed.api.json("portico.management.v1.GroupService.AddGroup", body, token=token)
    answer = await client.send("POST", "/Groups", {"schemas": [GROUP], "displayName": f"Staff {tag}"})

    assert (answer.status_code, answer.json()["scimType"]) == (409, "uniqueness")


async def test_connections_race_for_a_group_and_a_user(managed: Any) -> None:
    """One connection gets the group or the user, the other one a conflict; the loser sees nothing of it."""
    one, other = await Provisioner(managed).connect(), await Provisioner(managed).connect(deletes=False)
    for number in range(5):
        group = {"schemas": [GROUP], "displayName": f"Raced {number} {managed.tag}"}
        person = one.person(f"raced{number}")
        for path, body in (("/Groups", group), ("/Users", person)):
            answers = await asyncio.gather(*(client.send("POST", path, body) for client in (one, other, one, other)))
            statuses = sorted(answer.status_code for answer in answers)
            listed = [(await client.get(path))["totalResults"] for client in (one, other)]

            assert statuses == [201, 409, 409, 409]
            assert sum(listed) == number + 1


def _with_ids(operation: dict[str, Any], people: list[str]) -> dict[str, Any]:
    def member(one: dict[str, str]) -> dict[str, str]:
        return one | {"value": people[int(one["value"])]}

    found = dict(operation)
    if "{" in found.get("path", ""):
        found["path"] = found["path"].format(*people)
    value = found.get("value")
    if isinstance(value, list):
        found["value"] = [member(one) for one in value]
    elif isinstance(value, dict):
        found["value"] = {"members": [member(one) for one in value["members"]]} if "members" in value else member(value)
    return found
