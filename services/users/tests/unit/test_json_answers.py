from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.user.v2 import credentials_pb2, user_pb2, user_service_pb2
from portico_contracts.management import METHODS
from portico_users.management_api.transport.wire.json_answers import write_json

DEEP = 4

VALUES: dict[int, tuple[Any, ...]] = {
    FieldDescriptor.TYPE_STRING: ("", 'Zoë "Byron"\n\t\\ /é\u2028', "x\u0001"),
    FieldDescriptor.TYPE_BYTES: (b"", b"\x00\xfe\xff?>"),
    FieldDescriptor.TYPE_BOOL: (False, True),
    FieldDescriptor.TYPE_ENUM: (0, 1, 77),
    FieldDescriptor.TYPE_INT32: (0, -(2**31)),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_INT64: (0, -(2**63)),
    FieldDescriptor.TYPE_UINT64: (0, 2**64 - 1),
}
WELL_KNOWN: dict[str, Message] = {
    "google.protobuf.Timestamp": Timestamp(seconds=1_700_000_000, nanos=120_000_000),
    "google.protobuf.Duration": Duration(seconds=61, nanos=500_000_000),
}


def fill(message: Any, turn: int, deep: int = DEEP) -> None:
    for field in message.DESCRIPTOR.fields:
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            _fill_message(message, field, turn, deep)
            continue
        values = VALUES[field.type]
        if field.is_repeated:
            getattr(message, field.name).extend(values)
        else:
            setattr(message, field.name, values[turn % len(values)])


def filled(kind: type[Message], turn: int) -> Message:
    message = kind()
    fill(message, turn)
    return message


def _fill_message(message: Any, field: FieldDescriptor, turn: int, deep: int) -> None:
    inner = getattr(message, field.name)
    name = field.message_type.full_name if field.message_type else ""
    one = inner.add() if field.is_repeated else inner
    one.SetInParent()
    if name in WELL_KNOWN:
        one.CopyFrom(WELL_KNOWN[name])
    elif isinstance(one, Struct):
        one.update({"a": [1, None, {"b": "c"}], "d": True})
    elif deep:
        fill(one, turn, deep - 1)


def test_json_responses_equal_the_library() -> None:
    """Each message of each operation has the JSON form of proto3, whatever values its fields have (MG-05)."""
    kinds = {method.response for method in METHODS.values()}
    answers = [filled(kind, turn) for kind in kinds for turn in range(3)]
    wrong = {
        answer.DESCRIPTOR.full_name for answer in answers if json.loads(write_json(answer)) != MessageToDict(answer)
    }

    assert wrong == set()


def test_message_without_values_is_an_empty_object() -> None:
    """Values that are not set are omitted."""
    assert write_json(user_service_pb2.GetUserByIDResponse()) == b"{}"


@pytest.mark.parametrize(
    ("seconds", "nanos", "text"),
    [
        (0, 0, "1970-01-01T00:00:00Z"),
        (1_700_000_000, 0, "2023-11-14T22:13:20Z"),
        (1_700_000_000, 5_000_000, "2023-11-14T22:13:20.005Z"),
        (1_700_000_000, 123_456_000, "2023-11-14T22:13:20.123456Z"),
        (1_700_000_000, 1, "2023-11-14T22:13:20.000000001Z"),
        (253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
        (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
    ],
)
def test_timestamps_have_as_many_digits_as_needed(seconds: int, nanos: int, text: str) -> None:
    """A timestamp has 0, 3, 6 or 9 digits of a second, in UTC (RFC 3339)."""
    answer = user_pb2.HumanUser(password_changed=Timestamp(seconds=seconds, nanos=nanos))

    assert json.loads(write_json(answer)) == {"passwordChanged": text} == MessageToDict(answer)


def test_whole_numbers_of_a_struct_have_no_fraction() -> None:
    """Strict readers of WebAuthn's options refuse `-7.0` where the standard has an integer; others keep their digits."""
    answer = credentials_pb2.RegisterPasskeyResponse()
    answer.public_key_credential_creation_options.update(
        {"timeout": 300000, "params": [{"alg": -7}, 0, 1.5], "large": 2**53 - 1, "larger": 2**60, "no": None}
    )

    written = json.loads(write_json(answer), parse_float="fraction {}".format)

    assert written["publicKeyCredentialCreationOptions"] == {
        "timeout": 300000,
        "params": [{"alg": -7}, 0, "fraction 1.5"],
        "large": 2**53 - 1,
        "larger": "fraction 1.152921504606847e18",
        "no": None,
    }
