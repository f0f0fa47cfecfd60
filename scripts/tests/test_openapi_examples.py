from __future__ import annotations

import json
from typing import Any, Final

import jsonschema_rs
import pytest
from generated_code.openapi import openapi

ILLUSTRATED: Final = ("UserService", "AppService", "IDPService")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(*openapi().values())
    return read


@pytest.fixture(scope="module")
def operations(document: dict[str, Any]) -> dict[str, Any]:
    """The illustrated operations, by id."""
    return {
        operation["operationId"]: operation
        for verbs in document["paths"].values()
        for operation in verbs.values()
        if operation["tags"][0] in ILLUSTRATED
    }


def _problems(document: dict[str, Any], described: dict[str, Any]) -> list[str]:
    schema = {
        "properties": {name: one["schema"] for name, one in described.items()},
        "components": document["components"],
    }
    examples = {name: one["example"] for name, one in described.items() if "example" in one}
    # Compiling the document takes far longer than validating an example.
    errors = jsonschema_rs.Draft202012Validator(schema, validate_formats=True).iter_errors(examples)
    return [f"{error.instance_path[0]}: {error.message}" for error in errors]


def test_all_operations_are_validated(operations: dict[str, Any]) -> None:
    """The operations of users, applications and identity providers are validated in both API versions."""
    assert len(operations) > 130
    assert {
        "user_v2_UserService_AddHumanUser",
        "management_v1_UserService_ImportHumanUser",
        "management_v1_AppService_AddOIDCApp",
        "management_v1_IDPService_AddOrgOIDCIDP",
        "admin_v1_IDPService_AddGenericJWTProvider",
    } <= set(operations)


def test_operation_has_an_example_of_its_response(document: dict[str, Any], operations: dict[str, Any]) -> None:
    answers = {name: one["responses"]["200"]["content"]["application/json"] for name, one in operations.items()}

    assert [name for name, answer in answers.items() if "example" not in answer] == []
    assert _problems(document, answers) == []


def test_operation_has_an_example_of_its_request(document: dict[str, Any], operations: dict[str, Any]) -> None:
    """Required members of body, path and query are present, and all match their schemas."""
    with_body = {name: one["requestBody"] for name, one in operations.items() if "requestBody" in one}
    bodies = {name: body["content"]["application/json"] for name, body in with_body.items()}
    parameters = {
        f"{name} {parameter['name']}": parameter for name, one in operations.items() for parameter in one["parameters"]
    }
    needed = {**bodies, **{name: parameter for name, parameter in parameters.items() if parameter["required"]}}

    assert [name for name, one in needed.items() if "example" not in one] == []
    assert _problems(document, {**bodies, **parameters}) == []


def test_invalid_example_is_detected(document: dict[str, Any]) -> None:
    schema = {"$ref": "#/components/schemas/portico.user.v2.AddHumanUserRequest"}
    email = {"email": "ada@acme.example"}
    unknown = {"email": email, "profile": {"firstName": "A", "lastName": "B", "name": "C"}}

    assert _problems(document, {"missing": {"schema": schema, "example": {"email": email}}}) == [
        'missing: "profile" is a required property'
    ]
    assert _problems(document, {"unknown": {"schema": schema, "example": unknown}})
