"""The table of operations matches the .proto files."""

from __future__ import annotations

from inspect import signature
from typing import Any, Final, get_args, get_type_hints

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from portico_contracts import apply as document
from portico_contracts.generated.portico.management.v1.user_queries_pb2 import UserQuery
from portico_contracts.generated.portico.user.v2.user_queries_pb2 import SearchQuery, UserFieldName
from portico_contracts.http import GATEWAY
from portico_contracts.management import METHODS
from portico_fakes.example_runner import steps
from portico_users.administrators.permissions import PERMISSIONS, ROLES, permissions_of
from portico_users.end_users.api import list_users
from portico_users.end_users.api.user_conditions import SIMPLE_CONDITIONS
from portico_users.management_api.all_operations import OPERATIONS
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.wire.json_messages import _SCALARS
from portico_users.management_api.transport.wire.json_types import JsonMessage
from portico_users.policies.api.policies import POLICY_CALLS, PolicyCalls
from portico_users.policies.document import member_of
from portico_users.values.fields import DeclaredValues
from portico_users_rows.permission_rows.matrix import MATRIX

POLICY_FIELDS: Final = {
    "PasswordComplexity": {
        "min_length",
        "has_uppercase",
        "has_lowercase",
        "has_number",
        "has_symbol",
        "refuse_breached",
    },
    "PasswordAge": {"max_age_days", "expire_warn_days"},
    "Lockout": {"max_password_attempts"},
    "ClientMetadata": {"hosts", "project_id"},
    "Privacy": {"tos_link", "privacy_link", "help_link", "support_email"},
    "Text": {"texts"},
    "Label": {
        "primary_color",
        "background_color",
        "warn_color",
        "font_color",
        "primary_color_dark",
        "background_color_dark",
        "warn_color_dark",
        "font_color_dark",
        "hide_login_name_suffix",
        "disable_watermark",
        "font_family",
    },
}


READ_ONLY = {"details", "is_default", "logo_url", "logo_url_dark"}
"""Read-only members of policies."""

ILLUSTRATED = ("UserService", "AppService", "IDPService", "ScimService")


def test_every_method_has_one_operation() -> None:
    """There is no method without an operation, and no operation without a method."""
    assert sorted(operation.name for operation in OPERATIONS) == sorted(METHODS)


def test_every_operation_has_permission_rows() -> None:
    """An operation without rows in the permission matrix fails here, without servers, before it is served (MG-01)."""
    assert sorted(operation.name for operation in OPERATIONS) == sorted(MATRIX)


def test_documented_operations_have_examples() -> None:
    """Every operation on users, applications, identity providers and SCIM connections has an example."""
    told = {step["method"] for step in steps() if not step.get("setup")}

    assert {name for name in METHODS if name.split(".")[-2] in ILLUSTRATED} <= told


def test_handlers_use_the_messages_of_their_methods() -> None:
    """Handlers take and return the messages of the .proto file; those of policies, which are generic, have the
    fields of their kind.
    """
    assert [operation.name for operation in OPERATIONS if not _has_its_messages(operation)] == []


def _has_its_messages(operation: Operation) -> bool:
    hints = get_type_hints(operation.handle)
    asked = list(signature(operation.handle).parameters)[1]
    messages = {asked: operation.method.request, "return": operation.method.response}
    declared = {name: hints[name] for name in messages if hints[name] is not Message}
    if declared.get("return") is JsonMessage:  # written without a message: only the response itself shows its kind
        declared["return"] = messages["return"]
    are_declared = all(messages[name] in (get_args(kind) or (kind,)) for name, kind in declared.items())
    if not (calls := getattr(operation.handle, "__self__", None)):
        return are_declared and set(declared) == set(messages)
    return (
        are_declared
        and (asked in declared or _takes(calls, operation))
        and ("return" in declared or _returns(calls, operation))
    )


def _takes(calls: PolicyCalls, operation: Operation) -> bool:
    return _fields(operation.method.request) == POLICY_FIELDS[calls.word]


def _returns(calls: PolicyCalls, operation: Operation) -> bool:
    response = operation.method.response
    has_policy = response is calls.response and _fields(calls.message) == POLICY_FIELDS[calls.word]
    return has_policy and response.DESCRIPTOR.fields_by_name["policy"].message_type is calls.message.DESCRIPTOR


def test_policy_fields_match_the_document() -> None:
    """The API, documents, exports and the store use the same fields of a policy."""
    assert {calls.word for calls in POLICY_CALLS} == set(POLICY_FIELDS)
    for calls in POLICY_CALLS:
        fields = calls.kind.fields
        default = fields.record()
        part = get_args(get_type_hints(document.Organization)[member_of(calls.kind)])[0]

        assert fields.document_type is part
        assert set(fields.declared(default)) == POLICY_FIELDS[calls.word]
        assert set(part.__struct_fields__) == POLICY_FIELDS[calls.word]
        assert fields.new(DeclaredValues(fields.document(default))) == default


def _fields(message: Any) -> set[str]:
    return {field.name for field in message.DESCRIPTOR.fields} - READ_ONLY


def test_gateway_serves_every_path() -> None:
    """The paths of JSON, Connect and gRPC are routed to users."""
    prefixes = tuple(route.path.removesuffix("*") for route in GATEWAY if route.service == "users")
    paths = [path for method in METHODS.values() for path in (method.path, method.template)]

    assert [path for path in paths if not path.startswith(prefixes)] == []


def test_every_role_has_permissions() -> None:
    """A role without a row would silently allow nothing; an unknown one allows nothing."""
    assert set(PERMISSIONS) == set(ROLES)
    assert all(PERMISSIONS.values())
    assert permissions_of("IAM_NOBODY") == frozenset()


def test_viewers_have_only_read_permissions() -> None:
    assert {one.rpartition(".")[2] for one in permissions_of("IAM_OWNER_VIEWER", "ORG_OWNER_VIEWER")} == {"read"}


def test_every_list_condition_is_supported() -> None:
    """The .proto file offers no query and no column that the list does not support."""
    offered: list[Any] = [kind.DESCRIPTOR.oneofs_by_name["query"].fields for kind in (SearchQuery, UserQuery)]

    served = {*SIMPLE_CONDITIONS, "words_query", "and_query", "or_query", "not_query", "login_name_query"}
    assert {field.name for field in offered[0]} == served
    assert {field.name for field in offered[1]} <= served
    assert set(UserFieldName.values()) == set(list_users._SORT_BY)


def test_every_field_type_is_parsed_from_json() -> None:
    """A new field type in a .proto file fails here, not in a request."""
    kinds: set[int] = set()
    seen: set[str] = set()
    waiting: list[Any] = [method.request.DESCRIPTOR for method in METHODS.values()]
    while waiting:
        kind = waiting.pop()
        if kind.full_name in seen or kind.full_name.startswith("google."):
            continue
        seen.add(kind.full_name)
        kinds |= {field.type for field in kind.fields}
        waiting += [field.message_type for field in kind.fields if field.message_type]

    assert kinds - {FieldDescriptor.TYPE_MESSAGE} <= set(_SCALARS)
