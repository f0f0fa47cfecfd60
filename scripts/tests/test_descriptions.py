from __future__ import annotations

import json
from typing import Any

import pytest
from generated_code.comments import comments, declared
from generated_code.descriptions import repeats_name
from generated_code.field_texts import field_texts
from generated_code.openapi import openapi


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(*openapi().values())
    return read


@pytest.fixture(scope="module")
def schemas(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["schemas"]
    return found


def test_every_declaration_is_described() -> None:
    """Every message, field, enum, value, service and method has a comment that ends with a period."""
    missing = [name for name in declared() if not comments().get(name, "").endswith((".", ">/."))]

    assert missing == []


def test_no_description_only_repeats_the_name() -> None:
    assert [name for name in declared() if repeats_name(name, comments().get(name, ""))] == []


def test_nested_declarations_need_descriptions() -> None:
    inside = {
        "portico.admin.v1.SetUpOrgRequest.Org.domain",
        "portico.management.v1.ImportHumanUserRequest.HashedPassword.algorithm",
        "portico.management.v1.SendHumanResetPasswordNotificationRequest.Type.TYPE_SMS",
    }

    assert inside <= set(declared())


@pytest.mark.parametrize(
    ("name", "text", "repeats"),
    [
        ("portico.v1.ListQuery.offset", "", True),
        ("portico.v1.ListQuery.offset", "The offset.", True),
        ("portico.v1.ListQuery.offset", "Offsets of this list query.", True),
        ("portico.v1.ListQuery.offset", "How many entries to skip.", False),
        ("portico.management.v1.DeactivateAppRequest.app_id", "The id of the app.", True),
        ("portico.management.v1.DeactivateAppRequest.app_id", "Id of the application to deactivate.", False),
        ("portico.management.v1.AppState.APP_STATE_ACTIVE", "It is active.", True),
        ("portico.management.v1.AppState.APP_STATE_ACTIVE", "Users can sign in to it.", False),
        ("portico.management.v1.OIDCConfig", "An OIDC config.", True),
    ],
)
def test_repeated_name_is_detected(name: str, text: str, repeats: bool) -> None:
    """Case, plurals and small words do not turn a repeated name into a description."""
    assert repeats_name(name, text) is repeats


def test_every_field_of_the_document_is_described(schemas: dict[str, Any]) -> None:
    """Plain, repeated, nested and oneof fields have a description where a form looks for it."""
    missing = [
        f"{name}.{field}"
        for name, schema in schemas.items()
        if name != "Status"
        for field, rules in schema["properties"].items()
        if "description" not in rules
    ]

    assert missing == []


def test_every_parameter_of_the_document_is_described(document: dict[str, Any]) -> None:
    operations = [operation for verbs in document["paths"].values() for operation in verbs.values()]

    assert [
        (operation["operationId"], parameter["name"])
        for operation in operations
        for parameter in operation["parameters"]
        if not parameter.get("description")
    ] == []


def test_enum_values_are_described_where_they_are_listed(schemas: dict[str, Any]) -> None:
    names = schemas["portico.management.v1.App"]["properties"]["state"]["anyOf"][0]

    assert names["x-enumDescriptions"]["APP_STATE_ACTIVE"] == "Users can sign in to it."
    assert set(names["x-enumDescriptions"]) == set(names["enum"])


def test_field_texts_contain_all_comments() -> None:
    found: dict[str, str] = json.loads(*field_texts().values())

    assert found == {name: comments()[name] for name in declared()}
