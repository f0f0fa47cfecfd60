"""A project and its first application are created in one call, or neither."""

from __future__ import annotations

from typing import Any, Final

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

SET_UP: Final = "portico.management.v1.ProjectService.SetUpProject"
BOTS: Final = "portico.management.v1.ServiceUserService.AddMachineUser"
CODE: Final = {
    "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"],
    "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
    "authMethodType": "OIDC_AUTH_METHOD_TYPE_BASIC",
}


@pytest.fixture
async def owner(managed: Any) -> Any:
    await managed.furnish("owner")
    return managed


async def set_up(owner: Any, *uris: str, name: str = "Shop") -> ApiResponse:
    app: dict[str, Any] = {
        "name": "Web",
        "redirectUris": list(uris),
        "rolesClaim": "roles",
        "groupsClaim": "groups",
        **CODE,
    }
    app["idTokenUserinfoAssertion"] = True
    return await call_as(owner, SET_UP, {"name": f"{name} {owner.tag}", "oidcApp": app}, by="owner")


async def test_both_are_created(owner: Any) -> None:
    response = await set_up(owner, "https://app.example/cb")
    [app] = await owner.users.rows("apps", clientId=response.body["clientId"])

    assert response.code == 0, response.body
    assert response.body["clientSecret"]
    assert (app["projectId"], app["_id"]) == (response.body["id"], response.body["appId"])
    assert app["redirectUris"] == ["https://app.example/cb"]
    assert (app["rolesClaim"], app["groupsClaim"]) == ("roles", "groups")
    assert app["idTokenUserinfoAssertion"] is True


async def test_refused_application_leaves_no_project(owner: Any) -> None:
    """The corrected retry succeeds under the same name."""
    refused = await set_up(owner, "http://app.example/cb")
    left = await owner.users.rows("projects", name=f"Shop {owner.tag}")
    retried = await set_up(owner, "https://app.example/cb")

    assert refused.fields == ["oidcApp.redirectUris[0]"]
    assert left == []
    assert retried.code == 0, retried.body


async def test_name_in_use_leaves_no_application(owner: Any) -> None:
    await set_up(owner, "https://app.example/cb")
    refused = await set_up(owner, "https://other.example/cb")

    assert refused.code == 6
    assert await owner.users.rows("apps", redirectUris="https://other.example/cb") == []


async def test_refused_document_leaves_no_project(owner: Any) -> None:
    """`portico app add` applies a document with both, so it leaves nothing behind either."""
    app = {"name": "Web", "clientId": f"web-{owner.tag}", "redirectUris": ["http://app.example/cb"]}
    project = {"name": f"Declared {owner.tag}", "oidcApps": [app]}
    with pytest.raises(ServiceError, match="redirectUris"):
        await owner.users.apply_document(
            {"organizations": [{"id": owner.org_id, "name": owner.org_id, "projects": [project]}]}
        )

    assert await owner.users.rows("projects", name=f"Declared {owner.tag}") == []


async def test_application_without_users(owner: Any) -> None:
    body = {"name": f"Prices {owner.tag}", "apiApp": {"name": "API"}}
    response = await call_as(owner, SET_UP, body, by="owner")
    [app] = await owner.users.rows("apps", clientId=response.body["clientId"])

    assert (app["kind"], app["name"]) == ("api", "API")


async def test_service_user_is_created_with_its_secret(owner: Any) -> None:
    """The response has the secret; without generate_secret, the service user has none."""
    bodies = [
        await call_as(
            owner, BOTS, {"userName": f"{name}-{owner.tag}", "name": name, "generateSecret": wanted}, by="owner"
        )
        for name, wanted in (("with", True), ("without", False))
    ]
    stored = [(await owner.users.rows("users", _id=one.body["userId"]))[0].get("secretHash", "") for one in bodies]

    assert [bool(one.body.get("clientSecret")) for one in bodies] == [True, False]
    assert [bool(one) for one in stored] == [True, False]
