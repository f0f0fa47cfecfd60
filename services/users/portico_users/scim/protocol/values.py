"""Values as clients send them: booleans and numbers as text, single elements without a list."""

from __future__ import annotations

from typing import Any, Final

from portico_users.scim.protocol.errors import INVALID_VALUE
from portico_users.values.problems import at

MAX_TEXT: Final = 2_000
MAX_ELEMENTS: Final = 20


def read_text(value: object, place: str) -> str:
    """Empty for null: both mean that the attribute has no value (RFC 7643 section 2.5). NUL is refused, as everywhere."""
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or len(value) > MAX_TEXT or "\0" in value:
        raise at(place, INVALID_VALUE.error())
    return value


def read_flag(value: object, place: str) -> bool:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if not isinstance(value, bool):
        raise at(place, INVALID_VALUE.error())
    return value


def read_elements(value: object, place: str) -> list[dict[str, Any]]:
    """A list of objects; also for one object, and for the text of a value. Raises USER-212 for more than `MAX_ELEMENTS`.

    A PATCH compares each element with each other one.
    """
    if value is None:
        return []
    found = value if isinstance(value, list) else [value]
    if len(found) > MAX_ELEMENTS:
        raise at(place, INVALID_VALUE.error())
    return [{"value": one} if isinstance(one, str) else read_object(one, place) for one in found]


def read_object(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise at(place, INVALID_VALUE.error())
    return value
