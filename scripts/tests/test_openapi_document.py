from __future__ import annotations

import json
from typing import Any, Final

import pytest
from generated_code.openapi import PATH, openapi
from generated_pages.login_api import describe_login_api

REQUIRED: Final = {
    "portico.user.v2.AddHumanUserRequest": ["profile", "email"],
    "portico.user.v2.NewHumanProfile": ["firstName", "lastName"],
    "portico.user.v2.HumanProfile": ["firstName"],
    "portico.user.v2.SetHumanEmail": ["email"],
    "portico.user.v2.SetPasswordRequest": ["newPassword"],
    "portico.user.v2.VerifyU2FRegistrationRequest": ["publicKeyCredential", "tokenName"],
    "portico.management.v1.AddOIDCAppRequest": ["name"],
    "portico.management.v1.AddAppKeyRequest": ["type"],
    "portico.management.v1.AddGenericOIDCProviderRequest": ["name", "clientId", "clientSecret"],
    "portico.management.v1.AddJWTIDPRequest": ["name", "jwtEndpoint", "issuer", "keysEndpoint"],
}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(*openapi().values())
    return read


@pytest.fixture(scope="module")
def schemas(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["schemas"]
    return found


@pytest.fixture(params=["management", "login"])
def text(request: pytest.FixtureRequest) -> str:
    return openapi()[PATH] if request.param == "management" else describe_login_api()


@pytest.mark.parametrize("name", REQUIRED)
def test_required_fields_are_listed_in_the_object(name: str, schemas: dict[str, Any]) -> None:
    """Client generators look for ``required`` next to ``properties``."""
    assert sorted(schemas[name]["required"]) == sorted(REQUIRED[name])
    assert set(REQUIRED[name]) <= set(schemas[name]["properties"])


def test_allof_requires_no_plain_field(schemas: dict[str, Any]) -> None:
    """An ``allOf`` contains only the constraints of a oneof."""
    assert [
        name for name, schema in schemas.items() if any("required" in rule for rule in schema.get("allOf", []))
    ] == []


def test_alias_of_a_field_is_described_in_words(schemas: dict[str, Any]) -> None:
    profile = schemas["portico.user.v2.HumanProfile"]["properties"]

    assert "givenName" not in profile
    assert profile["firstName"]["description"].endswith(" Also accepted as givenName.")


def test_parameter_has_one_type(text: str) -> None:
    """Generators skip operations with a parameter of several types; an enum value is its name."""
    operations = [operation for verbs in json.loads(text)["paths"].values() for operation in verbs.values()]
    schemas = [
        (operation["operationId"], parameter["name"], parameter["schema"])
        for operation in operations
        for parameter in operation.get("parameters", [])
    ]

    assert schemas
    assert [one for one in schemas if not isinstance(one[2].get("type"), str) or "anyOf" in one[2]] == []


def test_every_tag_is_described(document: dict[str, Any]) -> None:
    used = {tag for verbs in document["paths"].values() for operation in verbs.values() for tag in operation["tags"]}
    described = {tag["name"]: tag["description"] for tag in document["tags"]}

    assert set(described) == used
    assert [name for name, text in described.items() if len(text) < 30 or not text.endswith(".")] == []


def test_document_has_a_place_for_its_server(document: dict[str, Any]) -> None:
    assert document["servers"] == [{"url": "/"}]


def test_operation_is_one_line_of_the_file(text: str) -> None:
    lines = [line.strip().removesuffix(",") for line in text.splitlines()]
    document = json.loads(text)
    written = [
        *((verb, operation) for verbs in document["paths"].values() for verb, operation in verbs.items()),
        *document["components"]["schemas"].items(),
    ]

    assert [
        name
        for name, value in written
        if f'"{name}": {json.dumps(value, ensure_ascii=False, separators=(",", ":"))}' not in lines
    ] == []
