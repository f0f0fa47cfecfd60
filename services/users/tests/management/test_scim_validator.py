"""What Microsoft validates before an application enters its gallery, as far as requests to a server show it.

The rows are in docs/conformance.md.
"""

from __future__ import annotations

from typing import Any

import pytest

from .scim_client import ENTERPRISE, GROUP, USER, Provisioner

MANAGER = f"{ENTERPRISE}:manager"
TEXTS = ("title", "nickName", "userType", "locale", "timezone", "preferredLanguage", "profileUrl")
VALUES = {
    "title": "Engineer",
    "nickName": "Ada",
    "userType": "Employee",
    "locale": "en-US",
    "timezone": "Europe/Zurich",
    "preferredLanguage": "de",
    "profileUrl": "https://people.example/ada",
}


@pytest.fixture
async def client(managed: Any) -> Provisioner:
    return await Provisioner(managed).connect()


def _flat(schema: dict[str, Any]) -> set[str]:
    prefix = f"{ENTERPRISE}:" if schema["id"] == ENTERPRISE else ""
    found = set()
    for one in schema["attributes"]:
        found.add(f"{prefix}{one['name']}")
        found |= {f"{prefix}{one['name']}.{sub['name']}" for sub in one.get("subAttributes", ())}
    return found


async def test_schemas_describe_what_entra_maps(client: Provisioner) -> None:
    """Each attribute that Entra ID maps by default is in /Schemas (Schema_Discoverability_Test)."""
    described = {one["id"]: _flat(one) for one in (await client.get("/Schemas"))["Resources"]}

    wanted = {
        "userName", "active", "displayName", "title", "preferredLanguage", "externalId", "name.givenName",
        "name.familyName", "name.formatted", "emails.type", "emails.value", "addresses.type", "addresses.formatted",
        "addresses.streetAddress", "addresses.locality", "addresses.region", "addresses.postalCode",
        "addresses.country", "phoneNumbers.type", "phoneNumbers.value",
    }  # fmt: skip
    assert wanted - described[USER] == set()
    assert {f"{ENTERPRISE}:{name}" for name in ("employeeNumber", "department", "manager")} <= described[ENTERPRISE]
    assert {"displayName", "externalId", "members.value"} - described[GROUP] == set()


@pytest.mark.parametrize("empty", ["", None])
async def test_empty_and_null_values_remove_attributes(client: Provisioner, empty: str | None) -> None:
    """A PATCH with an empty text or null leaves the attribute without a value (SCIM_Null_Update_Test)."""
    made = await client.add(**VALUES)
    path = f"/Users/{made['id']}"
    operations = [{"op": "Replace", "path": name, "value": empty} for name in TEXTS]
    department = {"op": "Replace", "path": f"{ENTERPRISE}:department", "value": empty}
    first = await client.patch(path, *operations, department)
    second = await client.patch(path, *operations, department)
    shown = await client.get(path)

    assert {name: made[name] for name in TEXTS} == VALUES
    assert [first.status_code, second.status_code] == [200, 200]
    assert {name: shown[name] for name in (*TEXTS, ENTERPRISE) if shown.get(name)} == {}


async def test_each_attribute_is_updated(client: Provisioner) -> None:
    """Each single-valued attribute takes a new value, which the next answer has (SCIM_User_Update_Test)."""
    made = await client.add()
    path = f"/Users/{made['id']}"
    operations = [{"op": "Replace", "path": name, "value": value} for name, value in VALUES.items()]
    answer = await client.patch(path, *operations)
    shown = await client.get(path)

    assert answer.status_code == 200
    assert {name: shown[name] for name in VALUES} == VALUES


async def test_manager_is_set_changed_and_removed(client: Provisioner) -> None:
    """A replacement by an empty value removes the manager (SCIM_Update_Manager_Test)."""
    path = f"/Users/{(await client.add())['id']}"
    seen = []
    for verb, value in (("Add", "m-1"), ("Replace", "m-2"), ("Replace", "")):
        assert (await client.patch(path, {"op": verb, "path": MANAGER, "value": value})).status_code == 200
        seen.append((await client.get(path)).get(ENTERPRISE, {}).get("manager", {}).get("value"))

    assert seen == ["m-1", "m-2", None]


@pytest.mark.parametrize("kind", ["Users", "Groups"])
async def test_pages_of_five(client: Provisioner, kind: str) -> None:
    """Pages of five have the index that was requested (SCIM_User_Pagination_Test, SCIM_Group_Pagination_Test)."""
    for number in range(11):
        await (client.add(f"user{number}") if kind == "Users" else client.group(f"Group {number}"))
    pages = [await client.get(f"/{kind}?startIndex={start}&count=5") for start in (1, 6, 11)]

    assert [(one["startIndex"], one["itemsPerPage"], one["totalResults"]) for one in pages] == [
        (1, 5, 11), (6, 5, 11), (11, 1, 11),
    ]  # fmt: skip
    assert len({one["id"] for page in pages for one in page["Resources"]}) == 11


async def test_removed_user_is_provisioned_again(client: Provisioner) -> None:
    """A user who is unassigned and assigned again is created again, with the same account (Restore_User_Test)."""
    made = await client.add()
    await client.send("DELETE", f"/Users/{made['id']}")
    found = await client.get(f"/Users?filter=userName%20eq%20%22{client.mail('ada')}%22")
    back = await client.add()

    assert found["totalResults"] == 0
    assert (back["id"], back["active"]) == (made["id"], True)


async def test_removed_group_is_provisioned_again(client: Provisioner) -> None:
    """The name and the external id of a deleted group are free (Restore_Group_Test)."""
    made = await client.group(externalId="g-1")
    await client.send("DELETE", f"/Groups/{made['id']}")
    back = await client.group(externalId="g-1")

    assert (back["displayName"], back["externalId"]) == (made["displayName"], "g-1")
