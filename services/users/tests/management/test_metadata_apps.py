from __future__ import annotations

import json
from typing import Any

import pytest
from portico_contracts.users import GET_CLIENT_BY_URL, GIVE_CONSENT, GetClient, GiveConsent
from portico_fakes.management_api import call_as
from portico_runtime.http_client.outbound import OutboundResponse

pytestmark = pytest.mark.servers

POLICIES = "portico.management.v1.PolicyService"


async def test_applications_are_listed_and_turned_off(managed: Any) -> None:
    """The list has host, first and last use, and number of users; a deactivated application is unknown, whatever its
    document contains.
    """
    await managed.furnish("owner")
    world, host = managed.users, f"app.{managed.tag}.example"
    client_id = f"https://{host}/client.json"
    document = {"client_id": client_id, "client_name": "Agent", "redirect_uris": [f"https://{host}/cb"]}

    async def answer(*_: Any) -> OutboundResponse:
        return OutboundResponse(200, json.dumps(document).encode(), content_type="application/json")

    world.providers.answers[client_id] = answer
    accepted = {"hosts": [host], "projectId": f"p-owner-{managed.tag}"}
    added = await call_as(managed, f"{POLICIES}.AddCustomClientMetadataPolicy", accepted)
    given = GiveConsent(user_id=f"self-{managed.tag}", client_id=client_id, scopes=("openid",))
    await world.call(GIVE_CONSENT, given)
    listed = (await call_as(managed, f"{POLICIES}.ListMetadataApps", {})).body
    (app,) = listed["result"]
    path = f"/management/v1/projects/{app['projectId']}/apps/{app['id']}"
    changed = await call_as(managed, "portico.management.v1.AppService.UpdateApp", {"name": "x"}, path=path)
    off = await call_as(managed, "portico.management.v1.AppService.DeactivateApp", {}, path=f"{path}/_deactivate")
    (after,) = (await call_as(managed, f"{POLICIES}.ListMetadataApps", {})).body["result"]

    assert added.code == 0, added.body
    assert (app["name"], app["host"], app["clientId"], app["users"]) == ("Agent", host, client_id, "1")
    assert app["firstUsed"] == app["lastUsed"]
    assert changed.error_code == "USER-896"
    assert off.code == 0, off.body
    assert (app["state"], after["state"]) == ("APP_STATE_ACTIVE", "APP_STATE_INACTIVE")
    assert (await world.call(GET_CLIENT_BY_URL, GetClient(client_id=client_id))).client is None
