"""Documented limits of every string and bytes field, in JSON and binary (MG-14, MG-15)."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.apply import ClockSkew
from portico_contracts.generated.portico.management.v1.app_service_pb2 import (
    AddOIDCAppRequest,
    UpdateOIDCAppConfigRequest,
)
from portico_contracts.management import METHODS
from portico_contracts.proto_options import rules_of
from portico_contracts.users import LONGEST_CLOCK_SKEW
from portico_oauth.errors import ServiceError
from portico_users.management_api.transport.wire.encoded import BinaryRequest, JsonRequest
from portico_users.management_api.transport.wire.limits import violations_of

WIDE = "\U0001f600"
"""One code point: four bytes in UTF-8, two units in UTF-16."""

COMBINED = "e\u0301"
"""Two code points that look like one."""


TIMESTAMP: Final[Any] = Timestamp.DESCRIPTOR


class Limits(NamedTuple):
    """A row of `limits.txt`.

    `least` is 0 where the field may be empty, else 1; `most` is None for no limit.
    """

    least: int
    most: int | None


class Place(NamedTuple):
    method: str
    way: tuple[FieldDescriptor, ...]

    @property
    def field(self) -> FieldDescriptor:
        return self.way[-1]

    @property
    def path(self) -> str:
        return ".".join(f"{one.json_name}[0]" if one.is_repeated else str(one.json_name) for one in self.way)


def _read_limits() -> dict[str, Limits]:
    lines = [line for line in LIMITS_FILE.read_text().splitlines() if not line.startswith("#")]
    rows = {name: Limits(int(least), None if most == "-" else int(most)) for name, least, most in map(str.split, lines)}
    assert len(rows) == len(lines), "a row is written twice"
    return rows


def _walk(method: str, kind: Descriptor, way: tuple[FieldDescriptor, ...] = ()) -> Iterator[Place]:
    fields: Any = kind.fields
    for field in fields:
        inner: Any = field.message_type
        if inner is None or inner is TIMESTAMP:
            yield Place(method, (*way, field))
        # Conditions contain conditions.
        elif not inner.full_name.startswith("google.") and inner not in [one.message_type for one in way]:
            yield from _walk(method, inner, (*way, field))


def _places(kind: int) -> list[Place]:
    found: dict[str, Place] = {}
    for name, method in METHODS.items():
        for place in _walk(name, _descriptor(method.request)):
            found.setdefault(place.field.full_name, place)
    return [place for place in found.values() if place.field.type == kind]


def _descriptor(kind: type[Message]) -> Any:
    return kind.DESCRIPTOR


def _row_of(place: Place) -> str:
    return next((name for name in (place.field.full_name, place.field.name) if name in LIMITS), "")


def _limits_of(place: Place) -> Limits:
    row = _row_of(place)
    assert row, f"{place.field.full_name} needs a row in {LIMITS_FILE.name}"
    return LIMITS[row]


LIMITS_FILE: Final = Path(__file__).with_name("limits.txt")
LIMITS: Final = _read_limits()
TEXTS: Final = _places(FieldDescriptor.TYPE_STRING)
BYTES: Final = _places(FieldDescriptor.TYPE_BYTES)
TIMESTAMPS: Final = _places(FieldDescriptor.TYPE_MESSAGE)

Decode = Callable[[Place, Any], list[str]]
Expectations = Iterator[tuple[str | bytes, list[str]]]


def _by_json(place: Place, value: Any) -> list[str]:
    said = base64.b64encode(value).decode() if isinstance(value, bytes) else value
    members: Any = [said] if place.field.is_repeated else said
    for field in reversed(place.way):
        members = {field.json_name: members}
        outer = place.way[place.way.index(field) - 1] if place.way.index(field) else None
        members = [members] if outer is not None and outer.is_repeated else members
    return _wrong(place, JsonRequest(json.dumps(members).encode()))


def _by_binary(place: Place, value: Any) -> list[str]:
    message = METHODS[place.method].request()
    inner: Any = message
    for field in place.way[:-1]:
        inner = getattr(inner, field.name).add() if field.is_repeated else getattr(inner, field.name)
        inner.SetInParent()
    if isinstance(value, Timestamp):
        getattr(inner, place.field.name).CopyFrom(value)
    elif place.field.is_repeated:
        getattr(inner, place.field.name).append(value)
    else:
        setattr(inner, place.field.name, value)
    return _wrong(place, BinaryRequest(message.SerializeToString()))


def _wrong(place: Place, request: JsonRequest | BinaryRequest) -> list[str]:
    try:
        request.fill(METHODS[place.method].request())
    except ServiceError as error:
        return [one.translated() for one in error.violations if one.field == place.path]
    return []


def _differences(place: Place, decode: Decode, expectations: Expectations) -> list[str]:
    answers = [(value, expected, decode(place, value)) for value, expected in expectations]
    return [
        f"{place.field.full_name}: {value[:3]!r} of length {len(value)} is answered {answer}"
        for value, expected, answer in answers
        if answer != expected
    ]


def _texts(limits: Limits) -> Expectations:
    most = limits.most
    yield "a\x00b", ["The character NUL is not allowed."]
    if most is None:
        yield WIDE * 1_000, []
        return
    too_long = [f"Enter at most {most} characters."]
    for character in ("x", WIDE):
        yield character, []
        yield character * most, []
        yield character * (most + 1), too_long
    yield COMBINED * (most // 2), []
    yield COMBINED * (most // 2 + 1), too_long


def _values(limits: Limits) -> Expectations:
    least, most = limits
    assert most is not None
    yield b"", ["This field is required."] if least else []
    yield b"x", []
    yield b"x" * most, []
    yield b"x" * (most + 1), [f"Use at most {most} bytes."]


FORMS = pytest.mark.parametrize("decode", [_by_json, _by_binary], ids=["json", "binary"])


def test_each_field_has_documented_limits() -> None:
    """A string or bytes field without a row has no tested limits, and a row without a field is stale."""
    rows = {place.field.full_name: _row_of(place) for place in (*TEXTS, *BYTES)}

    assert [field for field, row in rows.items() if not row] == [], f"Add a row to {LIMITS_FILE.name}."
    assert set(LIMITS) - set(rows.values()) == set(), f"Remove these rows of {LIMITS_FILE.name}."


@pytest.mark.slow
@FORMS
def test_text_is_limited_in_code_points(decode: Decode) -> None:
    """The minimum and the maximum are accepted, one more is not, however many bytes a character has; NUL never."""
    wrong = [_differences(place, decode, _texts(_limits_of(place))) for place in TEXTS]

    assert list(chain.from_iterable(wrong)) == []


@FORMS
def test_empty_text_is_refused_where_required(decode: Decode) -> None:
    """Text may be empty exactly where its row permits it."""
    assert [place.path for place in TEXTS if bool(decode(place, "")) != bool(_limits_of(place).least)] == []


def test_lone_surrogate_is_refused() -> None:
    """Text that UTF-8 cannot encode is refused in every field."""
    refusal = ["This contains characters that are not valid text."]

    assert [place.path for place in TEXTS if _by_json(place, "a\ud800") != refusal] == []


@FORMS
def test_bytes_are_limited(decode: Decode) -> None:
    """The limit of bytes is the same in JSON, which encodes them, and in binary."""
    wrong = [_differences(place, decode, _values(_limits_of(place))) for place in BYTES]

    assert list(chain.from_iterable(wrong)) == []


@pytest.mark.parametrize(
    ("seconds", "nanos", "valid"),
    [
        (-62_135_596_800, 0, True),
        (253_402_300_799, 999_999_999, True),
        (-62_135_596_801, 999_999_999, False),
        (253_402_300_800, 0, False),
        (2**63 - 1, 0, False),
        (1, -1, False),
        (1, 1_000_000_000, False),
    ],
)
def test_timestamp_is_within_the_years_1_to_9999(seconds: int, nanos: int, valid: bool) -> None:
    """The binary format has others, in every field, which no handler could read."""
    time, expected = Timestamp(seconds=seconds, nanos=nanos), [] if valid else ["This number is out of range."]

    assert TIMESTAMPS
    assert [place.field.full_name for place in TIMESTAMPS if _by_binary(place, time) != expected] == []


@pytest.mark.parametrize(("seconds", "nanos"), [(5, 1), (6, 0), (0, -1), (-1, 0), (0, 0), (5, 0), (4, 999_999_999)])
def test_duration_limits_are_exact_to_the_nanosecond(seconds: int, nanos: int) -> None:
    """The maximum and minimum are accepted, a nanosecond beyond is not."""
    request = AddOIDCAppRequest(project_id="p", name="n", clock_skew=Duration(seconds=seconds, nanos=nanos))
    too_high, too_low = [["The maximum is 5 seconds."]], [["The minimum is 0."]]
    expected = too_high if (seconds, nanos) > (5, 0) else too_low if (seconds, nanos) < (0, 0) else []

    assert [[one.translated()] for one in violations_of(request)] == expected


def test_maximum_clock_skew_is_consistent() -> None:
    """The maximum is the same in the bus contract, the API and documents."""
    kinds = (AddOIDCAppRequest, UpdateOIDCAppConfigRequest)
    taken = [rules_of(_descriptor(kind).fields_by_name["clock_skew"]).duration.lte.seconds for kind in kinds]

    assert [*taken, len(get_args(ClockSkew)) - 1] == [LONGEST_CLOCK_SKEW] * 3
    assert [f"{seconds}s" for seconds in range(LONGEST_CLOCK_SKEW + 1)] == list(get_args(ClockSkew))
