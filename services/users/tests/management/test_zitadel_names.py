"""The methods of ZITADEL's SDKs, below ``/zitadel.``, in the JSON that they send (decision 0105)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from portico_fakes.management_api import ApiResponse, read_connect

pytestmark = pytest.mark.servers

USERS: Final = "zitadel.user.v2.UserService"


async def call(managed: Any, method: str, members: dict[str, Any], *, by: str = "owner") -> ApiResponse:
    headers = {"Authorization": f"Bearer {managed.tokens[by]}"}
    answer = await managed.api.http.post(f"/{method.replace(':', '/')}", json=members, headers=headers)
    return ApiResponse(0, answer.json()) if answer.status_code == 200 else read_connect(answer)


def ada(managed: Any, name: str = "ada") -> dict[str, Any]:
    return {
        "userId": f"{name}-{managed.tag}",
        "username": f"{name}.{managed.tag}",
        "organization": {"orgId": managed.org_id},
        "profile": {"givenName": "Ada", "familyName": "Byron"},
        "email": {"email": f"{name}-{managed.tag}@mail.example", "isVerified": True},
    }


async def test_user_is_created_and_read_by_the_names_of_the_sdk(managed: Any) -> None:
    created = await call(managed, f"{USERS}:AddHumanUser", ada(managed))
    got = await call(managed, f"{USERS}:GetUserByID", {"userId": created.body["userId"]})
    conditions = [{"inUserIdsQuery": {"userIds": [created.body["userId"]]}}]
    listed = await call(managed, f"{USERS}:ListUsers", {"queries": conditions})

    assert got.body["user"]["human"]["profile"]["givenName"] == "Ada"
    assert "firstName" not in got.body["user"]["human"]["profile"]
    assert [one["userId"] for one in listed.body["result"]] == [created.body["userId"]]
    assert listed.body["details"].keys() == {"totalResult", "processedSequence", "timestamp"}
