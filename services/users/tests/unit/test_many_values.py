"""Requests of very many small values, which take seconds to read (RX-05)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from portico_contracts.generated.portico.management.v1.project_service_pb2 import BulkAddProjectRolesRequest
from portico_contracts.generated.portico.user.v2.credentials_pb2 import VerifyU2FRegistrationRequest
from portico_contracts.generated.portico.user.v2.user_queries_pb2 import AndQuery, SearchQuery, UserNameQuery
from portico_contracts.generated.portico.user.v2.user_service_pb2 import AddHumanUserRequest, ListUsersRequest
from portico_contracts.management import METHODS
from portico_contracts.proto_options import rules_of
from portico_oauth.errors import ServiceError
from portico_users.management_api.transport.wire.encoded import BinaryRequest, Encoded, JsonRequest
from portico_users.user_import.row_format import read_row_body

MOST = 20_000
TWO_MEBIBYTES = 2 * 1024 * 1024


def _error_of(request: Encoded, message: Message) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        request.fill(message)
    return caught.value


def _repeated(before: str, value: str, after: str, times: int) -> bytes:
    return f"{before}{','.join([value] * times)}{after}".encode()


def _members(value: str, times: int) -> str:
    return ",".join(f'"{number:x}":{value}' for number in range(times))


JSON_TEXTS = {
    "numbers": _repeated('{"metadata":[', "0", "]}", 1_000_000),
    "objects": _repeated('{"metadata":[', "{}", "]}", 690_000),
    "lists": _repeated('{"metadata":[', "[[[[]]]]", "]}", 230_000),
    "members": f"{{{_members('0', 200_000)}}}".encode(),
    "equal members": _repeated("{", '"a":{}', "}", 290_000),
    "texts": _repeated('{"metadata":[', '""', "]}", 690_000),
    "open brackets": b"[" * 2_000_000,
}


@pytest.mark.parametrize("text", JSON_TEXTS.values(), ids=JSON_TEXTS)
def test_json_of_very_many_values_is_refused_before_it_is_read(text: bytes) -> None:
    """The error is that of the number of values, whatever else is wrong, and nothing is in the message."""
    message = AddHumanUserRequest()
    error = _error_of(JsonRequest(text), message)

    assert len(text) < TWO_MEBIBYTES
    assert (error.id, error.rendering.rpc, error.violations) == ("USER-308", 3, ())
    assert message == AddHumanUserRequest()


@pytest.mark.parametrize(("more", "error_code"), [(0, "USER-303"), (1, "USER-308")])
def test_twenty_thousand_values_are_read(more: int, error_code: str) -> None:
    """The object and its list count too."""
    numbers = _repeated('{"unknown":[', "0", "]}", MOST - 1 + more)
    members = f'{{"unknown":{{{_members(json.dumps("a"), MOST - 1 + more)}}}}}'.encode()

    assert [_error_of(JsonRequest(one), AddHumanUserRequest()).id for one in (numbers, members)] == [error_code] * 2


@pytest.mark.parametrize("filling", [",", "[", '\\"[', '\\\\\\",', '",[\\'], ids=repr)
def test_text_is_one_value_whatever_its_characters(filling: str) -> None:
    """Commas and brackets in strings, and escaped quotes before them, are not counted."""
    text = json.dumps({"username": filling * 50_000, "unknown": {filling: filling}}).encode()
    error = _error_of(JsonRequest(text), AddHumanUserRequest())

    assert [one.field for one in error.violations] == ["unknown"]


def _with_struct(value: Any) -> VerifyU2FRegistrationRequest:
    credential = Struct()
    credential.update({"a": value})
    return VerifyU2FRegistrationRequest(public_key_credential=credential)


def _conditions(depth: int) -> SearchQuery:
    if not depth:
        return SearchQuery(user_name_query=UserNameQuery(user_name="a"))
    return SearchQuery(and_query=AndQuery(queries=[_conditions(depth - 1)] * 20))


BINARY = {
    "entries of a list": AddHumanUserRequest(metadata=[AddHumanUserRequest().metadata.add()] * (MOST + 1)),
    "lists in lists": ListUsersRequest(queries=[_conditions(3)] * 3),
    "values of a Struct": _with_struct([[]] * 12_000),
    "members of a Struct": _with_struct({f"{number:x}": 0 for number in range(MOST)}),
}


@pytest.mark.parametrize("request_", BINARY.values(), ids=BINARY)
def test_binary_message_of_very_many_values_is_refused(request_: Message) -> None:
    """Protobuf, as in gRPC and Connect, has the limit of JSON, and it is checked before every other."""
    error = _error_of(BinaryRequest(request_.SerializeToString()), type(request_)())

    assert (error.id, error.rendering.rpc, error.violations) == ("USER-308", 3, ())


def test_binary_message_of_twenty_thousand_values_is_read() -> None:
    """Its list is refused by the limit of the list."""
    request = AddHumanUserRequest(metadata=[AddHumanUserRequest().metadata.add()] * MOST)
    error = _error_of(BinaryRequest(request.SerializeToString()), AddHumanUserRequest())

    assert ("metadata", "Use at most 1000 entries.") in [(one.field, one.translated()) for one in error.violations]


@pytest.mark.parametrize(
    ("entries", "error_code", "fields"),
    [
        (1_001, "USER-303", ["metadata", "email", "profile"]),
        (MOST, "USER-308", []),
    ],
)
def test_row_of_very_many_values_is_refused(entries: int, error_code: str, fields: list[str]) -> None:
    """The entries of a list that is too long are not read, so they have no errors of their own."""
    with pytest.raises(ServiceError) as caught:
        read_row_body(json.dumps({"metadata": [0] * entries}))

    assert caught.value.id == error_code
    assert [one.field for one in caught.value.violations] == fields


def test_largest_valid_requests_are_accepted() -> None:
    """The lists of most entries that the .proto files permit have less than a third of the values."""
    roles = [{"key": f"key-{number}", "displayName": "a, b", "group": "[c]"} for number in range(1_000)]
    text = json.dumps({"projectId": "p", "roles": roles}).encode()
    by_json, by_binary = BulkAddProjectRolesRequest(), BulkAddProjectRolesRequest()
    JsonRequest(text).fill(by_json)
    BinaryRequest(by_json.SerializeToString()).fill(by_binary)

    assert len(by_binary.roles) == 1_000
    assert max(_most_values(_descriptor(method.request)) for method in METHODS.values()) < MOST / 3


def _descriptor(kind: type[Message]) -> Any:
    return kind.DESCRIPTOR


def _most_values(kind: Descriptor, outer: tuple[Descriptor, ...] = ()) -> int:
    """Conditions contain conditions, which are counted once."""
    return 1 + sum(_values_of(kind, outer))


def _values_of(kind: Descriptor, outer: tuple[Descriptor, ...]) -> Iterator[int]:
    fields: Any = kind.fields
    for field in fields:
        inner = field.message_type
        ends = inner is None or inner.full_name.startswith("google.") or inner in outer
        one = 1 if ends else _most_values(inner, (*outer, kind))
        yield 1 + one * rules_of(field).repeated.max_items if field.is_repeated else one
