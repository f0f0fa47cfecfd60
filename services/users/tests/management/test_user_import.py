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


async def run(managed: Any, *rows: dict[str, Any], dry_run: bool = False) -> ApiResponse:
    response = await call_as(managed, IMPORT, {"rows": [json.dumps(one) for one in rows], "dryRun": dry_run})
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
