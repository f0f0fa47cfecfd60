"""Undecoded requests: decoded only after the caller is authenticated."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from google.protobuf.message import DecodeError, Message
from portico_contracts.proto_options import map_value_of
from portico_oauth.errors import ErrorCode, Kind, Violation

from portico_users.management_api.transport.wire.json_messages import named_in, read_message
from portico_users.management_api.transport.wire.limits import violations_of
from portico_users.values.json_text import (
    GIVEN_TWICE,
    INVALID_FIELDS,
    MAX_VALUES,
    MOST_VIOLATIONS,
    TOO_MANY_VALUES,
    read_json,
)

NOT_A_MESSAGE = ErrorCode(
    "USER-304",
    Kind.INVALID_REQUEST,
    "The body is not a message of this operation.",
    "Encode it as defined in the .proto file of the service.",
)


@dataclass(frozen=True, slots=True)
class BinaryRequest:
    data: bytes = field(repr=False)

    def fill(self, message: Message) -> None:
        try:
            message.ParseFromString(self.data)
        except DecodeError:
            raise NOT_A_MESSAGE.error() from None
        if _has_too_many_values(message):
            raise TOO_MANY_VALUES.error()
        refuse_violations(message)


@dataclass(frozen=True, slots=True)
class JsonRequest:
    """A JSON body with the fields of path and query, which the body may repeat with equal values only."""

    text: bytes = field(repr=False)
    more: dict[str, object] = field(default_factory=dict, repr=False)

    def fill(self, message: Message) -> None:
        members = read_json(self.text) if self.text else {}
        violations = read_message(members, message)
        if self.more and not violations and isinstance(members, dict):
            violations = self._add(message, named_in(members, message))
        if violations:
            raise INVALID_FIELDS.error(violations=tuple(violations[:MOST_VIOLATIONS]))
        refuse_violations(message)

    def _add(self, message: Message, named: frozenset[str]) -> list[Violation]:
        """Adds the fields of path and query; returns those that the body contradicts (MG-01)."""
        elsewhere = type(message)()
        violations = read_message(self.more, elsewhere)
        for known, value in elsewhere.ListFields():
            if known.name in named and getattr(message, known.name) != value:
                violations.append(Violation(str(known.json_name), GIVEN_TWICE))
            message.ClearField(known.name)
        message.MergeFrom(elsewhere)
        return violations


class Encoded(Protocol):
    def fill(self, message: Message) -> None:
        """Decodes it into the message. Raises if it is invalid or exceeds the limits of the .proto file."""
        ...


def refuse_violations(message: Message) -> None:
    violations = tuple(islice(violations_of(message), MOST_VIOLATIONS))
    if violations:
        raise INVALID_FIELDS.error(violations=violations)


def _has_too_many_values(message: Message) -> bool:
    """Counts entries and inner messages. The length of a list is known before any entry becomes an object."""
    left: list[Message] = [message]
    count = 0
    while left:
        for known, value in left.pop().ListFields():
            if not (known.is_repeated or known.message_type):
                continue
            count += len(value) if known.is_repeated else 1
            if count > MAX_VALUES:
                return True
            if value_of_name := map_value_of(known):
                left += value.values() if value_of_name.message_type else ()
            elif known.message_type:
                left += value if known.is_repeated else (value,)
    return False
