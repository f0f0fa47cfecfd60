"""ImportHumanUsers: many users in one call, with a result for each."""

from __future__ import annotations

import json
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

IMPORT = "portico.management.v1.UserService.ImportHumanUsers"


def row(managed: Any, name: str, **members: Any) -> dict[str, Any]:
    return {
        "username": f"{name}-{managed.tag}",
        "profile": {"givenName": name.title(), "familyName": "Possible"},
        "email": {"email": f"{name}@mail.example"},
        **members,
    }


async def run(managed: Any, *rows: dict[str, Any], dry_run: bool = False, **more: Any) -> ApiResponse:
    body = {"rows": [json.dumps(one) for one in rows], "dryRun": dry_run, **more}
    response = await call_as(managed, IMPORT, body)
    assert response.code == 0, response.body
    return response


def outcomes(response: ApiResponse) -> list[str]:
    return [one["outcome"].removeprefix("IMPORT_OUTCOME_") for one in response.body["result"]]


async def test_each_row_has_a_result(managed: Any) -> None:
    """A row with errors does not stop the others, and the caller is the actor of the events."""
    bad = row(managed, "bad", email={"email": "no address"}, phone={"phone": "none"})
    response = await run(managed, row(managed, "kim"), bad, row(managed, "ron"))
    [problems] = [one["problems"] for one in response.body["result"] if "problems" in one]
    user_id = response.body["result"][0]["userId"]
    [event] = await managed.users.rows("events", object=user_id)

    assert outcomes(response) == ["CREATED", "REFUSED", "CREATED"]
    assert [one["field"] for one in problems] == ["email.email", "phone.phone"]
    assert event["actor"] not in ("", "system")
    assert (await managed.get(user_id)).body["user"]["details"]["resourceOwner"] == managed.org_id


LIST = "portico.management.v1.EventService.ListEvents"


async def events(managed: Any, **conditions: Any) -> list[dict[str, Any]]:
    response = await call_as(managed, LIST, {**conditions, "query": {"limit": 50}}, path="")
    assert response.code == 0, response.body
    return list(response.body.get("result", ()))


async def test_import_is_one_event_with_the_number_of_its_users(managed: Any) -> None:
    """Requests with the same id are one import, of those who were created; its users are listed by its event."""
    bad = row(managed, "bad", email={"email": "no address"})
    await run(managed, row(managed, "kim"), bad, importId="spring")
    await run(managed, row(managed, "ron"), row(managed, "kim"), importId="spring")
    await run(managed, row(managed, "dan"), importId="summer")
    await run(managed, row(managed, "eve"))
    grouped = await events(managed, groupImports=True)
    [spring] = [one for one in grouped if one.get("payload", {}).get("count") == 2]
    users = await events(managed, importId=spring["id"])
    names = sorted(one["object"]["name"] for one in users)

    assert names == ["Kim Possible", "Ron Possible"]
    assert {one["type"] for one in users} == {"created"}
    assert spring["activity"] == "userImports.created"
    assert spring["summary"].endswith(" imported users")
    assert [one["activity"] for one in grouped if one["object"].get("name", "").endswith("Possible")] == [
        "users.created"
    ]


async def test_events_of_imported_users_are_listed_without_grouping(managed: Any) -> None:
    """As creations, by type and by activity; the history of a user begins with the import."""
    response = await run(managed, row(managed, "kim"), importId="spring")
    id = response.body["result"][0]["userId"]
    conditions: tuple[dict[str, Any], ...] = ({"types": ["created"]}, {"activities": ["users.created"]}, {})
    for one in conditions:
        [event] = await events(managed, aggregateId=id, **one)
        assert (event["type"], event["activity"]) == ("created", "users.imported")
    kinds = {one["aggregateType"] for one in await events(managed, aggregateTypes=["users"], groupImports=True)}

    assert kinds == {"userImports"} | (kinds & {"users"})


async def test_id_of_an_import_is_the_caller_s_own(managed: Any) -> None:
    """Another organization's import with the same id is another import."""
    await run(managed, row(managed, "kim"), importId="spring")
    body = {"rows": [json.dumps(row(managed, "ron"))], "importId": "spring"}
    assert (await call_as(managed, IMPORT, body, by="foreign")).code == 0

    counts = [
        one["values"]["count"] for one in await managed.users.rows("events", table="userImports", orgId=managed.org_id)
    ]
    assert counts == [1]


async def test_dry_run_creates_nothing(managed: Any) -> None:
    """The result is the one that the import would have; a repeated import leaves users unchanged."""
    rows = row(managed, "kim"), row(managed, "bad", email={"email": ""})
    before = await run(managed, *rows, dry_run=True)
    first, second = await run(managed, *rows), await run(managed, *rows)

    assert "userId" not in before.body["result"][0]
    assert [outcomes(one) for one in (before, first, second)] == [
        ["CREATED", "REFUSED"],
        ["CREATED", "REFUSED"],
        ["EXISTS", "REFUSED"],
    ]


@pytest.mark.parametrize("named", [{"orgId": "demo"}, {"orgDomain": "demo.localhost"}], ids=["id", "domain"])
async def test_row_of_another_organization_is_refused(managed: Any, named: dict[str, str]) -> None:
    """The permission is for one organization only, whatever a row names."""
    response = await run(managed, row(managed, "kim", organisation=named), dry_run=True)
    [problem] = response.body["result"][0]["problems"]

    assert (problem["field"], problem["id"]) == ("organisation", "USER-846")


async def test_users_of_other_organizations_are_not_compared(managed: Any) -> None:
    """A taken user name is refused without stating what else is equal."""
    mine = row(managed, "kim")
    await run(managed, mine)
    other = await call_as(managed, IMPORT, {"rows": [json.dumps(mine)], "dryRun": True}, by="foreign")
    [result] = other.body["result"]

    assert result["outcome"] == "IMPORT_OUTCOME_REFUSED"
    assert "userId" not in result
    assert "(organization)" in result["problems"][0]["text"]
