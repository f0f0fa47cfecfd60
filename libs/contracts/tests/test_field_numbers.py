"""Field numbers of portico.user.v2 match the original's; those of the v1 packages never change (decision 0030).

`libs/contracts/zitadel/names.json` is written by ``node tests-e2e/api_libraries/numbers.mjs`` from the original's
SDK, whose version it names; `numbers/v1.json` is a snapshot of the v1 packages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pool import Default
from portico_contracts.generated.portico.v1 import error_pb2
from portico_contracts.management import METHODS

NUMBERS: Final = Path(__file__).parent / "numbers"
ORIGINAL: Final[dict[str, Any]] = json.loads((NUMBERS.parents[1] / "zitadel" / "names.json").read_text())
V1: Final[dict[str, dict[str, int]]] = json.loads((NUMBERS / "v1.json").read_text())

SERVICE: Final = "portico.user.v2.UserService"
THEIRS: Final = {
    name.removeprefix("zitadel.user.v2.UserService."): kinds
    for name, kinds in ORIGINAL["methods"].items()
    if name.startswith("zitadel.user.v2.")
}
OWN_NUMBERS: Final = 1000
"""Fields that the original does not have are numbered from here on."""

OTHER_NAMES: Final = {
    "portico.user.v2.NewHumanProfile.first_name": "given_name",
    "portico.user.v2.NewHumanProfile.last_name": "family_name",
    "portico.user.v2.HumanProfile.first_name": "given_name",
    "portico.user.v2.HumanProfile.last_name": "family_name",
    "portico.user.v2.AddHumanUserRequest.organisation": "organization",
    "portico.v1.ListDetails.view_timestamp": "timestamp",
}
"""Fields whose name differs from the original's."""

OWN_METHODS: Final = {
    "GenerateRecoveryCodes", "CountRecoveryCodes", "RemoveRecoveryCodes", "RenamePasskey", "RenameU2F",
    "RevokeInviteCode", "RemoveCredentials",
}  # fmt: skip
"""Methods that this version of the original's SDK does not have."""

OWN_VALUES: Final = {"AUTHENTICATION_METHOD_TYPE_RECOVERY_CODE", "USER_FIELD_NAME_LAST_SIGN_IN"}
"""Enumeration values that this version of the original's SDK does not have."""

BOTH_AT_ONCE: Final = {"portico.user.v2.Organisation"}
"""Messages with a oneof in the original and plain fields here; the wire format is the same."""

NAMED: Final = {
    "portico.object.v2.Details": {"sequence": 1, "change_date": 2, "resource_owner": 3, "creation_date": 4},
    "portico.user.v2.User": {
        "user_id": 1, "state": 2, "username": 3, "login_names": 4, "preferred_login_name": 5, "human": 6, "machine": 7,
        "details": 8,
    },
    "portico.user.v2.HumanUser": {
        "profile": 6, "email": 7, "phone": 8, "password_change_required": 9, "password_changed": 10,
        "attributes": 1000, "last_sign_in": 1001, "invitation": 1002, "group_names": 1003, "way_in": 1004,
    },
    "portico.user.v2.SearchQuery": {
        "user_name_query": 1, "first_name_query": 2, "last_name_query": 3, "nick_name_query": 4,
        "display_name_query": 5, "email_query": 6, "state_query": 7, "type_query": 8, "login_name_query": 9,
        "in_user_ids_query": 10, "or_query": 11, "and_query": 12, "not_query": 13, "in_user_emails_query": 14,
        "organization_id_query": 15, "phone_query": 16, "words_query": 1000,
        "group_id_query": 1001, "role_query": 1002, "situation_query": 1003, "external_id_query": 1004,
    },
    "portico.user.v2.SetHumanPhone": {"phone": 1, "send_code": 2, "return_code": 3, "is_verified": 4},
    "portico.user.v2.ResendPhoneCodeRequest": {"user_id": 1, "send_code": 3, "return_code": 4},
    "portico.user.v2.AddHumanUserRequest": {
        "user_id": 1, "username": 2, "profile": 4, "email": 5, "metadata": 6, "password": 7, "hashed_password": 8,
        "idp_links": 9, "phone": 10, "organisation": 11, "attributes": 1000,
    },
}  # fmt: skip
"""Messages that once differed from the original, with their present field numbers."""


assert error_pb2.DESCRIPTOR  # no service names it: importing it makes it known


def _fields(name: str) -> list[FieldDescriptor]:
    found: Any = Default().FindMessageTypeByName(name)
    return list(found.fields)


def _pairs() -> dict[str, str]:
    """Maps our name to the original's for every message reachable from the methods that both have."""
    found: dict[str, str] = {}
    waiting: list[tuple[Any, str]] = []
    for name, kinds in THEIRS.items():
        if method := METHODS.get(f"{SERVICE}.{name}"):
            waiting += zip((method.request.DESCRIPTOR, method.response.DESCRIPTOR), kinds, strict=True)
    while waiting:
        ours, theirs = waiting.pop()
        if ours.full_name.startswith("google.") or ours.full_name in found:
            continue
        found[ours.full_name] = theirs
        waiting += [
            (field.message_type, other["type"])
            for field, other in _shared(ours.full_name, theirs)
            if field.message_type
        ]
    return found


def _shared(ours: str, theirs: str) -> Iterator[tuple[FieldDescriptor, dict[str, Any]]]:
    for field in _fields(ours):
        name = OTHER_NAMES.get(field.full_name, field.name)
        if name in ORIGINAL["messages"][theirs]:
            yield field, ORIGINAL["messages"][theirs][name]


PAIRS: Final = _pairs()


def _all_shared() -> list[tuple[FieldDescriptor, dict[str, Any]]]:
    return [pair for ours, theirs in PAIRS.items() for pair in _shared(ours, theirs)]


def _facts(field: FieldDescriptor) -> dict[str, Any]:
    """Returns what decides a field's wire format."""
    facts: dict[str, Any] = {"number": field.number}
    if field.is_repeated:
        facts["repeated"] = True
    oneof: Any = field.containing_oneof
    if oneof and not oneof.name.startswith("_"):
        facts["oneof"] = oneof.name
    if field.enum_type:
        facts["type"] = "enum"
    elif field.message_type:
        facts["type"] = "message"
    else:
        facts["type"] = _SCALARS[field.type]
    return facts


_SCALARS: Final = {
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_BYTES: "bytes",
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_UINT32: "uint32",
    FieldDescriptor.TYPE_UINT64: "uint64",
}


def _their_facts(field: FieldDescriptor, other: dict[str, Any]) -> dict[str, Any]:
    facts = {name: value for name, value in other.items() if name != "optional"}
    kind = other["type"]
    if kind in ORIGINAL["messages"] or kind.startswith("google."):
        facts["type"] = "message"
    if kind in ORIGINAL["enums"]:
        facts["type"] = "enum"
    if field.full_name.rpartition(".")[0] in BOTH_AT_ONCE:
        facts.pop("oneof", None)
    return facts


def test_shared_fields_have_the_same_wire_format() -> None:
    """A field that the original's SDK knows has the same number, type and oneof here (decision 0030)."""
    compared = [(field.full_name, _facts(field), _their_facts(field, other)) for field, other in _all_shared()]

    assert [(name, ours, theirs) for name, ours, theirs in compared if ours != theirs] == []


def test_own_fields_are_numbered_from_1000() -> None:
    shared = {field.full_name for field, _ in _all_shared()}
    own = [field for name in PAIRS for field in _fields(name) if field.full_name not in shared]

    assert [field.full_name for field in own if field.number < OWN_NUMBERS] == []


def test_every_method_is_compared() -> None:
    """A method matches the original's, with its messages, or is listed as one of ours."""
    ours = {name.removeprefix(f"{SERVICE}.") for name in METHODS if name.startswith(f"{SERVICE}.")}

    assert ours - set(THEIRS) == OWN_METHODS
    assert {f"{SERVICE}.AddHumanUser", f"{SERVICE}.GetUserByID", f"{SERVICE}.ListUsers"} <= set(METHODS)
    assert len(PAIRS) > 150
    for method in ours - OWN_METHODS:
        kinds = METHODS[f"{SERVICE}.{method}"]
        named = [kind.DESCRIPTOR.full_name.rpartition(".")[2] for kind in (kinds.request, kinds.response)]
        assert named == [kind.rpartition(".")[2] for kind in THEIRS[method]]


def test_enum_values_have_the_originals_numbers() -> None:
    """An enumeration value has the original's number or is listed as one of ours."""
    wrong: set[tuple[str, str]] = set()
    for field, other in _all_shared():
        kind: Any = field.enum_type
        theirs = {_value_name(one): number for one, number in ORIGINAL["enums"].get(other["type"], {}).items()}
        ours = {value.name: value.number for value in kind.values} if kind else {}
        differing = {one for one, number in ours.items() if theirs.get(one) != number}
        wrong |= {(field.full_name, one) for one in differing - (OWN_VALUES - set(theirs))}

    assert wrong == set()


def _value_name(name: str) -> str:
    """The original declares text comparisons twice; here they have one name."""
    return name.replace("TEXT_FILTER_METHOD", "TEXT_QUERY_METHOD")


def test_formerly_different_messages_match_now() -> None:
    assert {name: {field.name: field.number for field in _fields(name)} for name in NAMED} == NAMED


def test_v1_messages_keep_their_numbers() -> None:
    """A client built with the v1 packages keeps reading and writing the same bytes."""
    now = {name: {field.name: field.number for field in _fields(name)} for name in V1}
    written = [(name, field, number) for name, fields in V1.items() for field, number in fields.items()]

    assert [(name, field, number) for name, field, number in written if now[name].get(field) != number] == []
