"""Recorded shapes of requests: what Entra ID, Okta and Google send, as their documentation and public issues have it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from .scim_client import ENTERPRISE, Provisioner


@pytest.fixture
async def client(managed: Any) -> Provisioner:
    return await Provisioner(managed).connect()


@pytest.mark.parametrize(
    ("operation", "attribute", "expected"),
    [
        ({"op": "Replace", "path": "displayName", "value": "A. B."}, "displayName", "A. B."),
        ({"op": "Add", "path": "title", "value": "Countess"}, "title", "Countess"),
        ({"op": "Replace", "path": "active", "value": "False"}, "active", False),
        ({"op": "replace", "value": {"active": False}}, "active", False),
        ({"op": "Replace", "value": {"active": "False"}}, "active", False),
        ({"op": "add", "path": "nickName", "value": "A"}, "nickName", "A"),
        ({"op": "ADD", "path": "USERTYPE", "value": "Employee"}, "userType", "Employee"),
        ({"op": "Add", "path": f"{ENTERPRISE}:department", "value": "X"}, ENTERPRISE, {"department": "X"}),
        ({"op": "Add", "path": f"{ENTERPRISE}.department", "value": "X"}, ENTERPRISE, {"department": "X"}),
        ({"op": "Add", "path": f"{ENTERPRISE}:manager", "value": "m"}, ENTERPRISE, {"manager": {"value": "m"}}),
        (
            {"op": "Add", "path": f"{ENTERPRISE}:manager", "value": {"value": "m"}},
            ENTERPRISE,
            {"manager": {"value": "m"}},
        ),
        ({"op": "add", "value": {ENTERPRISE: {"costCenter": 7}}}, ENTERPRISE, {"costCenter": "7"}),
        ({"op": "add", "value": {f"{ENTERPRISE}:division": "D"}}, ENTERPRISE, {"division": "D"}),
        (
            {"op": "Add", "path": 'phoneNumbers[type eq "mobile"].value', "value": "+41 1"},
            "phoneNumbers",
            [{"type": "mobile", "value": "+41 1"}],
        ),
        (
            {"op": "Add", "path": 'addresses[type eq "work"].locality', "value": "Zug"},
            "addresses",
            [{"type": "work", "locality": "Zug"}],
        ),
        ({"op": "replace", "path": "urn:ietf:params:scim:schemas:core:2.0:User:title", "value": "C"}, "title", "C"),
        ({"op": "Replace", "path": "active", "value": None}, "active", True),
    ],
)
async def test_patch_in_each_dialect(
    client: Provisioner, operation: dict[str, Any], attribute: str, expected: object
) -> None:
    """Operations of any case, booleans as text, paths with a schema, and values without a path."""
    made = await client.add()
    answer = await client.patch(f"/Users/{made['id']}", operation)

    assert answer.status_code == 200, answer.text
    assert answer.json()[attribute] == expected
    assert (await client.get(f"/Users/{made['id']}"))[attribute] == expected


async def test_dotted_names_without_a_path(client: Provisioner) -> None:
    """Entra ID sends name.givenName and filters as names of the value."""
    made = await client.add()
    value = {
        "name.givenName": "Augusta",
        "name.familyName": "King",
        'emails[type eq "work"].value': client.mail("augusta"),
        f"{ENTERPRISE}:employeeNumber": "1815",
    }
    changed = (await client.patch(f"/Users/{made['id']}", {"op": "Add", "value": value})).json()

    assert changed["name"]["givenName"] == "Augusta"
    assert changed["displayName"] == "Augusta King"
    assert changed["emails"] == [{"type": "work", "primary": True, "value": client.mail("augusta")}]
    assert changed[ENTERPRISE] == {"employeeNumber": "1815"}


async def test_whole_name_is_kept_until_its_parts_change(client: Provisioner) -> None:
    """Entra ID maps name.formatted; a former one does not fit a new part of the name."""
    names = {"givenName": "Ada", "familyName": "Byron", "formatted": "Ada Byron"}
    made = (await client.send("POST", "/Users", client.person() | {"name": names})).json()
    path = f"/Users/{made['id']}"
    titled = (await client.patch(path, {"op": "Replace", "path": "title", "value": "Countess"})).json()
    moved = (await client.patch(path, {"op": "Replace", "path": "name.familyName", "value": "King"})).json()
    both = {"op": "Replace", "value": {"name.givenName": "Augusta", "name.formatted": "Augusta A. King"}}
    whole = (await client.patch(path, both)).json()

    assert [made["name"], titled["name"]] == [names, names]
    assert (moved["name"], moved["displayName"]) == ({"givenName": "Ada", "familyName": "King"}, "Ada King")
    assert whole["name"]["formatted"] == "Augusta A. King"


async def test_missing_active_changes_nothing(client: Provisioner) -> None:
    """A client that does not send the attribute disables no account (Entra inbound provisioning #16)."""
    made = await client.add()
    sent = client.person()
    del sent["active"]
    replaced = await client.send("PUT", f"/Users/{made['id']}", sent)
    await client.patch(f"/Users/{made['id']}", {"op": "Replace", "path": "active", "value": "False"})
    again = await client.send("PUT", f"/Users/{made['id']}", sent)

    assert (replaced.json()["active"], again.json()["active"]) == (True, False)


async def test_okta_replaces_the_whole_user(client: Provisioner) -> None:
    """A password is accepted and not used; an attribute that is omitted is emptied."""
    made = await client.add(title="Countess")
    body = client.person(password="t1meMa$heen", groups=[], meta={"resourceType": "User"}, id=made["id"])
    answer = await client.send("PUT", f"/Users/{made['id']}", body)
    (stored,) = await client.managed.users.rows("users", _id=made["id"])

    assert answer.status_code == 200
    assert "title" not in answer.json()
    assert "password" not in answer.json()
    assert not stored["hasPassword"]


async def test_retried_creation_is_a_conflict(client: Provisioner) -> None:
    """Okta sends a creation again after a time-out; the link to the first one stays (itsaplan #250), also where an
    account could be adopted.
    """
    await client.verify_domain()
    made = await client.add()
    again = await client.send("POST", "/Users", client.person())

    assert (again.status_code, again.json()["scimType"], again.json()["status"]) == (409, "uniqueness", "409")
    assert (await client.get(f"/Users/{made['id']}"))["externalId"] == "ada-external"


@pytest.mark.parametrize(
    "filter",
    [
        'userName eq "{mail}"',
        'USERNAME EQ "{upper}"',
        'externalId eq "ada-external"',
        'emails eq "{mail}"',
        'emails.value eq "{mail}"',
        'emails[type eq "work"].value eq "{mail}"',
        'emails[type eq "work" and value eq "{mail}"]',
        'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "{mail}"',
        'userName eq "nobody" or (externalId eq "ada-external" and active eq true)',
        'active eq "True" and userName sw "ada@"',
        'not (userName eq "nobody") and meta.lastModified gt "2001-01-01T00:00:00Z"',
    ],
)
async def test_filters_of_clients(client: Provisioner, filter: str) -> None:
    """Lookups before each change, in the forms that clients write."""
    made = await client.add()
    await client.add("grace", active=False)
    mail = client.mail("ada")
    text = filter.format(mail=mail, upper=mail.upper())
    answer = await client.send("GET", "/Users?" + urlencode({"filter": text}))

    assert answer.status_code == 200, answer.text
    found = [one["id"] for one in answer.json()["Resources"]]
    assert made["id"] in found
    if "not" not in filter:
        assert found == [made["id"]]


@pytest.mark.parametrize(
    ("operation", "scim_type"),
    [
        ({"op": "remove"}, "noTarget"),
        ({"op": "replace", "path": "id", "value": "x"}, "mutability"),
        ({"op": "replace", "path": "nothing", "value": "x"}, "invalidPath"),
        ({"op": "add", "path": "roles", "value": [{"value": "admin"}]}, "invalidPath"),
        ({"op": "replace", "path": "userName[", "value": "x"}, "invalidPath"),
        ({"op": "replace", "path": "userName"}, "invalidValue"),
        ({"op": "remove", "path": "userName"}, "invalidValue"),
        ({"op": "replace", "path": "active", "value": "perhaps"}, "invalidValue"),
        ({"op": "replace", "path": "emails", "value": [{"value": "no address"}]}, "invalidValue"),
        ({"op": "copy", "path": "title", "value": "x"}, "invalidSyntax"),
        ({"op": "replace", "path": 'emails[type eq "work"', "value": "x"}, "invalidPath"),
        ({"op": "replace", "path": "emails[((((((((((value pr))))))))))].value", "value": "x"}, "invalidFilter"),
    ],
)
async def test_refused_operations_change_nothing(
    client: Provisioner, operation: dict[str, Any], scim_type: str
) -> None:
    """What is not supported is refused, never ignored; nothing is half applied (RFC 7644 section 3.12)."""
    made = await client.add()
    answer = await client.patch(
        f"/Users/{made['id']}", {"op": "replace", "path": "displayName", "value": "Other"}, operation
    )

    assert (answer.status_code, answer.json()["scimType"]) == (400, scim_type)
    assert await client.get(f"/Users/{made['id']}") == made
