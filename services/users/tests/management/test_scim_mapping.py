"""The mapping of a connection as a setting: who sees what, which names are in use, and what a change does."""

from __future__ import annotations

from typing import Any

import pytest

from .scim_client import ENTERPRISE, Provisioner

DEPARTMENT = f"{ENTERPRISE}:department"


@pytest.fixture
async def client(managed: Any) -> Provisioner:
    return await Provisioner(managed).connect()


async def map_to(client: Provisioner, *rows: dict[str, Any], **values: Any) -> Any:
    return await client.change("SetScimMapping", "/mapping", {"mapping": {"attributes": list(rows), **values}})


def number(client: Provisioner, name: str) -> str:
    """What the directory sends as externalId, where that is the login name."""
    return f"{name}-{client.managed.tag}"


async def named(client: Provisioner, filter: str) -> list[str]:
    answer = await client.send("GET", f"/Users?filter={filter}".replace(" ", "%20").replace('"', "%22"))
    assert answer.status_code == 200, answer.text
    return [one["userName"] for one in answer.json()["Resources"]]


async def test_mapping_is_shown_and_audited(client: Provisioner) -> None:
    """The connection has it, and the event has the former one as well."""
    department = {"attribute": DEPARTMENT, "destination": "SCIM_DESTINATION_METADATA", "key": "department"}
    answer = await map_to(client, department, loginName="SCIM_LOGIN_NAME_EXTERNAL_ID")
    stored = (await client.read())["mapping"]
    *_, event = await client.managed.users.rows("events", object=client.id)

    assert answer.code == 0, answer.body
    assert stored == {"loginName": "SCIM_LOGIN_NAME_EXTERNAL_ID", "attributes": [department]}
    assert event["before"]["mapping"]["loginName"] == "user_name"
    assert event["values"]["mapping"]["loginName"] == "external_id"
    assert "renames" not in event["values"]


async def test_mistake_names_its_place(client: Provisioner) -> None:
    """Nothing is stored of a mapping with a mistake."""
    answer = await map_to(client, {"attribute": "salary", "destination": "SCIM_DESTINATION_NOWHERE"})

    assert answer.error_code == "USER-222"
    assert "mapping.attributes[0].attribute" in str(answer.body)
    assert "mapping" not in await client.read()


async def test_login_name_is_unique_whatever_it_is_made_of(client: Provisioner) -> None:
    """A mapped value is refused where another account has it, as userName is, and nothing of that account is changed."""
    await map_to(client, loginName="SCIM_LOGIN_NAME_EXTERNAL_ID")
    user = await client.local_user("kim")
    before = await client.managed.users.rows("users", _id=user)
    answer = await client.send("POST", "/Users", client.person("ada", externalId=client.mail("kim").upper()))

    assert (answer.status_code, answer.json()["scimType"]) == (409, "uniqueness")
    assert await client.managed.users.rows("users", _id=user) == before


async def test_adoption_has_its_rules_with_every_mapping(client: Provisioner) -> None:
    """By a mapped login name too, an account is adopted only where the domain of its own address is verified."""
    await map_to(client, loginName="SCIM_LOGIN_NAME_NICK_NAME", address="SCIM_ADDRESS_USER_NAME")
    user = await client.local_user("kim")
    body = client.person("attacker", nickName=client.mail("kim"))
    refused = await client.send("POST", "/Users", body)
    await client.verify_domain()
    adopted = await client.send("POST", "/Users", body)
    (stored,) = await client.managed.users.rows("users", _id=user)

    assert (refused.status_code, adopted.status_code) == (409, 201)
    assert adopted.json()["id"] == user
    assert (stored["email"], stored["userName"]) == (client.mail("kim"), client.mail("kim"))


@pytest.mark.parametrize("verified", [True, False])
async def test_address_from_the_user_name_is_proven_by_its_domain_alone(client: Provisioner, verified: bool) -> None:
    """An address counts as proven only in a domain that the organization has verified, whatever it is made of."""
    if verified:
        await client.verify_domain()
    await map_to(client, address="SCIM_ADDRESS_USER_NAME")
    made = await client.add("ada", emails=[])
    (stored,) = await client.managed.users.rows("users", _id=made["id"])

    assert (stored["email"], stored["emailProof"]["kind"]) == (client.mail("ada"), "proven" if verified else "asserted")
    assert "emails" not in made


async def test_user_name_is_found_as_it_was_sent(client: Provisioner) -> None:
    """In any case and by its parts, before and after the mapping changes; the login name is no userName."""
    mail = client.mail("ada")
    await client.add("grace")
    await map_to(client, loginName="SCIM_LOGIN_NAME_EXTERNAL_ID")
    made = await client.add("ada", externalId=number(client, "ada"))
    during = [
        await named(client, one)
        for one in (
            f'userName eq "{mail.upper()}"',
            f'userName eq "{number(client, "ada")}"',
            'userName sw "ada@"',
            f'userName co "da@{client.managed.tag}"',
            f'userName ew "{client.managed.tag}.people.example"',
            f'userName ne "{mail}"',
        )
    ]
    await map_to(client)
    after = await named(client, f'userName eq "{mail}"')

    assert made["userName"] == mail
    assert during == [[mail], [], [mail], [mail], [mail, client.mail("grace")], [client.mail("grace")]]
    assert after == [mail]


async def test_user_name_is_unique_in_its_connection(client: Provisioner) -> None:
    """Also between a user of before the mapping and one of after it: a repeated creation makes no second account."""
    await client.add("ada")
    await map_to(client, loginName="SCIM_LOGIN_NAME_EXTERNAL_ID")
    repeated = await client.send("POST", "/Users", client.person("ada", externalId=number(client, "other")))
    grace = await client.add("grace", externalId=number(client, "grace"))
    taken = await client.patch(
        f"/Users/{grace['id']}", {"op": "replace", "path": "userName", "value": client.mail("ada")}
    )
    own = await client.patch(
        f"/Users/{grace['id']}", {"op": "replace", "path": "userName", "value": client.mail("grace").upper()}
    )

    assert [one.status_code for one in (repeated, taken)] == [409, 409]
    assert own.json()["userName"] == client.mail("grace").upper()


async def test_user_name_stays_unique_after_the_mapping(client: Provisioner) -> None:
    """A user whom a former mapping gave another login name still has the userName, so that no other user gets it."""
    await map_to(client, loginName="SCIM_LOGIN_NAME_EXTERNAL_ID")
    await client.add("ada", externalId=number(client, "ada"))
    await map_to(client)
    repeated = await client.send("POST", "/Users", client.person("ada", externalId=None))
    grace = await client.add("grace")
    taken = await client.patch(
        f"/Users/{grace['id']}", {"op": "replace", "path": "userName", "value": client.mail("ada")}
    )

    assert [one.status_code for one in (repeated, taken)] == [409, 409]
    assert await named(client, f'userName eq "{client.mail("ada")}"') == [client.mail("ada")]


async def test_unusable_filters_are_refused(client: Provisioner) -> None:
    """What is stored for the client alone answers no filter, rather than the account's other value."""
    await map_to(client, address="SCIM_ADDRESS_USER_NAME", displayName="SCIM_DISPLAY_NAME_PARTS")
    answers = [
        await client.send("GET", f"/Users?filter={one}%20eq%20%22x%22")
        for one in ("emails", "emails.value", "displayName")
    ]

    assert [one.json()["scimType"] for one in answers] == ["invalidFilter"] * 3


async def test_changed_mapping_rewrites_nothing(client: Provisioner) -> None:
    """Until the directory writes a user again, in any way; then all of its attributes are stored anew."""
    made = await client.add("ada", externalId=number(client, "ada"), **{ENTERPRISE: {"department": "R&D"}})
    path, before = f"/Users/{made['id']}", await client.managed.users.rows("users", _id=made["id"])
    row = {"attribute": DEPARTMENT, "destination": "SCIM_DESTINATION_METADATA", "key": "department"}
    await map_to(client, row, loginName="SCIM_LOGIN_NAME_EXTERNAL_ID")
    between, shown = await client.managed.users.rows("users", _id=made["id"]), await client.get(path)
    patched = await client.patch(path, {"op": "replace", "path": "title", "value": "Engineer"})
    (after,) = await client.managed.users.rows("users", _id=made["id"])
    events = await client.events()
    await client.patch(path, {"op": "replace", "path": "title", "value": "Engineer"})

    assert patched.status_code == 200, patched.text
    assert between == before
    assert shown[ENTERPRISE] == {"department": "R&D"}
    assert after["userName"] == number(client, "ada")
    assert [one["key"] for one in after["metadata"]] == ["department", "scim.title"]
    assert await client.events() == events


async def test_own_schema_in_another_case_loses_nothing(client: Provisioner) -> None:
    """A PATCH of another attribute keeps what was sent when the mapping had the name of the schema in another case."""
    row = {"attribute": "urn:acme:User:badge", "destination": "SCIM_DESTINATION_METADATA", "key": "badge"}
    await map_to(client, row)
    made = await client.add("ada", **{"urn:acme:User": {"badge": "B7"}})
    await map_to(client, row | {"attribute": "urn:ACME:User:badge"})
    answer = await client.patch(f"/Users/{made['id']}", {"op": "replace", "path": "title", "value": "Engineer"})
    (stored,) = await client.managed.users.rows("users", _id=made["id"])

    assert answer.json()["urn:ACME:User"] == {"badge": "B7"}
    assert [one["key"] for one in stored["metadata"]] == ["badge", "scim.title"]


async def test_schemas_are_those_of_the_connection(client: Provisioner) -> None:
    """A directory reads there which attributes it may send."""
    await map_to(client, {"attribute": "title", "destination": "SCIM_DESTINATION_NOWHERE"})
    found = await client.get("/Schemas")

    assert "title" not in [part["name"] for part in found["Resources"][0]["attributes"]]


async def test_user_who_was_deleted_comes_back_without_former_metadata(client: Provisioner) -> None:
    """Keys that only the mapping made are removed with a new creation that does not send them."""
    await map_to(client, {"attribute": "title", "destination": "SCIM_DESTINATION_METADATA", "key": "job"})
    made = await client.add("ada", title="Engineer")
    await client.send("DELETE", f"/Users/{made['id']}")
    again = await client.add("ada")
    (stored,) = await client.managed.users.rows("users", _id=made["id"])

    assert again["id"] == made["id"]
    assert stored["metadata"] == []
