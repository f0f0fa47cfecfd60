"""The requests of directories, in their order and with their members, as their documentation shows them.

Entra ID: learn.microsoft.com, "Develop a SCIM endpoint". Okta: developer.okta.com, "SCIM 2.0 protocol". Google: the
requests that its automatic provisioning sends for users.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import httpx
import pytest

from .scim_client import ENTERPRISE, GROUP, PATCH, USER, Provisioner

AD_GROUP = "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"
OKTA = {"Content-Type": "application/scim+json; charset=utf-8", "Accept": "application/scim+json"}
ENTRA = {"Content-Type": "application/scim+json; charset=utf-8", "Accept": "*/*"}
GOOGLE = {"Content-Type": "application/json", "Accept": "application/json"}


class Recorder:
    """Sends requests with the headers of one directory, and returns the statuses of the answers."""

    def __init__(self, client: Provisioner, headers: dict[str, str]) -> None:
        self.client = client
        self.headers = headers
        self.statuses: list[int] = []

    async def send(self, verb: str, path: str, body: Any = None) -> httpx.Response:
        answer = await self.client.send(verb, path, body, headers=dict(self.headers))
        self.statuses.append(answer.status_code)
        return answer

    async def find(self, kind: str, filter: str, more: str = "") -> Any:
        answer = await self.send("GET", f"/{kind}?filter={quote(filter)}{more}")
        return [one["id"] for one in answer.json()["Resources"]]

    async def patch(self, path: str, *operations: dict[str, Any]) -> httpx.Response:
        return await self.send("PATCH", path, {"schemas": [PATCH], "Operations": list(operations)})


@pytest.fixture
async def client(managed: Any) -> Provisioner:
    return await Provisioner(managed).connect()


def entra_user(client: Provisioner) -> dict[str, Any]:
    return {
        "schemas": [USER, ENTERPRISE],
        "externalId": "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
        "userName": client.mail("test_user"),
        "active": True,
        "addresses": [{"primary": False, "type": "work", "country": "Korea", "formatted": "Seoul", "region": "02"}],
        "displayName": "lennay",
        "emails": [{"type": "work", "value": client.mail("testing"), "primary": True}],
        "meta": {"resourceType": "User"},
        "name": {"formatted": "Adrienne McDermott", "familyName": "McDermott", "givenName": "Adrienne"},
        "phoneNumbers": [{"type": "work", "value": "11-2222-3333"}, {"primary": True, "type": "mobile", "value": "1"}],
        "preferredLanguage": "ko-KR",
        "title": "Engineer",
        "roles": [],
        ENTERPRISE: {"employeeNumber": "701984", "department": "Sales", "manager": {"value": "manager-1"}},
    }


async def test_entra_sends_a_user(client: Provisioner) -> None:
    """Connection test, matching, creation, changes, soft deletion, and DELETE 30 days later."""
    entra = Recorder(client, ENTRA)
    nobody = await entra.find("Users", 'userName eq "ce8d2e1c-6f2d-4b0c-8e4c-3e0f3c9c7a10"')
    made = (await entra.send("POST", "/Users", entra_user(client))).json()
    path = f"/Users/{made['id']}"
    found = await entra.find("Users", f'userName eq "{client.mail("Test_User")}"')
    by_id = await entra.find("Users", f'externalId eq "{made["externalId"]}"')
    updated = await entra.patch(
        path,
        {"op": "Replace", "path": 'emails[type eq "work"].value', "value": client.mail("updated")},
        {"op": "Replace", "path": "name.familyName", "value": "updatedFamilyName"},
        {"op": "Add", "path": f"{ENTERPRISE}:department", "value": "Research"},
        {"op": "Add", "path": f"{ENTERPRISE}:manager", "value": "manager-2"},
    )
    renamed = await entra.patch(path, {"op": "Replace", "path": "userName", "value": client.mail("renamed")})
    disabled = await entra.patch(path, {"op": "Replace", "path": "active", "value": "False"})
    shown = await entra.send("GET", path)
    deleted = await entra.send("DELETE", path)
    gone = await entra.send("GET", path)

    assert entra.statuses == [200, 201, 200, 200, 200, 200, 200, 200, 204, 404]
    assert (nobody, found, by_id) == ([], [made["id"]], [made["id"]])
    assert updated.json()["emails"][0]["value"] == client.mail("updated")
    assert updated.json()[ENTERPRISE]["manager"]["value"] == "manager-2"
    assert renamed.json()["userName"] == client.mail("renamed")
    assert [disabled.json()["active"], shown.json()["active"]] == [False, False]
    assert (deleted.content, gone.json()["schemas"]) == (b"", ["urn:ietf:params:scim:api:messages:2.0:Error"])


async def test_entra_sends_a_group(client: Provisioner) -> None:
    """Entra ID adds its own schema, sends members with an empty reference, and reads groups without members."""
    entra, member = Recorder(client, ENTRA), (await client.add())["id"]
    name = f"Sales {client.managed.tag}"
    body = {"schemas": [GROUP, AD_GROUP], "externalId": "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159", "displayName": name}
    made = (await entra.send("POST", "/Groups", {**body, "meta": {"resourceType": "Group"}})).json()
    path, without = f"/Groups/{made['id']}", "&excludedAttributes=members"
    await entra.send("GET", f"{path}?excludedAttributes=members")
    found = await entra.find("Groups", f'displayName eq "{name}"', without)
    await entra.patch(path, {"op": "Replace", "path": "displayName", "value": f"{name} 2"})
    one = [{"$ref": None, "value": member}]
    await entra.patch(path, {"op": "Add", "path": "members", "value": one})
    is_member = await entra.find("Groups", f'id eq "{made["id"]}" and members eq "{member}"', without)
    await entra.patch(path, {"op": "Remove", "path": "members", "value": one})
    is_none = await entra.find("Groups", f'id eq "{made["id"]}" and members eq "{member}"', without)
    await entra.send("DELETE", path)

    assert entra.statuses == [201, 200, 200, 204, 204, 200, 204, 200, 204]
    assert (found, is_member, is_none) == ([made["id"]], [made["id"]], [])


def okta_user(client: Provisioner) -> dict[str, Any]:
    return {
        "schemas": [USER],
        "userName": client.mail("test.user"),
        "name": {"givenName": "Test", "familyName": "User"},
        "emails": [{"primary": True, "value": client.mail("test.user"), "type": "work"}],
        "displayName": "Test User",
        "locale": "en-US",
        "externalId": "00ujl29u0le5T6Aj10h7",
        "groups": [],
        "password": "1mz050nq",
        "active": True,
    }


async def test_okta_sends_a_user(client: Provisioner) -> None:
    """Test of the credentials, creation, profile push by PUT, password by PATCH, deactivation and reactivation."""
    okta = Recorder(client, OKTA)
    await okta.send("GET", "/Users?startIndex=1&count=2")
    nobody = await okta.find("Users", f'userName eq "{client.mail("test.user")}"', "&startIndex=1&count=100")
    made = (await okta.send("POST", "/Users", okta_user(client))).json()
    path = f"/Users/{made['id']}"
    whole = (await okta.send("GET", path)).json()
    put = await okta.send("PUT", path, {**whole, "name": {**whole["name"], "givenName": "Another"}, "groups": []})
    await okta.patch(path, {"op": "replace", "value": {"password": "7elnY8"}})
    off = await okta.patch(path, {"op": "replace", "value": {"active": False}})
    on = await okta.patch(path, {"op": "replace", "value": {"active": True}})
    again = await okta.send("POST", "/Users", okta_user(client))

    assert okta.statuses == [200, 200, 201, 200, 200, 200, 200, 200, 409]
    assert (nobody, put.json()["name"]["givenName"]) == ([], "Another")
    assert [off.json()["active"], on.json()["active"]] == [False, True]
    assert again.json()["scimType"] == "uniqueness"


async def test_okta_pushes_a_group(client: Provisioner) -> None:
    """Group push: creation, name with the id, members one by one, as a whole, mixed, by PUT, and deletion."""
    okta = Recorder(client, OKTA)
    ada, grace = [(await client.add(name))["id"] for name in ("ada", "grace")]
    name = f"Pushed {client.managed.tag}"
    await okta.send("GET", "/Groups?startIndex=1&count=100")
    await okta.find("Groups", f'displayName eq "{name}"', "&startIndex=1&count=100")
    made = (await okta.send("POST", "/Groups", {"schemas": [GROUP], "displayName": name, "members": []})).json()
    path = f"/Groups/{made['id']}"
    await okta.patch(path, {"op": "replace", "value": {"id": made["id"], "displayName": f"{name} 2"}})
    member = {"value": ada, "display": client.mail("ada")}
    await okta.patch(path, {"op": "add", "path": "members", "value": [member]})
    await okta.patch(
        path,
        {"op": "remove", "path": f'members[value eq "{ada}"]'},
        {"op": "add", "path": "members", "value": [{"value": grace}]},
    )
    after_mixed = await client.member_ids(made["id"])
    await okta.patch(path, {"op": "replace", "path": "members", "value": [member, {"value": grace}]})
    after_whole = await client.member_ids(made["id"])
    await okta.patch(path, {"op": "replace", "path": "members", "value": []})
    body = {"schemas": [GROUP], "id": made["id"], "displayName": f"{name} 3", "members": [member]}
    put = await okta.send("PUT", path, body)
    await okta.send("DELETE", path)

    assert okta.statuses == [200, 200, 201, 204, 204, 204, 204, 204, 200, 204]
    assert (after_mixed, sorted(after_whole)) == ([grace], sorted([ada, grace]))
    assert [one["value"] for one in put.json()["members"]] == [ada]


async def test_google_sends_a_user(client: Provisioner) -> None:
    """Google sends plain JSON, users alone, suspends by PATCH, and deletes in the end."""
    google = Recorder(client, GOOGLE)
    nobody = await google.find("Users", f'userName eq "{client.mail("ada")}"')
    sent = client.person("ada", externalId="115011100000000000001", addresses=[{"type": "work", "locality": "Zug"}])
    made = (await google.send("POST", "/Users", sent)).json()
    path = f"/Users/{made['id']}"
    moved = await google.patch(path, {"op": "replace", "value": {"name": {"familyName": "King"}, "title": "Countess"}})
    off = await google.patch(path, {"op": "replace", "path": "active", "value": False})
    await google.send("DELETE", path)

    assert google.statuses == [200, 201, 200, 200, 204]
    assert nobody == []
    assert (moved.json()["name"]["familyName"], moved.json()["title"]) == ("King", "Countess")
    assert off.json()["active"] is False
