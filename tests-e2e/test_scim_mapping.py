"""A directory whose users sign in with their employee numbers, as the mapping of its connection has it."""

from __future__ import annotations

from typing import Any

import pytest
from portico_scenarios.participants import KnownUser
from portico_scenarios.relying_party import userinfo
from portico_scenarios.scim_provisioner import OF_SCIM, provisioner_of
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
OWN = "urn:ietf:params:scim:schemas:extension:acme:2.0:User"
PASSWORD = "a lantern over the quiet harbour"


async def test_mapped_user_signs_in(world: World) -> None:
    """With the mapped login name, on both gateways; the directory reads what it sent, and applications the metadata."""
    directory = await provisioner_of(world)
    owner, number = directory.owner, f"emp-{directory.owner.tag}"
    rows = [{"attribute": f"{OWN}:badge", "destination": "SCIM_DESTINATION_METADATA", "key": "badge"}]
    mapping = {"loginName": "SCIM_LOGIN_NAME_EMPLOYEE_NUMBER", "attributes": rows}
    path = f"/management/v1/scim/connections/{directory.id}/mapping"
    assert (await owner.json(f"{OF_SCIM}.SetScimMapping", {"mapping": mapping}, path=path)).code == 0

    sent = directory.person("ada", **{ENTERPRISE: {"employeeNumber": number}, OWN: {"badge": "B7"}})
    made = await directory.send("POST", "/Users", sent)
    assert made.status_code == 201, made.text
    shown: dict[str, Any] = made.json()
    secret, at = {"newPassword": {"password": PASSWORD}}, f"/v2/users/{shown['id']}/password"
    assert (await owner.json("portico.user.v2.UserService.SetPassword", secret, path=at)).code == 0
    tokens = await world.tokens_of(KnownUser(shown["id"], number, PASSWORD), "basic")
    claims = (await userinfo(world.http, world.metadata, tokens["access_token"])).json()
    listing, at = "portico.user.v2.UserService.ListUserMetadata", f"/v2/users/{shown['id']}/metadata/search"
    stored = {one["key"]: one["value"] for one in (await owner.json(listing, {}, path=at)).body["metadata"]}

    assert {name: shown[name] for name in ("userName", ENTERPRISE, OWN)} == {
        "userName": directory.mail("ada"),
        ENTERPRISE: {"employeeNumber": number},
        OWN: {"badge": "B7"},
    }
    assert claims["preferred_username"].startswith(number)
    assert stored["badge"] == "Qjc="
