"""Every limit of the .proto files, at 0, 1, the most and one more, in JSON and in binary form alike (MG-14, MG-15)."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from portico_contracts.generated.portico.management.v1.app_service_pb2 import (
    AddOIDCAppRequest,
    UpdateOIDCAppConfigRequest,
)
from portico_contracts.management import METHODS
from portico_contracts.proto_options import rules_of
from portico_contracts.users import LONGEST_CLOCK_SKEW
from portico_oauth.errors import ServiceError
from portico_users.api.transport.wire.encoded import BinaryRequest, JsonRequest
from portico_users.api.transport.wire.limits import violations_of
from portico_users.directory.apps.vocabulary import CLOCK_SKEWS

WIDE = "\U0001f600"
"""One code point: four bytes of UTF-8, two units of UTF-16."""

COMBINED = "e\u0301"
"""Two code points that look like one."""


class Place(NamedTuple):
    """A field with limits, and the way to it."""

    method: str
    way: tuple[FieldDescriptor, ...]

    @property
    def field(self) -> FieldDescriptor:
        """The field itself."""
        return self.way[-1]

    @property
    def path(self) -> str:
        """As an error names it."""
        return ".".join(f"{one.json_name}[0]" if one.is_repeated else str(one.json_name) for one in self.way)

    def __str__(self) -> str:
        """For the name of the test."""
        return f"{self.method.rpartition('.')[2]}:{self.path}"


def _walk(method: str, kind: Descriptor, way: tuple[FieldDescriptor, ...] = ()) -> Iterator[Place]:
    fields: Any = kind.fields
    for field in fields:
        inner: Any = field.message_type
        if inner is None:
            yield Place(method, (*way, field))
        elif not inner.full_name.startswith("google."):
            yield from _walk(method, inner, (*way, field))


def _places(kind: int) -> list[Place]:
    found = [place for name, method in METHODS.items() for place in _walk(name, _descriptor(method.request))]
    return [place for place in found if place.field.type == kind]


def _descriptor(kind: type[Message]) -> Any:
    return kind.DESCRIPTOR


def _items(place: Place) -> Any:
    rules = rules_of(place.field)
    return rules.repeated.items if place.field.is_repeated else rules


TEXTS = [place for place in _places(FieldDescriptor.TYPE_STRING) if _items(place).string.HasField("max_len")]
BYTES = [place for place in _places(FieldDescriptor.TYPE_BYTES) if _items(place).bytes.HasField("max_len")]

Decode = Callable[[Place, Any], list[str]]


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
    if place.field.is_repeated:
        getattr(inner, place.field.name).append(value)
    else:
        setattr(inner, place.field.name, value)
    return _wrong(place, BinaryRequest(message.SerializeToString()))


def _wrong(place: Place, request: JsonRequest | BinaryRequest) -> list[str]:
    """What is wrong with this field; other fields may be missing."""
    try:
        request.fill(METHODS[place.method].request())
    except ServiceError as error:
        return [one.translated() for one in error.violations if one.field == place.path]
    return []


FORMS = pytest.mark.parametrize("decode", [_by_json, _by_binary], ids=["json", "binary"])


def test_the_table_has_every_limit_of_the_specification() -> None:
    """What the tests below go through is all that is limited to 200 characters and the few others."""
    limits = {str(place): _items(place).string.max_len for place in TEXTS if place.method.endswith("AddHumanUser")}
    others = {path: limit for path, limit in limits.items() if limit != 200}

    assert others == {"AddHumanUser:profile.preferredLanguage": 10}
    assert len(limits) > 20
    created = [str(place) for place in BYTES if place.method.endswith("AddHumanUser")]
    assert created == ["AddHumanUser:metadata[0].value"]


@FORMS
@pytest.mark.parametrize("place", TEXTS, ids=str)
def test_text_is_limited_in_code_points(place: Place, decode: Decode) -> None:
    """One and the most are taken, one more is not, however many bytes a character has."""
    most = _items(place).string.max_len

    for character in ("x", WIDE):
        assert decode(place, character) == []
        assert decode(place, character * most) == []
        assert decode(place, character * (most + 1)) == [f"Give at most {most} characters."]
    assert decode(place, COMBINED * (most // 2)) == []
    assert decode(place, COMBINED * (most // 2 + 1)) == [f"Give at most {most} characters."]


@FORMS
@pytest.mark.parametrize("place", TEXTS, ids=str)
def test_empty_text_is_accepted_only_where_it_has_no_limits(place: Place, decode: Decode) -> None:
    """Non-empty where the limits demand it; never NUL."""
    needed = _items(place).string.min_len > 0

    assert bool(decode(place, "")) == needed
    assert decode(place, "a\x00b") == ["No text may hold the character NUL."]


def test_values_of_metadata_are_limited_by_their_base64() -> None:
    """500000 characters of base64 are 375000 bytes."""
    limits = {place.field.name: _items(place).bytes.max_len for place in BYTES}

    assert limits["value"] * 4 // 3 == 500_000
    assert {name for name in limits if name != "value"} == {"public_key", "private_key", "root_ca", "logo"}


@FORMS
@pytest.mark.parametrize("place", BYTES, ids=str)
def test_bytes_are_limited(place: Place, decode: Decode) -> None:
    """The same number in either form; empty ones are taken where nothing is required."""
    most = _items(place).bytes.max_len

    assert decode(place, b"") == (["This is required."] if _items(place).required else [])
    assert decode(place, b"x") == []
    assert decode(place, b"x" * most) == []
    assert decode(place, b"x" * (most + 1)) == [f"Give at most {most} bytes."]


@pytest.mark.parametrize(("seconds", "nanos"), [(5, 1), (6, 0), (0, -1), (-1, 0), (0, 0), (5, 0), (4, 999_999_999)])
def test_a_span_of_time_has_limits_to_the_nanosecond(seconds: int, nanos: int) -> None:
    """The most and the least are taken, what is a nanosecond beyond is not."""
    request = AddOIDCAppRequest(project_id="p", name="n", clock_skew=Duration(seconds=seconds, nanos=nanos))
    too_high, too_low = [["Give at most 5 seconds."]], [["Give at least 0."]]
    expected = too_high if (seconds, nanos) > (5, 0) else too_low if (seconds, nanos) < (0, 0) else []

    assert [[one.translated()] for one in violations_of(request)] == expected


def test_there_is_one_longest_clock_skew() -> None:
    """What keys reckons with, what the API takes, and what a document may have."""
    kinds = (AddOIDCAppRequest, UpdateOIDCAppConfigRequest)
    taken = [rules_of(_descriptor(kind).fields_by_name["clock_skew"]).duration.lte.seconds for kind in kinds]

    assert [*taken, len(CLOCK_SKEWS) - 1] == [LONGEST_CLOCK_SKEW] * 3
    assert [f"{seconds}s" for seconds in range(LONGEST_CLOCK_SKEW + 1)] == list(CLOCK_SKEWS)


@pytest.mark.parametrize("place", TEXTS, ids=str)
def test_half_a_surrogate_pair_is_no_text(place: Place) -> None:
    """Nothing that cannot be written back is taken."""
    assert _by_json(place, "a\ud800") == ["This has characters that are no text."]
