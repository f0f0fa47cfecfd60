"""The examples of the OpenAPI document against its own schemas; `services/users/tests` sends them to the API."""

from __future__ import annotations

import json
from typing import Any, Final

import jsonschema_rs
import pytest
from generated_code.openapi import openapi

DOCUMENT: Final[dict[str, Any]] = json.loads(*openapi().values())
ILLUSTRATED: Final = ("UserService", "AppService", "IDPService")
"""Users, applications and identity providers."""

OPERATIONS: Final = {
    operation["operationId"]: operation
    for verbs in DOCUMENT["paths"].values()
    for operation in verbs.values()
    if operation["tags"][0] in ILLUSTRATED
}


def _problems(schema: dict[str, Any], example: Any) -> list[str]:
    """What a validator finds wrong with an example, by the schemas of the document."""
    whole = {**schema, "components": DOCUMENT["components"]}
    validator = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
    return [error.message for error in validator.iter_errors(example)]


def test_the_operations_are_those_of_users_applications_and_providers() -> None:
    """All of them are looked at, in both versions of the API."""
    assert len(OPERATIONS) > 130
    assert {
        "user_v2_UserService_AddHumanUser",
        "management_v1_UserService_ImportHumanUser",
        "management_v1_AppService_AddOIDCApp",
        "management_v1_IDPService_AddOrgOIDCIDP",
        "admin_v1_IDPService_AddGenericJWTProvider",
    } <= set(OPERATIONS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_has_an_example_of_its_answer(name: str) -> None:
    """The example of an answer is what the schema of the answer allows."""
    content = OPERATIONS[name]["responses"]["200"]["content"]["application/json"]

    assert _problems(content["schema"], content["example"]) == []


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_has_an_example_of_its_request(name: str) -> None:
    """Body, path and query: what is required is there, and all of it is what the schemas allow."""
    operation = OPERATIONS[name]
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        assert _problems(content["schema"], content["example"]) == []
    for parameter in operation["parameters"]:
        assert not parameter["required"] or "example" in parameter
        if "example" in parameter:
            assert _problems(parameter["schema"], parameter["example"]) == []


def test_a_wrong_example_would_be_noticed() -> None:
    """The validator follows references and knows what is required."""
    schema = {"$ref": "#/components/schemas/portico.user.v2.AddHumanUserRequest"}
    email = {"email": "ada@acme.example"}

    assert _problems(schema, {"email": email}) == ['"profile" is a required property']
    assert _problems(schema, {"email": email, "profile": {"firstName": "A", "lastName": "B", "name": "C"}})
