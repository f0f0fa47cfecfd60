"""Users without a last name (decision 0115): required where the API creates one, and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from portico_contracts.users import GET_CLAIMS, GetClaims
from portico_fakes.management_api import call_as

pytestmark = pytest.mark.servers

V1 = "portico.management.v1.UserService"
EMAIL = {"email": "ada@mail.example", "isVerified": True}


@pytest.mark.parametrize("profile", [{"firstName": "Ada"}, {"firstName": "Ada", "lastName": ""}])
async def test_creation_by_the_api_requires_a_last_name(managed: Any, profile: dict[str, str]) -> None:
    v2 = await managed.add(managed.new_human(profile=profile))
    body = {"userName": f"ada-{managed.tag}", "profile": profile, "email": {"email": EMAIL["email"]}}
    v1 = await call_as(managed, f"{V1}.AddHumanUser", body)

    assert [(one.error_code, one.fields) for one in (v2, v1)] == [("USER-303", ["profile.lastName"])] * 2


@pytest.mark.parametrize("profile", [{"firstName": "Ada"}, {"firstName": "Ada", "lastName": ""}, {"firstName": "Ada", "lastName": None}])  # fmt: skip
async def test_imported_user_has_one_name(managed: Any, profile: dict[str, Any]) -> None:
    """The display name is the first name, and there is no claim of the family name."""
    row = {"username": f"ada-{managed.tag}", "profile": profile, "email": EMAIL}
    [result] = (await call_as(managed, f"{V1}.ImportHumanUsers", {"rows": [json.dumps(row)]})).body["result"]
    read = (await managed.get(result["userId"])).body["user"]["human"]["profile"]
    claims = (await managed.users.call(GET_CLAIMS, GetClaims(user_id=result["userId"]))).claims

    assert result["outcome"] == "IMPORT_OUTCOME_CREATED"
    assert read == {"firstName": "Ada", "displayName": "Ada"}
    assert (claims["name"], claims["given_name"]) == ("Ada", "Ada")
    assert "family_name" not in claims


async def test_one_imported_user_has_one_name(managed: Any) -> None:
    body = {"userName": f"ada-{managed.tag}", "profile": {"firstName": "Ada"}, "email": {"email": EMAIL["email"]}}
    imported = await call_as(managed, f"{V1}.ImportHumanUser", body)

    assert imported.code == 0, imported.body
    assert "lastName" not in (await managed.get(imported.body["userId"])).body["user"]["human"]["profile"]


@pytest.mark.parametrize("method", [f"{V1}.UpdateHumanProfile", "portico.user.v2.UserService.UpdateHumanUser"])
async def test_last_name_is_removed_by_a_change(managed: Any, method: str) -> None:
    user_id, is_v1 = f"self-{managed.tag}", method.startswith(V1)
    profile = {"firstName": "Ada", "lastName": ""}
    path = f"/management/v1/users/{user_id}/profile" if is_v1 else f"/v2/users/human/{user_id}"
    changed = await call_as(managed, method, profile if is_v1 else {"profile": profile}, path=path)
    read = (await managed.get(user_id)).body["user"]["human"]["profile"]

    assert changed.code == 0, changed.body
    assert read == {"firstName": "Ada", "displayName": "Ada"}
