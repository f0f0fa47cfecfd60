from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest

from .scim_client import ENTERPRISE, Provisioner


@pytest.fixture
async def client(managed: Any) -> Provisioner:
    return await Provisioner(managed).connect()


async def test_user_is_created_and_read_back(client: Provisioner) -> None:
    """The answer has what was sent, our id, the address of the resource and its version (RFC 7644 section 3.3)."""
    sent = client.person(
        displayName="Ada B.", title="Countess", phoneNumbers=[{"value": "+44 20 7946 0000", "type": "work"}]
    )
    sent[ENTERPRISE] = {"department": "Engines", "manager": {"value": "m-1"}}
    answer = await client.send("POST", "/Users", sent)
    made = answer.json()

    assert answer.status_code == 201
    assert answer.headers["content-type"] == "application/scim+json"
    assert answer.headers["location"] == made["meta"]["location"]
    assert made == await client.get(f"/Users/{made['id']}")
    assert {name: made[name] for name in sent if name not in ("schemas", "name")} == {
        name: value for name, value in sent.items() if name not in ("schemas", "name")
    }
    assert answer.headers["etag"] == made["meta"]["version"] == 'W/"1"'


@pytest.mark.parametrize("path", ["active", "other"])
async def test_leaver_is_signed_out_before_the_answer(client: Provisioner, path: str) -> None:
    """Deactivation ends sessions and tokens, and so does a deletion, which only deactivates."""
    made = await client.add()
    client.managed.api.ended.clear()
    if path == "active":
        await client.patch(f"/Users/{made['id']}", {"op": "Replace", "path": "active", "value": "False"})
    else:
        await client.send("DELETE", f"/Users/{made['id']}")
    (stored,) = await client.managed.users.rows("users", _id=made["id"])

    assert stored["state"] == "inactive"
    assert sorted(client.managed.api.ended) == [("grants", made["id"]), ("sessions", made["id"])]


async def test_deleted_user_is_taken_up_again(client: Provisioner) -> None:
    """The connection no longer sees the account, until it creates the user again."""
    made = await client.add()
    await client.send("DELETE", f"/Users/{made['id']}")
    gone = await client.send("GET", f"/Users/{made['id']}")
    back = await client.add()

    assert gone.status_code == 404
    assert (back["id"], back["active"], back["externalId"]) == (made["id"], True, "ada-external")


async def test_connection_may_delete(managed: Any) -> None:
    client = await Provisioner(managed).connect(deletes=True)
    made = await client.add()
    await client.send("DELETE", f"/Users/{made['id']}")
    (stored,) = await managed.users.rows("users", _id=made["id"])

    assert stored["state"] == "deleted"
    assert "Byron" not in str(stored)


async def test_second_synchronization_writes_nothing(client: Provisioner) -> None:
    """The same users and groups a second time are no change and no event."""
    made = [await client.add(f"user{number}", title="Engineer") for number in range(100)]
    group = await client.group(members=[one["id"] for one in made])
    before = await client.events()
    for number, one in enumerate(made):
        sent = client.person(f"user{number}", title="Engineer")
        assert (await client.send("PUT", f"/Users/{one['id']}", sent)).status_code == 200
        values = [{"op": "Replace", "path": name, "value": sent[name]} for name in ("title", "active", "externalId")]
        assert (await client.patch(f"/Users/{one['id']}", *values)).status_code == 200
    members = [{"value": one["id"]} for one in made]
    await client.patch(f"/Groups/{group['id']}", {"op": "add", "path": "members", "value": members})
    await client.send("PUT", f"/Groups/{group['id']}", {"displayName": group["displayName"], "members": members})

    assert await client.events() == before


@pytest.mark.parametrize(
    ("tag", "status"), [('W/"1"', 200), ('"1"', 200), ("*", 200), ('W/"7"', 412), ("nonsense", 412)]
)
async def test_change_of_a_version(client: Provisioner, tag: str, status: int) -> None:
    """If-Match refuses a change of another version (RFC 7644 section 3.14)."""
    made = await client.add()
    sent = client.person(title="Countess")
    answer = await client.send("PUT", f"/Users/{made['id']}", sent, headers={"If-Match": tag})
    unchanged = await client.send(
        "GET", f"/Users/{made['id']}", headers={"If-None-Match": answer.headers.get("etag", "")}
    )

    assert answer.status_code == status
    assert unchanged.status_code == (304 if status == 200 else 200)


async def test_lists_by_index_and_cursor(client: Provisioner) -> None:
    """Both kinds of pages have each user once (RFC 7644 section 3.4.2.4, RFC 9865)."""
    made = {(await client.add(f"user{number}"))["id"] for number in range(5)}
    second = await client.get("/Users?startIndex=3&count=2")
    cursor: str | None = ""
    found = list[str]()
    while cursor is not None:
        page = await client.get(f"/Users?cursor={cursor}&count=2")
        found += [one["id"] for one in page["Resources"]]
        cursor = page.get("nextCursor")
    searched = await client.send("POST", "/Users/.search", {"count": 3, "attributes": ["userName"]})

    assert (second["totalResults"], second["startIndex"], second["itemsPerPage"]) == (5, 3, 2)
    assert (len(found), set(found)) == (5, made)
    assert set(searched.json()["Resources"][0]) == {"schemas", "id", "userName"}
    assert (await client.send("GET", "/Users?cursor=%21")).json()["scimType"] == "invalidCursor"
    assert (await client.get("/Users?count=0"))["totalResults"] == 5


async def test_answers_have_the_requested_attributes(client: Provisioner) -> None:
    made = await client.add(title="Countess")
    path = f"/Users/{made['id']}"
    some = await client.get(f"{path}?attributes=userName,name.givenName,emails.value")
    others = await client.get(f"{path}?excludedAttributes=emails,name.givenName,id")

    assert some["name"] == {"givenName": "Ada"}
    assert some["emails"] == [{"value": client.mail("ada")}]
    assert set(some) == {"schemas", "id", "userName", "name", "emails"}
    assert set(made) - set(others) == {"emails"}
    assert others["name"] == {"familyName": "Byron"}


@pytest.mark.parametrize(
    ("content", "media", "status", "scim_type"),
    [
        (b"{", "application/scim+json", 400, "invalidSyntax"),
        (b"[]", "application/scim+json", 400, "invalidValue"),
        (b"{}", "application/json", 400, "invalidValue"),
        (b'{"userName": "a", "userName": "b"}', "application/json", 400, "invalidSyntax"),
        (b"[" * 60_000, "application/json", 400, "invalidSyntax"),
        (b" " * (1024 * 1024 + 1), "application/json", 413, None),
        (b"{}", "text/plain", 415, None),
    ],
)
async def test_bad_bodies(client: Provisioner, content: bytes, media: str, status: int, scim_type: str | None) -> None:
    """Errors are those of RFC 7644 section 3.12, with our id, and never a fault of the server."""
    headers = {"Authorization": f"Bearer {client.secret}", "Content-Type": media}
    answer = await client.managed.api.http.request(
        "POST", f"/scim/v2/{client.id}/Users", headers=headers, content=content
    )
    body = answer.json()

    assert (answer.status_code, body.get("scimType")) == (status, scim_type)
    assert body["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
    assert body["status"] == str(status)
    assert re.search(r"\((USER|WEB|PORT)-[0-9]{3}\)", body["detail"])


async def test_description_of_the_server(client: Provisioner) -> None:
    """Clients read what is supported (RFC 7643 sections 5 to 7)."""
    configuration = await client.get("/ServiceProviderConfig")
    types = await client.get("/ResourceTypes")
    schemas = await client.get("/Schemas")

    assert configuration["patch"] == {"supported": True}
    assert configuration["bulk"]["supported"] is False
    assert [one["endpoint"] for one in types["Resources"]] == ["/Users", "/Groups"]
    assert await client.get(f"/Schemas/{ENTERPRISE}") == schemas["Resources"][2]
    assert (await client.send("GET", "/Schemas/urn:none")).status_code == 404
    assert (await client.send("DELETE", "/Schemas")).status_code == 405


async def test_costly_filters_are_refused(client: Provisioner) -> None:
    """A filter that is too deep, too long or too wide is refused before anything is read (kanidm 1.10)."""
    deep = f"{'(' * 9}userName pr{')' * 9}"
    long = f'userName eq "{"x" * 2_048}"'
    wide = " or ".join(["userName pr"] * 51)
    for text in (deep, long, wide, "((" * 500, "userName eq", 'password eq "x"', 'userName gt "a"'):
        answer = await client.send("GET", f"/Users?{urlencode({'filter': text})}")
        assert (answer.status_code, answer.json()["scimType"]) == (400, "invalidFilter"), text[:40]
    assert (
        await client.status(client.secret, "/Users?" + urlencode({"filter": f"{'(' * 8}userName pr{')' * 8}"})) == 200
    )


async def test_what_a_directory_sent_is_readable(client: Provisioner) -> None:
    """Administrators and the user read it, also what the profile has no field for; other users have none."""
    made = await client.add(addresses=[{"type": "home", "locality": "Zug"}], title="Countess")
    managed, name = client.managed, "portico.management.v1.ScimService.ListUserProvisioning"
    path, token = "/management/v1/users/{}/provisioning", managed.tokens["owner"]
    [found] = (await managed.api.json(name, {}, token=token, path=path.format(made["id"]))).body["result"]
    own = managed.api.token_of(made["id"])
    [by_user] = (await managed.api.json(name, {}, token=own, path=path.format(made["id"]))).body["result"]
    local = (await managed.api.json(name, {}, token=token, path=path.format(f"self-{managed.tag}"))).body

    assert (found["connectionId"], found["externalId"]) == (client.id, "ada-external")
    assert found["attributes"]["addresses"] == [{"type": "home", "locality": "Zug"}]
    assert found["attributes"]["title"] == "Countess"
    assert by_user == found
    assert local.get("result", []) == []
