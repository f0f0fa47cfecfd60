"""Limits of what a directory sends, checked before it costs anything."""

from __future__ import annotations

from typing import Any

import pytest
from portico_oauth.errors import ServiceError
from portico_users.scim.protocol.filters import parse_filter
from portico_users.scim.protocol.patch import patch_user, read_operations
from portico_users.scim.protocol.user_values import sent_user
from portico_users.scim.protocol.values import MAX_ELEMENTS

USER: dict[str, Any] = {"userName": "ada@corp.example", "emails": [{"value": "ada@corp.example"}]}
MANY = [{"value": f"{number}@corp.example"} for number in range(MAX_ELEMENTS + 1)]


@pytest.mark.parametrize("attribute", ["emails", "phoneNumbers", "addresses"])
@pytest.mark.parametrize("verb", ["add", "replace", "remove"])
def test_long_list_is_refused_before_its_elements_are_compared(attribute: str, verb: str) -> None:
    """Comparing each element of a PATCH with each other one takes minutes for some thousands, which a request may have."""
    operations = read_operations({"Operations": [{"op": verb, "path": attribute, "value": MANY}]})
    with pytest.raises(ServiceError) as refused:
        patch_user(USER, operations)

    assert refused.value.id == "USER-212"


def test_list_that_grows_is_refused() -> None:
    """Many operations that add some elements each are refused once there are too many."""
    half = {"op": "add", "path": "emails", "value": MANY[:MAX_ELEMENTS]}
    other = {"op": "add", "path": "emails", "value": [{"value": "other@corp.example"}]}
    with pytest.raises(ServiceError):
        patch_user(USER, read_operations({"Operations": [half, other]}))


@pytest.mark.parametrize("attribute", ["emails", "phoneNumbers", "addresses"])
def test_longest_list(attribute: str) -> None:
    """An account has at most 20 of each."""
    sent_user(USER | {attribute: MANY[:MAX_ELEMENTS]})
    with pytest.raises(ServiceError):
        sent_user(USER | {attribute: MANY})


def test_values_that_are_kept_are_counted_in_bytes() -> None:
    """A connection keeps at most 16 KiB of a user, in any script (decision 0160)."""
    addresses = [{"formatted": "\u6f22" * 1_900} for _ in range(3)]
    with pytest.raises(ServiceError):
        sent_user(USER | {"addresses": addresses})


@pytest.mark.parametrize("operator", ["eq", "sw", "co", "ew"])
def test_filter_with_nul_is_refused(operator: str) -> None:
    """The store refuses a pattern with it, which would be a 503 that a directory repeats."""
    with pytest.raises(ServiceError) as refused:
        parse_filter(f'userName {operator} "a\\u0000"')

    assert refused.value.id == "USER-209"


@pytest.mark.parametrize(
    "members", [{"title": "a\0"}, {"emails": [{"value": "a\0@corp.example"}]}, {"name": {"givenName": "a\0"}}]
)
def test_value_with_nul_is_refused(members: dict[str, Any]) -> None:
    """As in the management API, in documents and in imports."""
    with pytest.raises(ServiceError) as refused:
        sent_user(USER | members)

    assert refused.value.id == "USER-212"
