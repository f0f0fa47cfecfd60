from __future__ import annotations

import json
from typing import Any, Final

import jsonschema_rs
from generated_code.openapi import openapi

DOCUMENT: Final[dict[str, Any]] = json.loads(*openapi().values())
ILLUSTRATED: Final = ("UserService", "AppService", "IDPService")

OPERATIONS: Final = {
    operation["operationId"]: operation
    for verbs in DOCUMENT["paths"].values()
    for operation in verbs.values()
    if operation["tags"][0] in ILLUSTRATED
}


def _problems(described: dict[str, Any]) -> list[str]:
    schema = {
        "properties": {name: one["schema"] for name, one in described.items()},
        "components": DOCUMENT["components"],
    }
    examples = {name: one["example"] for name, one in described.items() if "example" in one}
    # Compiling the document takes far longer than validating an example.
    errors = jsonschema_rs.Draft202012Validator(schema, validate_formats=True).iter_errors(examples)
    return [f"{error.instance_path[0]}: {error.message}" for error in errors]


def test_all_operations_are_validated() -> None:
    """The operations of users, applications and identity providers are validated in both API versions."""
    assert len(OPERATIONS) > 130
    assert {
        "user_v2_UserService_AddHumanUser",
        "management_v1_UserService_ImportHumanUser",
        "management_v1_AppService_AddOIDCApp",
        "management_v1_IDPService_AddOrgOIDCIDP",
        "admin_v1_IDPService_AddGenericJWTProvider",
    } <= set(OPERATIONS)


def test_operation_has_an_example_of_its_response() -> None:
    answers = {name: one["responses"]["200"]["content"]["application/json"] for name, one in OPERATIONS.items()}

    assert [name for name, answer in answers.items() if "example" not in answer] == []
    assert _problems(answers) == []


def test_operation_has_an_example_of_its_request() -> None:
    """Required members of body, path and query are present, and all match their schemas."""
    with_body = {name: one["requestBody"] for name, one in OPERATIONS.items() if "requestBody" in one}
    bodies = {name: body["content"]["application/json"] for name, body in with_body.items()}
    parameters = {
        f"{name} {parameter['name']}": parameter for name, one in OPERATIONS.items() for parameter in one["parameters"]
    }
    needed = {**bodies, **{name: parameter for name, parameter in parameters.items() if parameter["required"]}}

    assert [name for name, one in needed.items() if "example" not in one] == []
    assert _problems({**bodies, **parameters}) == []


def test_invalid_example_is_detected() -> None:
    schema = {"$ref": "#/components/schemas/portico.user.v2.AddHumanUserRequest"}
    email = {"email": "ada@acme.example"}
    unknown = {"email": email, "profile": {"firstName": "A", "lastName": "B", "name": "C"}}

    assert _problems({"missing": {"schema": schema, "example": {"email": email}}}) == [
        'missing: "profile" is a required property'
    ]
    assert _problems({"unknown": {"schema": schema, "example": unknown}})
