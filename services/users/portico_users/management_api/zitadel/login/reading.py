"""Reads values within their limits: the messages of ZITADEL have none."""

from __future__ import annotations

import json
from collections.abc import Sized
from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from portico_oauth.errors import Violation

from portico_users.management_api.transport.wire.limits import NOT_A_VALUE, TOO_LOW
from portico_users.management_api.transport.wire.struct_json import struct_members
from portico_users.management_api.zitadel.copying import NOT_OFFERED_HERE
from portico_users.values.json_text import INVALID_FIELDS, MOST_VIOLATIONS, REQUIRED, TOO_LONG, TOO_MANY, WRONG_TYPE
from portico_users.values.names import MAX_LENGTH

LONGEST_CODE: Final = 20


class Reading:
    """Collects the violations of a message, for one error with all of them.

    Every value is returned, also an invalid one: call `require` before using any.
    """

    def __init__(self) -> None:
        self._violations: list[Violation] = []

    def refuse(self, place: str, text: str = NOT_OFFERED_HERE, limit: int = 0) -> None:
        self._violations.append(Violation(place, text, limit))

    def refuse_set(self, message: Message, path: str, *names: str) -> None:
        """Refuses values that have no place in Portico, by the names of their fields."""
        for field, _ in message.ListFields():
            if field.name in names:
                self.refuse(f"{path}.{field.json_name}" if path else str(field.json_name))

    def require(self) -> None:
        if self._violations:
            raise INVALID_FIELDS.error(violations=tuple(self._violations[:MOST_VIOLATIONS]))

    def text(self, place: str, value: str, limit: int = MAX_LENGTH) -> str:
        """Refuses an empty value too: it would be a check that is not made."""
        if not value:
            self.refuse(place, REQUIRED)
        return self.optional_text(place, value, limit)

    def optional_text(self, place: str, value: str, limit: int = MAX_LENGTH) -> str:
        if len(value) > limit:
            self.refuse(place, TOO_LONG, limit)
        return value

    def known(self, place: str, number: int, *numbers: int) -> None:
        if number not in numbers:
            self.refuse(place, NOT_A_VALUE)

    def json(self, place: str, message: Message, limit: int) -> str:
        """The message as compact JSON in ASCII; empty without a value."""
        try:
            members = struct_members(message)
        except ValueError:  # a Struct from a binary message can have NaN, and values without a kind
            self.refuse(place, WRONG_TYPE)
            return ""
        text = json.dumps(members, separators=(",", ":")) if members else ""
        return self.optional_text(place, text, limit)

    def seconds(self, place: str, value: Duration) -> float:
        seconds = value.seconds + value.nanos / 1e9
        if seconds < 1:
            self.refuse(place, TOO_LOW, 1)
        return seconds

    def entries(self, place: str, values: Sized, limit: int) -> None:
        if len(values) > limit:
            self.refuse(place, TOO_MANY, limit)
