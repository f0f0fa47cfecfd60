from __future__ import annotations

from typing import Final

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

_EXACT: Final = 2**53
"""Above it a double is not every whole number (RFC 8259 section 6)."""


def struct_members(value: Message) -> dict[str, object]:
    """Returns the members of a Struct with whole numbers as such: its doubles would be `-7.0` in JSON.

    Strict readers refuse that where the format has an integer, as in the options of WebAuthn (`alg`, `timeout`).
    Raises ValueError for numbers that JSON does not have.
    """
    return {name: _whole(member) for name, member in MessageToDict(value).items()}


def _whole(value: object) -> object:
    match value:
        case float() if value.is_integer() and abs(value) < _EXACT:
            return int(value)
        case dict():
            return {name: _whole(member) for name, member in value.items()}
        case list():
            return [_whole(member) for member in value]
        case _:
            return value
