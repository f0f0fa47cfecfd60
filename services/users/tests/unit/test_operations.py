"""The table of operations and the .proto files say the same."""

from __future__ import annotations

from inspect import signature
from typing import Any, get_type_hints

import pytest
from google.protobuf.descriptor import FieldDescriptor
from portico_contracts.generated.portico.management.v1.user_queries_pb2 import UserQuery
from portico_contracts.generated.portico.user.v2.user_queries_pb2 import SearchQuery, UserFieldName
from portico_contracts.http import GATEWAY
from portico_contracts.management import METHODS
from portico_users.api.operations.all_operations import OPERATIONS
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.wire.json_messages import _SCALARS
from portico_users.api.user_v2.users import list_users
from portico_users.directory.members.permissions import PERMISSIONS, permissions_of
from portico_users.directory.members.roles import ROLES


def test_every_method_is_served_once() -> None:
    """No method without an operation, no operation without a method."""
    assert sorted(operation.name for operation in OPERATIONS) == sorted(METHODS)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name.rpartition(".")[2])
def test_a_handler_takes_and_gives_what_the_method_says(operation: Operation[Any, Any, Any]) -> None:
    """The messages of the .proto file, and no others."""
    hints = get_type_hints(operation.handle)
    asked = list(signature(operation.handle).parameters)[1]

    assert hints[asked] is operation.method.request
    assert hints["return"] is operation.method.response


@pytest.mark.parametrize("name", METHODS)
def test_the_gateway_serves_every_path(name: str) -> None:
    """The JSON form and the paths of Connect and gRPC go to users."""
    prefixes = [route.path.removesuffix("*") for route in GATEWAY if route.service == "users"]

    assert METHODS[name].path.startswith(tuple(prefixes))
    assert METHODS[name].template.startswith(tuple(prefixes))


def test_every_role_has_permissions() -> None:
    """A role without a line would silently allow nothing; an unknown one allows nothing."""
    assert set(PERMISSIONS) == set(ROLES)
    assert all(PERMISSIONS.values())
    assert permissions_of("IAM_NOBODY") == frozenset()


def test_viewers_change_nothing() -> None:
    """What a viewer may is to read."""
    assert {one.rpartition(".")[2] for one in permissions_of("IAM_OWNER_VIEWER", "ORG_OWNER_VIEWER")} == {"read"}


def test_every_condition_of_a_list_is_known() -> None:
    """The .proto file offers no query and no column that the list does not understand."""
    offered: list[Any] = [kind.DESCRIPTOR.oneofs_by_name["query"].fields for kind in (SearchQuery, UserQuery)]

    for fields in offered:
        assert {field.name for field in fields} == set(list_users._CONDITIONS)
    assert set(UserFieldName.values()) == set(list_users._SORT_BY)


def test_every_kind_of_field_can_be_read_from_json() -> None:
    """A new .proto file with another kind of field fails here, not at a caller's."""
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
