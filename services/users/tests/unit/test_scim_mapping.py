"""The mapping of a SCIM connection: what a directory sends becomes values of an account, and reads back as it was sent."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from portico_contracts.apply import ScimAddress, ScimDestination, ScimDisplayName, ScimLoginName
from portico_oauth.errors import ServiceError
from portico_users.end_users.end_user import EndUser, metadata_value
from portico_users.end_users.new_end_user import with_attributes, with_profile
from portico_users.scim.mapping import MappedAttribute, ScimMapping, problems_of_mapping
from portico_users.scim.protocol.discovery import resource_types, schemas
from portico_users.scim.protocol.patch import patch_user, read_operations
from portico_users.scim.protocol.placement import placement_of
from portico_users.scim.protocol.user_values import body_of, follows_names, resource_of, sent_user
from portico_users.values.provisioned import Provisioned

ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
OWN = "urn:ietf:params:scim:schemas:extension:acme:2.0:User"
NOWHERE, METADATA = ScimDestination.NOWHERE, ScimDestination.METADATA
LANGUAGE = ScimDestination.PREFERRED_LANGUAGE

PERSON: dict[str, Any] = {
    "userName": "ada@corp.example",
    "externalId": "e-1",
    "name": {"givenName": "Ada", "familyName": "Byron"},
    "displayName": "Byron, Ada (R&D)",
    "nickName": "ada",
    "title": "Engineer",
    "locale": "de-CH",
    "preferredLanguage": "en",
    "emails": [
        {"value": "ada@home.example", "type": "home", "primary": True},
        {"value": "ada@work.example", "type": "work"},
    ],
    "phoneNumbers": [{"value": "+41791234567", "type": "mobile"}],
    ENTERPRISE: {"department": "R&D", "employeeNumber": "42", "manager": {"value": "m-1"}},
    OWN: {"badge": "B7"},
}
EMPTY = EndUser(id="u1", org_id="o1", user_name="", first_name="", last_name="", display_name="", email="")


def row(attribute: str, destination: ScimDestination, key: str = "") -> MappedAttribute:
    return MappedAttribute(attribute=attribute, destination=destination, key=key)


def mapped(*rows: MappedAttribute, **values: Any) -> ScimMapping:
    return ScimMapping(attributes=rows, **values)


def stored(mapping: ScimMapping, body: dict[str, Any], before: EndUser = EMPTY) -> EndUser:
    """The account after the body, as the commands write it."""
    placement = placement_of(mapping)
    sent = sent_user(body_of(body, placement), before if before.email else None, placement)
    provisioned = Provisioned(
        connection_id="c1", external_id=sent.external_id, values=sent.values, user_name=sent.user_name
    )
    after = with_attributes(with_profile(before, sent.profile), sent.attributes)
    return msgspec.structs.replace(
        after,
        user_name=sent.login_name,
        email=sent.email,
        metadata=sent.metadata_of(before.metadata, before.provisioned),
        provisioned=provisioned,
    )


def patched(mapping: ScimMapping, user: EndUser, *operations: dict[str, Any]) -> EndUser:
    resource = patch_user(resource_of(user), read_operations({"Operations": list(operations)}), placement_of(mapping))
    return stored(mapping, resource, user)


def metadata(user: EndUser) -> dict[str, str]:
    return {one.key: metadata_value(one).decode() for one in user.metadata}


def test_standard_mapping_is_what_it_was() -> None:
    """Accounts and stored values are those of the first release, to the byte; an unknown schema is not stored."""
    user = stored(ScimMapping(), PERSON)

    assert (user.user_name, user.email, user.display_name) == (
        "ada@corp.example",
        "ada@home.example",
        "Byron, Ada (R&D)",
    )
    assert metadata(user) == {
        "scim.department": "R&D",
        "scim.employeeNumber": "42",
        "scim.locale": "de-CH",
        "scim.manager": "m-1",
        "scim.title": "Engineer",
    }
    assert msgspec.json.encode(user.provisioned) == (
        b'{"connectionId":"c1","externalId":"e-1","values":"{\\"emails\\":[{\\"primary\\":true,\\"type\\":\\"home\\"},'
        b'{\\"type\\":\\"work\\",\\"value\\":\\"ada@work.example\\"}],\\"phoneNumbers\\":[{\\"type\\":\\"mobile\\",'
        b'\\"value\\":\\"+41791234567\\"}]}"}'
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (ScimLoginName.USER_NAME, "ada@corp.example"),
        (ScimLoginName.EMAIL, "ada@home.example"),
        (ScimLoginName.EXTERNAL_ID, "e-1"),
        (ScimLoginName.NICK_NAME, "ada"),
        (ScimLoginName.EMPLOYEE_NUMBER, "42"),
    ],
)
def test_login_name(source: ScimLoginName, expected: str) -> None:
    assert stored(mapped(login_name=source), PERSON).user_name == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (ScimAddress.PRIMARY, "ada@home.example"),
        (ScimAddress.WORK, "ada@work.example"),
        (ScimAddress.USER_NAME, "ada@corp.example"),
    ],
)
def test_address(source: ScimAddress, expected: str) -> None:
    assert stored(mapped(address=source), PERSON).email == expected


def test_display_name_of_the_parts() -> None:
    """A directory whose display names are for its address book sends better parts."""
    assert stored(mapped(display_name=ScimDisplayName.PARTS), PERSON).display_name == "Ada Byron"


@pytest.mark.parametrize(
    ("source", "attribute"),
    [
        (ScimLoginName.EXTERNAL_ID, "externalId"),
        (ScimLoginName.NICK_NAME, "nickName"),
        (ScimLoginName.EMPLOYEE_NUMBER, f"{ENTERPRISE}:employeeNumber"),
    ],
)
def test_missing_login_name_is_refused(source: ScimLoginName, attribute: str) -> None:
    """No other value takes its place, and the error names the attribute."""
    with pytest.raises(ServiceError) as refused:
        stored(mapped(login_name=source), {"userName": "ada@corp.example"})

    assert [one.field for one in refused.value.violations] == [attribute]


def test_address_of_the_user_name_must_be_one() -> None:
    with pytest.raises(ServiceError):
        stored(mapped(address=ScimAddress.USER_NAME), {**PERSON, "userName": "ada"})


def test_rows_store_attributes_elsewhere() -> None:
    """Keys of metadata, fields, a copy of externalId, an attribute of an own schema; nowhere means nowhere."""
    user = stored(
        mapped(
            row(f"{ENTERPRISE}:department", METADATA, "department"),
            row("externalId", METADATA, "directory_id"),
            row(f"{OWN}:badge", METADATA, "badge"),
            row("locale", LANGUAGE),
            row("title", NOWHERE),
            row("phoneNumbers", NOWHERE),
        ),
        PERSON,
    )

    assert metadata(user) == {
        "badge": "B7",
        "department": "R&D",
        "directory_id": "e-1",
        "scim.employeeNumber": "42",
        "scim.manager": "m-1",
    }
    assert user.preferred_language == "de-CH"
    assert "Engineer" not in str(user)
    assert "+41791234567" not in str(user)


MAPPINGS = {
    "standard": ScimMapping(),
    "login name": mapped(login_name=ScimLoginName.EMPLOYEE_NUMBER),
    "work": mapped(address=ScimAddress.WORK),
    "user name": mapped(address=ScimAddress.USER_NAME, display_name=ScimDisplayName.PARTS),
    "rows": mapped(row(f"{ENTERPRISE}:department", METADATA, "department"), row("locale", LANGUAGE)),
    "keys of others": mapped(row("externalId", METADATA, "scim.title"), row("nickName", METADATA, "scim.locale")),
    "own schema": mapped(row(f"{OWN}:badge", METADATA, "badge")),
}


@pytest.mark.parametrize("name", MAPPINGS)
def test_what_was_sent_reads_back(name: str) -> None:
    """With each mapping, and a second synchronization changes nothing."""
    mapping = MAPPINGS[name]
    user = stored(mapping, PERSON)
    shown = resource_of(user)
    again = stored(mapping, PERSON, user)

    expected = PERSON if name == "own schema" else {key: value for key, value in PERSON.items() if key != OWN}
    assert {key: value for key, value in shown.items() if key not in ("id", "schemas", "active")} == expected
    assert set(shown["schemas"][1:]) == {key for key in expected if key.startswith("urn:")}
    assert again == user


@pytest.mark.parametrize("former", MAPPINGS)
@pytest.mark.parametrize("name", MAPPINGS)
def test_next_write_stores_all_by_the_new_mapping(former: str, name: str) -> None:
    """Also a PATCH of one attribute: the account is as if it had been sent in whole with the new mapping."""
    user = stored(MAPPINGS[former], PERSON)
    shown = resource_of(user)
    after = patched(MAPPINGS[name], user, {"op": "replace", "path": "timezone", "value": "Europe/Zurich"})
    sent = {key: value for key, value in PERSON.items() if key in shown}
    whole = stored(MAPPINGS[name], {**sent, "timezone": "Europe/Zurich"})

    moves = {former, name} & {"work", "user name"} and former != name
    same = ("user_name", "display_name", "preferred_language", "metadata", "nick_name")
    assert [getattr(after, one) for one in same] == [getattr(whole, one) for one in same]
    assert moves or after.email == whole.email


def test_metadata_of_administrators_stays() -> None:
    """A mapped key that is no longer mapped is removed, others are not touched."""
    theirs = stored(mapped(row("externalId", METADATA, "note")), PERSON).metadata
    first = stored(mapped(row("title", METADATA, "job")), PERSON, msgspec.structs.replace(EMPTY, metadata=theirs))
    second = stored(ScimMapping(), PERSON, first)

    assert metadata(first)["job"] == "Engineer"
    assert "job" not in metadata(second)
    assert metadata(second)["note"] == "e-1"


def test_nickname_that_the_user_changes_is_no_login_name() -> None:
    """Users change their nickname themselves; the login name is what the directory sent."""
    mapping = mapped(login_name=ScimLoginName.NICK_NAME)
    user = msgspec.structs.replace(stored(mapping, PERSON), nick_name="root")
    after = patched(mapping, user, {"op": "replace", "path": "title", "value": "Manager"})

    assert after.user_name == "ada"


def test_patch_of_own_schema() -> None:
    """With a colon, and as an object of the schema without a path; what the mapping does not have is refused."""
    mapping = mapped(row(f"{OWN}:badge", METADATA, "badge"), row(f"{OWN}:desk", NOWHERE))
    user = stored(mapping, PERSON)
    changes: list[dict[str, Any]] = [
        {"op": "Replace", "path": f"{OWN.lower()}:BADGE", "value": "B8"},
        {"op": "Replace", "value": {OWN: {"badge": "B8"}}},
        {"op": "Replace", "value": {f"{OWN}:badge": "B8"}},
    ]
    removed = patched(mapping, user, {"op": "remove", "path": OWN})
    ignored = patched(mapping, user, {"op": "add", "path": f"{OWN}:desk", "value": "7"})

    assert [metadata(patched(mapping, user, one))["badge"] for one in changes] == ["B8"] * 3
    assert "badge" not in metadata(removed)
    assert ignored == user
    for path in (f"{OWN}:other", "urn:x:User:badge", f"{OWN}:badge.value"):
        with pytest.raises(ServiceError) as refused:
            patched(mapping, user, {"op": "replace", "path": path, "value": "1"})
        assert refused.value.id == "USER-211"


def test_attribute_that_is_stored_nowhere_is_accepted() -> None:
    """Also in a PATCH, which then changes nothing; an earlier value goes with the next write."""
    mapping = mapped(row("title", NOWHERE), row("phoneNumbers", NOWHERE))
    before = stored(ScimMapping(), PERSON)
    after = patched(mapping, before, {"op": "replace", "path": "title", "value": "Boss"})
    again = patched(mapping, after, {"op": "add", "path": "phoneNumbers", "value": [{"value": "+41790000000"}]})

    assert "Boss" not in str(after)
    assert "title" not in resource_of(after)
    assert "+41790000000" not in str(again)


def test_display_name_of_parts_keeps_what_was_sent() -> None:
    """A PATCH of another attribute does not lose it, and new parts make a new display name."""
    mapping = mapped(display_name=ScimDisplayName.PARTS)
    user = stored(mapping, PERSON)
    after = patched(mapping, user, {"op": "replace", "path": "name.givenName", "value": "Augusta"})

    assert not follows_names(user)
    assert (after.display_name, resource_of(after)["displayName"]) == ("Augusta Byron", "Byron, Ada (R&D)")


def test_described_schemas_are_those_of_the_mapping() -> None:
    """What is stored nowhere is not listed; own schemas are."""
    mapping = mapped(
        row("title", NOWHERE),
        row("addresses", NOWHERE),
        row(f"{ENTERPRISE}:division", NOWHERE),
        row(f"{OWN}:badge", METADATA, "badge"),
        row(f"{OWN}:desk", NOWHERE),
        address=ScimAddress.USER_NAME,
    )
    found = {
        one["id"]: {part["name"]: part for part in one["attributes"]}
        for one in schemas("http://x", placement_of(mapping))
    }
    core = found["urn:ietf:params:scim:schemas:core:2.0:User"]
    [user, _group] = resource_types("http://x", placement_of(mapping))

    assert {"title", "addresses"}.isdisjoint(core)
    assert {"userName", "phoneNumbers"} <= set(core)
    assert core["emails"]["required"] is False
    assert set(found[OWN]) == {"badge"}
    assert "division" not in found[ENTERPRISE]
    assert [one["schema"] for one in user["schemaExtensions"]] == [ENTERPRISE, OWN]


@pytest.mark.parametrize(
    ("mapping", "expected"),
    [
        (mapped(row("Title", NOWHERE)), [("attributes[0].attribute", "USER-222")]),
        (mapped(row("roles", NOWHERE)), [("attributes[0].attribute", "USER-222")]),
        (mapped(row("department", METADATA, "d")), [("attributes[0].attribute", "USER-222")]),
        (mapped(row(f"{ENTERPRISE}:salary", METADATA, "s")), [("attributes[0].attribute", "USER-222")]),
        (mapped(row("urn:acme:badge", METADATA, "b")), [("attributes[0].attribute", "USER-222")]),
        (mapped(row("urn:a:user.x:User:badge", METADATA, "b")), [("attributes[0].attribute", "USER-222")]),
        (mapped(row("urn:a:User:bad ge", METADATA, "b")), [("attributes[0].attribute", "USER-222")]),
        (
            mapped(row("urn:ietf:params:scim:schemas:core:2.0:User:title", METADATA, "t")),
            [("attributes[0].attribute", "USER-222")],
        ),
        (mapped(row("emails", NOWHERE)), [("attributes[0].attribute", "USER-222")]),
        (mapped(row("addresses", METADATA, "a")), [("attributes[0].destination", "USER-223")]),
        (mapped(row("userName", NOWHERE)), [("attributes[0].destination", "USER-223")]),
        (mapped(row("externalId", LANGUAGE)), [("attributes[0].destination", "USER-223")]),
        (
            mapped(row("nickName", NOWHERE), login_name=ScimLoginName.NICK_NAME),
            [("attributes[0].destination", "USER-223")],
        ),
        (mapped(row("title", METADATA)), [("attributes[0].key", "USER-224")]),
        (mapped(row("title", METADATA, " job")), [("attributes[0].key", "USER-224")]),
        (mapped(row("title", METADATA, "j" * 201)), [("attributes[0].key", "USER-224")]),
        (mapped(row("title", NOWHERE, "job")), [("attributes[0].key", "USER-224")]),
        (mapped(row("title", NOWHERE), row("title", METADATA, "t")), [("attributes[1].attribute", "USER-225")]),
        (mapped(row("title", METADATA, "x"), row("locale", METADATA, "x")), [("attributes[1].attribute", "USER-225")]),
        (mapped(row("title", LANGUAGE), row("locale", LANGUAGE)), [("attributes[1].attribute", "USER-225")]),
        (
            mapped(*(row(f"{OWN}:a{number}", NOWHERE) for number in range(51))),
            [("attributes", "USER-221")],
        ),
        (mapped(*(row(f"{OWN}:a{number}", NOWHERE) for number in range(50))), []),
        (mapped(row("urn:okta:acme:1.0:user:badge", METADATA, "badge")), []),
    ],
)
def test_mappings_that_are_refused(mapping: ScimMapping, expected: list[tuple[str, str]]) -> None:
    assert [(one.path, one.error_code.id) for one in problems_of_mapping(mapping)] == expected
